/** Writes a client's new password hash, its event and its email in the caller's transaction. */
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { endUnusedLinks } from '../../auth/one-time-links.ts'
import type { PasswordOwner } from './queries.ts'

/** Writes the hash and invalidates open links for a new password. */
export async function writePassword(
  tx: Transaction,
  owner: PasswordOwner,
  hash: string,
  action: 'setPassword' | 'resetPassword' | 'changePassword',
  auditContext: AuditContext,
  from: { readonly device: string; readonly address: string },
): Promise<void> {
  const { id: clientId, email: to, language } = owner
  await run(tx)`
    update clients set password_hash = ${hash}, password_changed_at = ${auditContext.now}, version = version + 1
      where id = ${clientId}`
  await endUnusedLinks(tx, 'reset', { clientId }, auditContext.now)
  await recordEvent(tx, auditContext, { kind: 'client', action, record: clientId, clientId })
  const facts = { at: unixSeconds(auditContext.now), device: from.device, address: from.address }
  await sendMail(tx, auditContext.now, {
    kind: 'password-changed',
    to,
    language,
    facts,
    clientId,
    subject: 'client',
    record: clientId,
  })
}
