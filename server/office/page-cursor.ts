/** A position in a list as a cursor: the sort value and the id of the last row that was shown. */
import { dayOf } from '#rules/dates.ts'
import { isUuid } from '../db/ids.ts'
import { Problem } from '../http/problem.ts'

/** Returns a cursor with a position, and with what it depends on. */
export function writeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Returns the parts of a cursor; none of a text that is not ours. */
export function readCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return []
  }
}

interface Place {
  readonly at: Date
  readonly id: string
}

/** Returns the cursor after a row of a list in the order of its instants. */
export function cursorAfter({ at, id }: Place): string {
  return writeCursor([at, id])
}

/** Returns the position of such a cursor, null for none. Throws `cursor-invalid` for a text that is not ours. */
export function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const [written, id] = readCursor(cursor)
  const at = new Date(typeof written === 'string' && isMoment(written) ? written : Number.NaN)
  if (Number.isNaN(at.getTime()) || typeof id !== 'string' || !isUuid(id))
    throw new Problem('cursor-invalid', { field: 'cursor' })
  return { at, id }
}

const timePattern = /^[T ](?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/

/** Returns whether a text is an instant that the database accepts: of an existing day, in one of our formats. */
export function isMoment(text: string): boolean {
  return dayOf(text.slice(0, 10)) !== null && timePattern.test(text.slice(10))
}

/** Removes the one extra row that was read, and returns the cursor of the next page. */
export function paged<Row>(
  found: readonly Row[],
  size: number,
  after: (row: Row) => string,
): { rows: Row[]; next: string | null } {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return { rows, next: found.length > size && last !== undefined ? after(last) : null }
}
