import type { logout } from '#contract/users-session.ts'
import { record } from '../../db/events.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { endSession } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'

/** Ends the session of the token, at once and on every server. */
export async function logOut(parts: Parts, call: Call<typeof logout>): Promise<Record<string, never>> {
  const { caller, now } = call
  if (caller.kind !== 'client' && caller.kind !== 'registering') return {}
  await transaction(parts.pool, async (tx) => {
    await endSession(tx, caller.sessionId, now)
    if (caller.kind === 'client') {
      const { clientId } = caller
      await record(tx, call.act, { kind: 'client', verb: 'logOut', record: clientId, clientId })
    }
  })
  return {}
}
