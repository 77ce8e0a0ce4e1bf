/** A debit that was never sent can be taken back; one that may have been sent is asked about instead. */
import { row, rows, run, sql, type Connection } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

/** The debit of a request that no server has sent, nor a server of a restored copy may have: nothing has left yet. */
const unsent = sql`state = 'waiting' and sent_at is null and not ask_first
  and payload ->> 'leg' in ('withdrawal-debit', 'transfer-withdraw')`

/** Ends a request's balance operation before its first send; false where it may have been sent. */
export async function takeBackUnsent(tx: Transaction, recordId: string, now: Date): Promise<boolean> {
  const outcome = { refused: { reason: 'rejected', code: 'office:rejected', message: '' } }
  const ended = await run(tx)`
    update operations set state = 'refused', settled_at = ${now}, next_try_at = null, last_error = null,
        result = ${JSON.stringify(outcome)}::text::jsonb
      where kind = 'balance' and record = ${recordId} and ${unsent}`
  return ended === 1
}

/** Returns whether a request can still be rejected: nothing was asked of the platform yet. */
export async function mayBeTakenBack(
  connection: Connection,
  request: { readonly id: string; readonly state: string },
): Promise<boolean> {
  if (request.state !== 'processing') return true
  const found = await row(connection)`
    select 1 from operations where kind = 'balance' and record = ${request.id} and ${unsent}`
  return found !== null
}

/**
 * Ends legs of a request that stand as not sent, where a deal of a later one (`proof`) shows that the platform refused
 * them: recovery alone knows of it (requirements 20.10). Answers which they were.
 */
export function assertNotDisproved(
  tx: Transaction,
  recordId: string,
  { legs, proof }: { readonly legs: readonly string[]; readonly proof: string },
  now: Date,
): Promise<{ id: string }[]> {
  const outcome = { refused: { reason: 'destination', code: 'recovery:refused', message: '' } }
  return rows<{ id: string }>(tx)`
    update operations set state = 'refused', settled_at = ${now}, next_try_at = null, lease = null, lease_until = null,
        parked_at = null, last_error = null, result = ${JSON.stringify(outcome)}::text::jsonb
      where kind = 'balance' and record = ${recordId} and ref <> ${proof} and payload ->> 'leg' = any (${[...legs]}::text[])
        and state in ('waiting', 'unknown') returning id`
}
