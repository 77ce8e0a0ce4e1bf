/** Parses amounts in the platforms' formats. */
import { minorOf, type Currency, type Money } from '#rules/money.ts'

const decimalPattern = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/

/** Returns the exact amount of `text`, or null: an amount of a balance operation is never rounded. */
export function exactAmount(text: unknown, currency: Currency): Money | null {
  if (typeof text !== 'string') return null
  const match = decimalPattern.exec(text)
  if (match === null || /[1-9]/.test((match[3] ?? '').slice(2))) return null
  const minor = minorOf(`${match[1]}${match[2]}.${(match[3] ?? '').slice(0, 2).padEnd(2, '0')}`)
  return minor === null ? null : { minor, currency }
}

/**
 * Returns the amount of `text` rounded down to the minor unit, for balances, so that no more is shown than there is.
 */
export function roundedDownAmount(text: unknown, currency: Currency): Money | null {
  if (typeof text !== 'string') return null
  const match = decimalPattern.exec(text)
  if (match === null) return null
  const cut = minorOf(`${match[1]}${match[2]}.${(match[3] ?? '').slice(0, 2).padEnd(2, '0')}`)
  if (cut === null) return null
  const more = match[1] === '-' && /[1-9]/.test((match[3] ?? '').slice(2))
  return { minor: more ? cut - 1n : cut, currency }
}

/** Returns the currency of this code, or null for one that accounts cannot have. */
export function parseCurrency(text: unknown): Currency | null {
  return text === 'EUR' || text === 'GBP' || text === 'USD' ? text : null
}
