/**
 * Sends one mail and one notice per decision, in the transaction of the decision. A notice is stored as kind and facts
 * and rendered in the reader's language when it is read (requirements 14.6).
 */
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import { run, type Transaction } from '../db/sql.ts'
import type { MailKind } from '../mail/template-registry.ts'
import { sendMail } from '../mail/send-mail.ts'
import type { BellOnlyKind } from './kinds.ts'

interface ClientNotification {
  readonly kind: MailKind
  readonly client: { readonly id: ClientId; readonly email: string; readonly language: Language }
  /** Amounts as minor units in text with their currency: mail and notice format them in their reader's language. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
  /** The path in the portal that the notice opens. */
  readonly link: string
  readonly subject: string
  readonly record: string
}

/** Writes the mail and the notice of a decision. The mail's button opens the same record as the notice. */
export async function notifyClient(tx: Transaction, now: Date, notification: ClientNotification): Promise<void> {
  const { kind, client, facts, link, subject, record } = notification
  await notify(tx, { clientId: client.id, kind, facts, link }, now)
  await sendMail(tx, now, {
    kind,
    to: client.email,
    language: client.language,
    facts: { ...facts, record },
    clientId: client.id,
    subject,
    record,
  })
}

interface Notification {
  readonly clientId: ClientId
  /** A kind of mail, whose subject is the notice's text, or a kind of notice without a mail. */
  readonly kind: MailKind | BellOnlyKind
  /** Plain values; amounts as minor units in text. */
  readonly facts: Readonly<Record<string, unknown>>
  /** The path in the portal that it opens, or null. */
  readonly link: string | null
}

/** Writes a notice in the caller's transaction. */
export async function notify(tx: Transaction, notice: Notification, now: Date): Promise<void> {
  await run(tx)`insert into notices (client_id, kind, facts, link, at)
      values (${notice.clientId}, ${notice.kind}, ${JSON.stringify(notice.facts)}::text::jsonb, ${notice.link}, ${now})`
}
