/** A position in a list: the sort value and the id of the last row that was shown. */
import { dayOf } from '#rules/dates.ts'
import { Problem } from '../http/problem.ts'

/** Returns the cursor after a row. `value` is the list's sort value, as text. */
export function cursorAfter(value: string, id: string): string {
  return `${Buffer.from(value).toString('base64url')}~${id}`
}

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns the value and id of a cursor, null for none. Throws `cursor-invalid` for a text that is not ours. */
export function placeOf(cursor: string | undefined): { value: string; id: string } | null {
  if (cursor === undefined) return null
  const [value, id] = cursor.split('~')
  if (value === undefined || id === undefined || !idPattern.test(id))
    throw new Problem('cursor-invalid', { field: 'cursor' })
  return { value: Buffer.from(value, 'base64url').toString(), id }
}

/** Returns the instant in a cursor, exactly as written there. */
export function momentOf(value: string): Date {
  const at = new Date(isMoment(value) ? value : Number.NaN)
  if (Number.isNaN(at.getTime())) throw new Problem('cursor-invalid', { field: 'cursor' })
  return at
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
