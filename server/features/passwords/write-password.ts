/** A client's new password hash, its event and its letter, in the caller's transaction. */
import { record, type Act } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { replaceLinks } from '../../auth/one-time-links.ts'
import { timeOf } from '../../auth/times.ts'
import type { PasswordOwner } from './queries.ts'

/** Writes the hash; links for a new password that are still open stop working. */
export async function writePassword(
  tx: Transaction,
  owner: PasswordOwner,
  hash: string,
  verb: 'setPassword' | 'resetPassword' | 'changePassword',
  act: Act,
  from: { readonly device: string; readonly address: string },
): Promise<void> {
  const { id: clientId, email: to, language } = owner
  await run(
    tx,
    sql`update clients set password_hash = ${hash}, password_changed_at = ${act.now}, version = version + 1
        where id = ${clientId}`,
  )
  await replaceLinks(tx, 'reset', { clientId }, act.now)
  await record(tx, act, { kind: 'client', verb, record: clientId, clientId })
  const facts = { at: timeOf(act.now), device: from.device, address: from.address }
  await sendMail(
    tx,
    { kind: 'password-changed', to, language, facts, clientId, subject: 'client', record: clientId },
    act.now,
  )
}
