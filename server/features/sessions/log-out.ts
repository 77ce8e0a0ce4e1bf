import type { logout } from '#contract/users-session.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/transaction.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { endSession } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Ends the session of the token, at once and on every server. */
export async function logOut(
  dependencies: Dependencies,
  context: RequestContext<typeof logout>,
): Promise<Record<string, never>> {
  const { caller, now } = context
  if (caller.kind !== 'client' && caller.kind !== 'registering') return {}
  await transaction(dependencies.pool, async (tx) => {
    await endSession(tx, caller.sessionId, now)
    if (caller.kind === 'client') {
      const { clientId } = caller
      await recordEvent(tx, context.auditContext, { kind: 'client', action: 'logOut', record: clientId, clientId })
    }
  })
  return {}
}
