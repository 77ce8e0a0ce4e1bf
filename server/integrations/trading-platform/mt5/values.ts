/** Values as the Web API writes them: objects whose members are strings, numbers too. */
import { Rejected, Unavailable } from '../../errors.ts'

/** Returns an object of an answer. Throws `Unavailable` for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unavailable('The platform answered no record')
  }
  return value as Record<string, unknown>
}

/** Returns the objects of a list in an answer. Throws `Unavailable` for anything else. */
export function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Unavailable('The platform answered no list')
  return value.map(recordOf)
}

/** Returns a text of a record. Throws `Unavailable` if it is missing or no text. */
export function textOf(record: Record<string, unknown>, name: string): string {
  const value = record[name]
  if (typeof value !== 'string') throw new Unavailable(`The platform's record has no ${name}`)
  return value
}

/** Returns a person's text on its way to the platform: no control characters, at most `lengthMax` characters. */
export function inputText(text: string, lengthMax: number): string {
  if (/\p{Cc}/u.test(text)) throw new Rejected('bad-input', 'mt5:3', 'Control characters are not sent to the platform')
  return [...text.toWellFormed()].slice(0, lengthMax).join('')
}
