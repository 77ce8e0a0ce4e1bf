/** What the adapters share to read records of which a field cannot be read (ADR 328). */
import type { Unreadable } from './trade-history.ts'

export type OddField = Pick<Unreadable, 'field' | 'reason'>

/** The action of a deal whose own cannot be read; no platform has it. */
export const noAction = 9_999
/** The length to which a value is kept that may be anything. */
const lengthMax = 100

/** Returns a text of the platform without control characters and halves of characters: the database stores neither. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, '')
}

/** Returns a record as it was sent. Comments may say anything about anybody; callers leave them out (ADR 210). */
export function rawOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [name, withoutControls(text).slice(0, lengthMax).toWellFormed()]
    }),
  )
}
