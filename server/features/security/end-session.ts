import type { endSession as endpoint } from '#contract/security.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { needFreshProof } from '../../http/step-up.ts'
import { Problem } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import type { Parts } from '../../dependencies.ts'

/** Ends one of the client's sessions, this one too. Another's is not found. */
export async function endOwnSession(parts: Parts, call: Call<typeof endpoint>): Promise<Record<string, never>> {
  const { clientId, sessionId: own } = clientOf(call)
  const { sessionId } = call.body
  if (!isUuid(sessionId)) throw new Problem('not-found')
  if (sessionId !== own) await needFreshProof(parts, call)
  await transaction(parts.pool, async (tx) => {
    const ended = await run(
      tx,
      sql`update sessions set ended_at = ${call.now}
          where id = ${sessionId} and client_id = ${clientId} and audience = 'portal' and ended_at is null`,
    )
    if (ended === 0) throw new Problem('not-found')
    await record(tx, call.act, { kind: 'client', verb: 'endSession', record: clientId, clientId })
  })
  return {}
}
