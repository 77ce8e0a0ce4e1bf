/** A place in a list: the sort value and the id of the last row that was shown. */
import { Problem } from '../http/problem.ts'

/** The cursor after a row. `value` is what the list is sorted by, as text. */
export function cursorAfter(value: string, id: string): string {
  return `${Buffer.from(value).toString('base64url')}~${id}`
}

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The value and id of a cursor, null for none. Throws `cursor-invalid` for what is none of ours. */
export function placeOf(cursor: string | undefined): { value: string; id: string } | null {
  if (cursor === undefined) return null
  const [value, id] = cursor.split('~')
  if (value === undefined || id === undefined || !idPattern.test(id))
    throw new Problem('cursor-invalid', { field: 'cursor' })
  return { value: Buffer.from(value, 'base64url').toString(), id }
}

/** A moment that a cursor carries. */
export function momentOf(value: string): Date {
  const at = new Date(value)
  if (Number.isNaN(at.getTime())) throw new Problem('cursor-invalid', { field: 'cursor' })
  return at
}

/** Cuts the one row too many that was read, and answers the cursor that leads on. */
export function paged<Row>(
  found: readonly Row[],
  size: number,
  after: (row: Row) => string,
): { rows: Row[]; next: string | null } {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return { rows, next: found.length > size && last !== undefined ? after(last) : null }
}
