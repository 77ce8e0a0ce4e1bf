import type { endSession as endpoint } from '#contract/security.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { requireStepUp } from '../../http/step-up.ts'
import { Problem } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'

/** Ends one of the client's sessions, possibly the current one. Throws `not-found` for another client's. */
export const endOwnSession: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId, sessionId: own } = requireClient(context)
  const { sessionId } = context.body
  if (!isUuid(sessionId)) throw new Problem('not-found')
  if (sessionId !== own) await requireStepUp(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const ended = await run(tx)`update sessions set ended_at = ${context.now}
        where id = ${sessionId} and client_id = ${clientId} and audience = 'portal' and ended_at is null`
    if (ended === 0) throw new Problem('not-found')
    await recordEvent(tx, context.auditContext, { kind: 'client', action: 'endSession', record: clientId, clientId })
  })
  return {}
}
