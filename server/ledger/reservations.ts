/** Money reserved for a request that is not decided yet, as rows, not postings (requirements 18.7). */
import type { Money } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, run, type Connection, type Transaction } from '../db/sql.ts'

type ReservationSubject = 'withdrawal' | 'transfer'

/**
 * Reserves an amount for a request, in the transaction that writes it. A second reservation for the same request fails
 * on its key.
 */
export async function reserve(
  tx: Transaction,
  reservation: { accountId: AccountId; subject: ReservationSubject; record: string; amount: Money; now: Date },
): Promise<void> {
  await run(tx)`insert into reservations (account_id, subject, record, amount_minor, created_at)
      values (${reservation.accountId}, ${reservation.subject}, ${reservation.record}, ${reservation.amount.minor},
        ${reservation.now})`
}

/** Releases a reservation. Throws if it was released before: exactly once is the rule (requirements 28.13). */
export async function release(
  tx: Transaction,
  subject: ReservationSubject,
  recordId: string,
  now: Date,
): Promise<void> {
  const released = await run(tx)`update reservations set released_at = ${now}
      where subject = ${subject} and record = ${recordId} and released_at is null`
  if (released !== 1) throw new Error(`the reservation of ${subject} ${recordId} is not open`)
}

/** Reopens a released reservation: its debit turned out to have been made (requirements 20.13). */
export async function reserveAgain(tx: Transaction, subject: ReservationSubject, recordId: string): Promise<void> {
  await run(tx)`
    update reservations set released_at = null where subject = ${subject} and record = ${recordId} and released_at is not null`
}

/** Returns the sum of open reservations of an account, in minor units. */
export async function reservedOf(connection: Connection, accountId: AccountId): Promise<bigint> {
  const found = await row<{ reserved: bigint }>(connection)`
    select coalesce(sum(amount_minor), 0)::bigint as reserved from reservations
      where account_id = ${accountId} and released_at is null`
  return found?.reserved ?? 0n
}

/** Returns the open reservation of a request, in minor units; 0 without one. */
export async function reservedFor(
  connection: Connection,
  subject: ReservationSubject,
  recordId: string,
): Promise<bigint> {
  const found = await row<{ reserved: bigint }>(connection)`
    select amount_minor as reserved from reservations
      where subject = ${subject} and record = ${recordId} and released_at is null`
  return found?.reserved ?? 0n
}
