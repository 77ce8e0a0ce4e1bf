/** Client notifications: kind and facts, rendered in the reader's language when they are read (requirements 14.6). */
import type { ClientId } from '#rules/ids.ts'
import { run, type Transaction } from '../db/sql.ts'
import type { MailKind } from '../mail/template-registry.ts'
import type { BellOnlyKind } from './kinds.ts'

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
