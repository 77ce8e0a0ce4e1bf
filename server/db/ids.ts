/** Ids that we generate: for operations that move no balance, and for rows. */
import { randomBytes } from 'node:crypto'
import { crockford } from '#rules/references.ts'

/**
 * Returns a uuidv7 in Crockford base 32, 26 characters: the reference of an operation that moves no balance, and the
 * comment of a new platform account. Operations that move a balance have a derived reference (ADR 100).
 */
export function operationRef(now: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < 26; i += 1) {
    text = crockford.charAt(Number(value & 31n)) + text
    value >>= 5n
  }
  return text
}

/** The format of such a reference: a record at a platform with one was created by us. */
export const operationRefPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns whether a caller's text can be one of our ids. One that cannot gets the same response as an unknown one. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Returns the text if it is an id, so that a comparison can use the column's index, or null, which matches no row. */
export function uuidOrNull(text: string): string | null {
  return isUuid(text) ? text : null
}
