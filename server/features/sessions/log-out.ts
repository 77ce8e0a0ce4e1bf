/** Ends a session, and chooses the language of a person. */
import type { logout, setLanguage } from '#contract/users-session.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction, run } from '../../db/sql.ts'
import type { Handler } from '../../http/request-context.ts'
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

/** Sets the language of emails for a client, or for a person who registers. */
export const chooseLanguage: Handler<typeof setLanguage> = async (dependencies, { caller, body }) => {
  const { language } = body
  if (caller.kind === 'client') {
    await run(dependencies.pool)`update clients set language = ${language} where id = ${caller.clientId}`
  } else if (caller.kind === 'registering') {
    await run(dependencies.pool)`update registrations set language = ${language} where id = ${caller.registrationId}`
  }
  return {}
}
