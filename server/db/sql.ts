/**
 * One way to speak SQL: the `sql` tag keeps text and values apart, so no value is ever part of a statement's text.
 * Statements are prepared under the hash of their text.
 */
import { createHash } from 'node:crypto'
import type { ClientBase, Pool, QueryConfig, QueryResultRow } from 'pg'
import { raw, type Sql } from 'sql-template-tag'

export { default as sql, empty, join, raw } from 'sql-template-tag'
export type { Sql } from 'sql-template-tag'

/** Where a query runs: the pool, or one connection inside a transaction. */
export type Connection = Pool | ClientBase

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32)
    names.set(text, name)
  }
  return name
}

/** Returns a statement as the driver takes it: prepared once on each connection. */
export function prepared({ text, values }: Sql): QueryConfig {
  return { name: nameOf(text), text, values }
}

/** All rows of a statement. int8 comes as bigint, timestamptz as Date, date as "YYYY-MM-DD". */
export async function rows<Row extends object>(connection: Connection, statement: Sql): Promise<Row[]> {
  const result = await connection.query<Row & QueryResultRow>(prepared(statement))
  return result.rows
}

/**
 * The same, planned for these very values: for a search whose best way depends on what is looked for, such as a state that
 * hardly any row is in.
 */
export async function rowsWithFreshPlan<Row extends object>(connection: Connection, statement: Sql): Promise<Row[]> {
  const result = await connection.query<Row & QueryResultRow>({ text: statement.text, values: statement.values })
  return result.rows
}

/** The one row of a statement, or null. More than one is a bug. */
export async function row<Row extends object>(connection: Connection, statement: Sql): Promise<Row | null> {
  const found = await rows<Row>(connection, statement)
  if (found.length > 1) throw new Error(`one row was expected, ${found.length} came`)
  return found[0] ?? null
}

/** Returns how many rows a statement touched. */
export async function run(connection: Connection, statement: Sql): Promise<number> {
  const result = await connection.query(prepared(statement))
  return result.rowCount ?? 0
}

/**
 * "limit n", its number in the text: of a number that comes as a parameter PostgreSQL supposes a tenth of all rows, finds
 * the kept plan dear and plans the statement again for every request. Only for numbers of which there are few.
 */
export function limitTo(most: number): Sql {
  if (!Number.isSafeInteger(most) || most < 0) throw new Error(`${most} is no number of rows`)
  return raw(`limit ${most}`)
}
