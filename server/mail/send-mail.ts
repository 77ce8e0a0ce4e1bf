/**
 * A mail is an operation: written here with the change that causes it, sent by the job in mail-operation.ts, with the
 * same Message-ID at every attempt.
 */
import { randomUUID } from 'node:crypto'
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Transaction } from '../db/sql.ts'
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
