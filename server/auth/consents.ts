/** Records a client's consents: text, version, time and address. */
import type { LegalTextKey } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import { run, type Transaction } from '../db/sql.ts'

interface Consent {
  readonly clientId: ClientId
  readonly textKey: LegalTextKey
  readonly version: number
  readonly address: string | null
}

/** Writes a consent in the caller's transaction. */
export async function writeConsent(tx: Transaction, consent: Consent, now: Date): Promise<void> {
  await run(tx)`insert into consents (client_id, text_key, version, at, address)
      values (${consent.clientId}, ${consent.textKey}, ${consent.version}, ${now}, ${consent.address})`
}
