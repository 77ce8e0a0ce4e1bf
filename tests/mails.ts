/** Queued emails: their facts, by address, and the one-time ids that their links will contain. */
import { rows, sql } from '#server/db/sql.ts'
import type { MailPayload } from '#server/mail/mail-operation.ts'
import { oneTimeIdOf } from '#server/auth/one-time-links.ts'
import type { TestServer } from './factories.ts'

/** Returns the emails to an address, oldest first. */
export async function mailsTo(server: TestServer, email: string): Promise<MailPayload[]> {
  const found = await rows<{ payload: MailPayload }>(
    server.dependencies.pool,
    sql`select payload from operations where kind = 'mail' and payload ->> 'to' = ${email} order by id`,
  )
  return found.map(({ payload }) => payload)
}

/** Returns the one-time id in the newest email of a kind to an address. */
export async function oneTimeIdIn(server: TestServer, email: string, kind: MailPayload['kind']): Promise<string> {
  const mail = (await mailsTo(server, email)).findLast((one) => one.kind === kind)
  const link = mail?.facts['link']
  if (typeof link !== 'string') throw new Error(`no mail ${kind} to ${email} carries a link`)
  return oneTimeIdOf(server.dependencies.keys, link)
}
