/** Money: whole minor units with a currency. All computation with amounts is here. */
import { moneyDecimals } from './constants.ts'

export const currencies = ['EUR', 'GBP', 'USD'] as const
export type Currency = (typeof currencies)[number]

const minorPerUnit = 10n ** BigInt(moneyDecimals)

/** The largest amount of one platform operation: 1e9 units (MT5 error 4005). */
export const largestMinor = 1_000_000_000n * minorPerUnit

export interface Money {
  readonly minor: bigint
  readonly currency: Currency
}

export function money(minor: bigint, currency: Currency): Money {
  return { minor, currency }
}

export function zero(currency: Currency): Money {
  return { minor: 0n, currency }
}

const decimalPattern = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/

/**
 * Returns the minor units of a decimal such as "10", "10.1" or "-3.05", or null for any other text. Nothing is
 * rounded. Leading zeros change no amount (requirements 17.8): "010" is 10 and never octal, and is shown as 10.00
 * before it is confirmed.
 */
export function minorOf(text: string): bigint | null {
  const match = decimalPattern.exec(text)
  if (!match) return null
  const [, sign, units = '0', fraction = ''] = match
  const minor = BigInt(units) * minorPerUnit + BigInt(fraction.padEnd(moneyDecimals, '0'))
  return sign === '-' ? -minor : minor
}

/** Returns minor units as "1234.50": always two decimals, a hyphen-minus for negative amounts. */
export function decimalOf(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(moneyDecimals + 1, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -moneyDecimals)}.${digits.slice(-moneyDecimals)}`
}

function assertSameCurrency(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new Error(`amounts in ${a.currency} and ${b.currency} cannot be added`)
}

export function add(a: Money, b: Money): Money {
  assertSameCurrency(a, b)
  return { minor: a.minor + b.minor, currency: a.currency }
}

export function subtract(a: Money, b: Money): Money {
  assertSameCurrency(a, b)
  return { minor: a.minor - b.minor, currency: a.currency }
}

export function negate(a: Money): Money {
  return { minor: -a.minor, currency: a.currency }
}

export function isLessThan(a: Money, b: Money): boolean {
  assertSameCurrency(a, b)
  return a.minor < b.minor
}

export function minMoney(a: Money, b: Money): Money {
  return isLessThan(b, a) ? b : a
}

/** Returns the amount, or zero if it is negative: floating losses can make an available amount negative. */
export function atLeastZero(amount: Money): Money {
  return amount.minor < 0n ? zero(amount.currency) : amount
}

/** A fee as stored in settings: a percentage with at most 8 decimals, a flat amount, or both; "0" for none. */
interface Fee {
  readonly percent: string
  readonly flatMinor: bigint
}

/**
 * Returns the fee on an amount, rounded half up to the minor unit (requirements 8.19). Which fee a deposit pays:
 * `feeOf` in server/settings/payment-methods.ts.
 */
export function feeOn(amount: Money, fee: Fee): Money {
  const percentage = divideHalfUp(amount.minor * scaledDecimal(fee.percent, 8), 100n * 100_000_000n)
  return { minor: percentage + fee.flatMinor, currency: amount.currency }
}

/** Returns the amount minus its fee, never negative (requirements 8.19). */
export function subtractFee(amount: Money, fee: Money): Money {
  return atLeastZero(subtract(amount, fee))
}

/** Returns `amount` in another currency at `rate` (a decimal with at most 8 places), rounded down. */
export function convert(amount: Money, rate: string, to: Currency): Money {
  return { minor: (amount.minor * scaledDecimal(rate, 8)) / 100_000_000n, currency: to }
}

/** Returns 1 / `rate`, truncated to 8 places, or null if that is zero. */
export function inverseRate(rate: string): string | null {
  const scaled = scaledDecimal(rate, 8)
  const inverse = scaled === 0n ? 0n : 10n ** 16n / scaled
  if (inverse === 0n || inverse >= 10n ** 17n) return null
  return `${inverse / 100_000_000n}.${(inverse % 100_000_000n).toString().padStart(8, '0')}`
}

function scaledDecimal(text: string, places: number): bigint {
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text)
  if (!match || (match[2]?.length ?? 0) > places)
    throw new Error(`${text} is not a decimal with at most ${places} places`)
  return BigInt(match[1] + (match[2] ?? '').padEnd(places, '0'))
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator * 2n + denominator) / (denominator * 2n)
}
