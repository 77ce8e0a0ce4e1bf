/**
 * A mail is an operation: written here with the change that causes it, sent by the job in mail-operation.ts, with the
 * same Message-ID at every attempt. A client's mail has a notice under the bell, stored as kind and facts and rendered
 * in the reader's language when it is read (requirements 14.6).
 */
import { randomUUID } from 'node:crypto'
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import { run, type Transaction } from '../db/sql.ts'
import { enqueue } from '../jobs/operations.ts'
import type { MailKind } from './template-registry.ts'

interface MailMessage {
  readonly kind: MailKind
  readonly to: string
  readonly language: Language
  /** The values for the kind's text. No secret: a one-time link is named by its row's id and computed when sent. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly clientId?: ClientId
  readonly subject?: string
  readonly record?: string
  /** A unique name for a mail that must be sent only once: a second mail of the same name is rejected. */
  readonly ref?: string
}

/** Writes a mail in the caller's transaction; it is sent after the commit. */
export async function sendMail(tx: Transaction, now: Date, message: MailMessage): Promise<void> {
  const { kind, to, language, facts, clientId, subject, record, ref = randomUUID() } = message
  await enqueue(tx, now, {
    kind: 'mail',
    ref: `mail-${ref}`,
    target: 'mail',
    payload: { kind, to, language, facts },
    clientId,
    subject,
    record,
  })
}

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

/** Writes one mail and one notice. The mail's button opens the same record as the notice. */
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
  /** A kind of mail, whose subject is the notice's text. */
  readonly kind: MailKind
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

/** Returns a time as seconds since 1970, for the facts of mails and notifications. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
