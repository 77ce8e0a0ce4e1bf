/**
 * The available amount of an account: the smaller of balance and free margin, minus the money reserved for requests
 * that are not decided yet, which are rows, not postings (requirements 18.5, 18.7).
 */
import type { Language } from '#rules/choices.ts'
import { atLeastZero, decimalOf, money, subtract, type Currency, type Money } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, run, type Connection, type Transaction } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { amountText } from '../i18n/format.ts'
import { withdrawableAmount, cachedSnapshot, type AccountSnapshot } from './account-snapshot.ts'

export interface FundsSummary {
  readonly figures: AccountSnapshot
  readonly reserved: Money
  /** Negative if floating losses exceed the reserved amount. */
  readonly available: Money
}

/**
 * Returns balance, reserved and available amount of an account, under its lock. Throws `figures-old` (503) before the
 * first reading.
 */
export async function fundsSummaryOf(tx: Transaction, accountId: AccountId, currency: Currency): Promise<FundsSummary> {
  // Reservations are read before the balances: a debit that settles in between can only reduce them.
  const reserved = money(await reservedOf(tx, accountId), currency)
  const figures = await cachedSnapshot(tx, accountId, currency)
  if (!figures) throw new Problem('figures-old')
  return { figures, reserved, available: subtract(withdrawableAmount(figures), reserved) }
}

/** Returns the amounts for a problem's text. */
export function fundsValues({ available, reserved }: FundsSummary, language: Language) {
  return { available: amountText(atLeastZero(available), language), reserved: amountText(reserved, language) }
}

/** Returns the amounts of a request's check, as the request stores them: decimals in the account's currency. */
export function cachedFundsSummary({ figures, reserved, available }: FundsSummary) {
  const { balance, freeMargin, readAt } = figures
  return {
    balance: decimalOf(balance.minor),
    freeMargin: freeMargin === null ? null : decimalOf(freeMargin.minor),
    reserved: decimalOf(reserved.minor),
    available: decimalOf(available.minor),
    readAt: readAt.toISOString(),
  }
}

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
