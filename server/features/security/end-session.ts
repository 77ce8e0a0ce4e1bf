import type { endSession as endpoint } from '#contract/security.ts'
import { recordEvent } from '../../db/events.ts'
import { row, run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { requireStepUp } from '../../http/step-up.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'

/**
 * Ends one of the client's sessions, possibly the current one, unless it has ended already. Throws `not-found` for
 * another client's.
 */
export const endOwnSession: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId, sessionId: own } = requireClient(context)
  const { sessionId } = context.body
  if (!isUuid(sessionId)) throw new Problem('not-found')
  if (sessionId !== own) await requireStepUp(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const session = requireFound(
      await row<{ endedAt: Date | null }>(tx)`select ended_at as "endedAt" from sessions
        where id = ${sessionId} and client_id = ${clientId} and audience = 'portal' for update`,
    )
    if (session.endedAt) return
    await run(tx)`update sessions set ended_at = ${context.now} where id = ${sessionId}`
    await recordEvent(tx, context.auditContext, { kind: 'client', action: 'endSession', record: clientId, clientId })
  })
  return {}
}
