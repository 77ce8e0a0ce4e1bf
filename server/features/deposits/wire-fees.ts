/** The fees of bank transfers: those that the client was shown, not those of the day of the match (requirements 24.169). */
import { dayOf, instantIn } from '#rules/dates.ts'
import { money, type Money } from '#rules/money.ts'
import type { Connection } from '../../db/sql.ts'
import { settingDefault } from '../../settings/defaults.ts'
import { feeOf } from '../../settings/payment-methods.ts'
import { readSettingAt, readSettingHistory } from '../../settings/settings.ts'
import type { BankLine, Deposit } from './queries.ts'

/**
 * Returns the fee of a payment for a deposit: the one shown at its request or, for another amount than requested, that
 * of the same terms. If they no longer name the method, the fee shown.
 */
export async function feeOfPayment(
  connection: Connection,
  { amountMinor, feeMinor, currency, method: name, requestedAt }: Deposit,
  received: Money,
): Promise<Money> {
  const shown = money(feeMinor, currency)
  if (received.minor === amountMinor) return shown
  const { deposit: methods } = await readSettingAt(connection, 'methods', requestedAt)
  const method = methods.find((one) => one.type === 'wire' && one.method.en === name)
  return method ? feeOf(method, received) : shown
}

/** Returns the fee of a payment without a request: that of the day on which the bank booked it. */
export async function feeOfBookingDay(
  connection: Connection,
  { bookedOn, amountMinor, currency }: Pick<BankLine, 'bookedOn' | 'amountMinor' | 'currency'>,
  timeZone: string,
): Promise<Money> {
  const day = dayOf(bookedOn)
  if (!day) throw new Error(`the booking date ${bookedOn} is not valid`)
  const { deposit: methods } = await readSettingAt(connection, 'methods', instantIn(day, 0, timeZone))
  const method = methods.find(({ type }) => type === 'wire')
  return method ? feeOf(method, money(amountMinor, currency)) : money(0n, currency)
}

/** Returns the function for every fee, in minor units, that a payment of an amount may have had by all terms so far. */
export async function feesByTerms(connection: Connection, now: Date): Promise<(amount: Money) => bigint[]> {
  const stored = await readSettingHistory(connection, 'methods')
  const terms = [...stored.map(({ value }) => value), settingDefault('methods', now)]
  const methods = terms.flatMap(({ deposit }) => deposit.filter(({ type }) => type === 'wire'))
  return (amount) => [0n, ...methods.map((method) => feeOf(method, amount).minor)]
}
