/** The order of a listing, and the position after a row in it as a cursor. */
import { dayOf } from '#rules/dates.ts'
import { empty, raw, sql, type Sql } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { isMoment, readCursor, writeCursor } from './page-cursor.ts'

type ColumnType = 'timestamptz' | 'bigint' | 'text' | 'date' | 'uuid'

/** A column that is never null, as source code, and the type as which its text in a cursor is read. */
export interface Column {
  readonly by: string
  readonly type: ColumnType
}

/** What a cursor depends on. */
interface Ordered {
  /** Part of every cursor, so that a cursor is valid only for its own list. */
  readonly name: string
  readonly id: Column
}

export interface Order {
  readonly sort: string
  readonly direction: 'asc' | 'desc'
  readonly column: Column
}

/** Returns the ORDER BY clause: the column, then the id. */
export function orderBy(list: Ordered, { column, direction }: Order): Sql {
  return sql`order by ${raw(`${column.by} ${direction}, ${list.id.by} ${direction}`)}`
}

/** Returns the column in a cursor's form, to the microsecond. */
export function textOf({ by, type }: Column): Sql {
  return raw(
    type === 'timestamptz' ? `to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : `(${by})::text`,
  )
}

/** Returns the cursor after a row. */
export function cursorOf(list: Ordered, order: Order, value: string, id: string): string {
  return writeCursor([list.name, order.sort, order.direction, value, id])
}

/**
 * Returns the condition for rows after a cursor. Throws `cursor-invalid` for one of another list or order, or not ours.
 */
export function afterCursor(list: Ordered, order: Order, cursor: string | undefined): Sql {
  if (cursor === undefined) return empty
  const [name, sort, direction, value, id] = readCursor(cursor)
  const known = name === list.name && sort === order.sort && direction === order.direction
  if (!known || !isOf(order.column.type, value) || !isOf(list.id.type, id))
    throw new Problem('cursor-invalid', { field: 'cursor' })
  const than = raw(order.direction === 'asc' ? '>' : '<')
  const [column, key] = [raw(order.column.by), raw(list.id.by)]
  return sql`and (${column}, ${key}) ${than} (${value}::${raw(order.column.type)}, ${id}::${raw(list.id.type)})`
}

/** The text of the moment that lists use for a missing one, before all others. */
const beforeAllMoments = '0001-01-01T00:00:00.000000Z'

const forms: Readonly<Record<ColumnType, RegExp>> = {
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  bigint: /^-?\d{1,18}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  text: /^[^\0]*$/,
}

function isOf(type: ColumnType, value: unknown): value is string {
  if (typeof value !== 'string' || !forms[type].test(value) || !value.isWellFormed()) return false
  if (type === 'date') return dayOf(value) !== null
  return type !== 'timestamptz' || value === beforeAllMoments || isMoment(value)
}
