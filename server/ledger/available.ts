/**
 * The available amount of an account: the smaller of balance and free margin, minus reservations (requirements 18.5).
 */
import type { Language } from '#rules/choices.ts'
import { atLeastZero, decimalOf, money, subtract, type Currency, type Money } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import type { Transaction } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { amountText } from '../i18n/format.ts'
import { free, cachedSnapshot, type AccountSnapshot } from './account-snapshot.ts'
import { reservedOf } from './reservations.ts'

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
  if (!figures) throw new Problem('figures-old', { retryAfterSeconds: 30 })
  return { figures, reserved, available: subtract(free(figures), reserved) }
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
