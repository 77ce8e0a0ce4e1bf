import type { setLanguage } from '#contract/users-session.ts'
import { run } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'

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
