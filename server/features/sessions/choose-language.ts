import type { setLanguage } from '#contract/users-session.ts'
import { run } from '../../db/sql.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { Dependencies } from '../../dependencies.ts'

/** The language of mails for a client, or for somebody who registers. */
export async function chooseLanguage(
  dependencies: Dependencies,
  { caller, body }: RequestContext<typeof setLanguage>,
): Promise<Record<string, never>> {
  const { language } = body
  if (caller.kind === 'client') {
    await run(dependencies.pool)`update clients set language = ${language} where id = ${caller.clientId}`
  } else if (caller.kind === 'registering') {
    await run(dependencies.pool)`update registrations set language = ${language} where id = ${caller.registrationId}`
  }
  return {}
}
