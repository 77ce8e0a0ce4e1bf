import type { logout } from '#contract/users-session.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { endSession } from '../../http/sessions.ts'

/** Ends the session of the token, immediately and on every server. */
export const logOut: Handler<typeof logout> = async (dependencies, context) => {
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
