/** Sends one mail and one notice per decision, in the transaction of the decision. */
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Transaction } from '../db/sql.ts'
import { notify } from './notify.ts'
import type { MailKind } from '../mail/template-registry.ts'
import { sendMail } from '../mail/send-mail.ts'

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
export async function notifyClient(tx: Transaction, notification: ClientNotification, now: Date): Promise<void> {
  const { kind, client, facts, link, subject, record } = notification
  await notify(tx, { clientId: client.id, kind, facts, link }, now)
  await sendMail(
    tx,
    {
      kind,
      to: client.email,
      language: client.language,
      facts: { ...facts, record },
      clientId: client.id,
      subject,
      record,
    },
    now,
  )
}
