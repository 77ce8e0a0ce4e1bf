/** Values in the Web API's format: objects whose members are strings, including numbers. */
import { minorOf } from '#rules/money.ts'
import { Rejected, Unavailable } from '../../errors.ts'
import { UnreadableValue } from '../unreadable-records.ts'

/** Returns an object of a response. Throws `Unavailable` for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unavailable('The platform returned no record')
  }
  return value as Record<string, unknown>
}

/** Returns the objects of a list in a response. Throws `Unavailable` for anything else. */
export function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Unavailable('The platform returned no list')
  return value.map(recordOf)
}

/** Returns a text of a record. Throws `Unavailable` if it is missing or not a text. */
export function textOf(record: Record<string, unknown>, name: string): string {
  const value = record[name]
  if (typeof value !== 'string') throw new UnreadableValue(name, 'value', value, `The platform's record has no ${name}`)
  return value
}

/** Returns a person's text for the platform: without control characters, at most `lengthMax` characters. */
export function inputText(text: string, lengthMax: number): string {
  if (/\p{Cc}/u.test(text)) throw new Rejected('bad-input', 'mt5:3', 'Control characters are not sent to the platform')
  return [...text.toWellFormed()].slice(0, lengthMax).join('')
}

/** Returns the result of reading a record, or null for an invalid format, so that other records are still used. */
export function nullIfUnreadable<Read>(read: () => Read): Read | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return null
  }
}

const amountPattern = /^(-?\d{1,15})(?:\.(\d+))?$/
const pricePattern = /^-?\d{1,15}(\.\d{1,40})?$/

/**
 * Returns an amount of two decimals, or more if they are zeros. A server that rounds differently causes a sum that does
 * not match and is investigated.
 */
export function amountOf(record: Record<string, unknown>, name: string): bigint {
  const text = textOf(record, name)
  const [, whole = '', places = ''] = amountPattern.exec(text) ?? []
  const minor = minorOf(`${whole}.${places.slice(0, 2).padEnd(2, '0')}`)
  if (minor === null) throw new UnreadableValue(name, 'amount', text, `The platform's ${name} is not an amount`)
  return minor
}

/** Returns a volume in hundred-millionths of a lot; servers without the longer field send ten-thousandths. */
export function volumeOf(record: Record<string, unknown>, name: string): bigint {
  const field = volumeField(record, name)
  return parseWholeNumber(textOf(record, field), field) * (field === name ? 10_000n : 1n)
}

/** Returns which of the two fields contains the volume. */
export function volumeField(record: Record<string, unknown>, name: string): string {
  const longer = record[`${name}Ext`]
  return typeof longer === 'string' && longer !== '0' ? `${name}Ext` : name
}

function parseWholeNumber(text: string, name: string): bigint {
  if (!/^\d+$/.test(text))
    throw new UnreadableValue(name, 'number', text, `The platform's ${name} is not a whole number`)
  return BigInt(text)
}

/** Returns a whole number of a record. Throws `Unavailable` for anything else. */
export function wholeNumber(record: Record<string, unknown>, name: string): number {
  const text = textOf(record, name)
  const number = Number(parseWholeNumber(text, name))
  if (!Number.isSafeInteger(number))
    throw new UnreadableValue(name, 'value', text, `The platform's ${name} is too large`)
  return number
}

/** Returns the price with its decimals, or null if there is none. */
export function priceText(record: Record<string, unknown>, name: string): string | null {
  const text = textOf(record, name)
  if (!pricePattern.test(text)) throw new UnreadableValue(name, 'number', text, `The platform's ${name} is not a price`)
  return Number(text) === 0 ? null : text
}

/**
 * Returns the number of a record or an account. Throws `UnreadableValue` for anything else: the database stores
 * numbers.
 */
export function numberText(record: Record<string, unknown>, name: string): string {
  const text = textOf(record, name)
  if (!isNumber(text)) throw new UnreadableValue(name, 'number', text, `The platform's ${name} is not a number`)
  return text
}

/** Returns whether a text has the form of the number of a record or an account. */
export function isNumber(text: unknown): boolean {
  return typeof text === 'string' && /^\d{1,18}$/.test(text)
}

/** Returns a time in ms, until the year 2286. */
export function timeOf(record: Record<string, unknown>, name: string): number {
  const text = textOf(record, name)
  if (!/^\d{1,10}$/.test(text)) throw new UnreadableValue(name, 'time', text, `The platform's ${name} is not a time`)
  return Number(text) * 1000
}
