/** A debit that was never sent can be cancelled; one that may have been sent is queried instead. */
import { row, rows, run, sql, type Connection, type Transaction } from '../db/sql.ts'

/**
 * The debit of a request that no server has sent, and no server of a restored copy may have sent: no money has left
 * yet.
 */
const unsent = sql`state = 'waiting' and sent_at is null and not ask_first
  and payload ->> 'leg' in ('withdrawal-debit', 'transfer-withdraw')`

/** The code of an operation that staff ended before its first send. */
export const takenBack = 'office:rejected'

/** Ends a request's balance operation before its first send; returns false if it may have been sent. */
export async function cancelUnsent(tx: Transaction, recordId: string, now: Date): Promise<boolean> {
  const outcome = { refused: { reason: 'rejected', code: takenBack, message: '' } }
  const ended = await run(tx)`
    update operations set state = 'refused', settled_at = ${now}, next_try_at = null, last_error = null,
        result = ${JSON.stringify(outcome)}::text::jsonb
      where kind = 'balance' and record = ${recordId} and ${unsent}`
  return ended === 1
}

/** Returns whether a request can still be rejected: nothing was sent to the platform yet. */
export async function isNotSentYet(
  connection: Connection,
  request: { readonly id: string; readonly state: string },
): Promise<boolean> {
  if (request.state !== 'processing') return true
  const found = await row(connection)`
    select 1 from operations where kind = 'balance' and record = ${request.id} and ${unsent}`
  return found !== null
}

/**
 * Ends operations of a leg that no server is sending, if a deal with another reference (`proof`) shows that the platform
 * did not execute them: only recovery knows of it (requirements 20.10, 24.143). Returns which they were.
 */
export function endDisprovedLeg(
  tx: Transaction,
  recordId: string,
  { leg, proof }: { readonly leg: string; readonly proof: string },
  now: Date,
): Promise<{ id: string }[]> {
  const outcome = { refused: { reason: 'destination', code: 'recovery:refused', message: '' } }
  return rows<{ id: string }>(tx)`
    update operations set state = 'refused', settled_at = ${now}, next_try_at = null, lease = null, lease_until = null,
        parked_at = null, last_error = null, result = ${JSON.stringify(outcome)}::text::jsonb
      where kind = 'balance' and record = ${recordId} and ref <> ${proof} and payload ->> 'leg' = ${leg}
        and (state in ('waiting', 'unknown') or (state = 'sending' and (lease_until is null or lease_until <= ${now})))
      returning id`
}
