/**
 * The only interface for SQL: the `sql` tag keeps text and values separate, so no value is ever part of a statement's
 * text. Statements are prepared under the hash of their text.
 */
import { createHash } from 'node:crypto'
import type { ClientBase, Pool, QueryConfig, QueryResultRow } from 'pg'
import sql, { raw, type RawValue, type Sql } from 'sql-template-tag'

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

/** Returns a statement in the driver's form: prepared once on each connection. */
export function prepared({ text, values }: Sql): QueryConfig {
  return { name: nameOf(text), text, values }
}

/** Runs the statement that follows it as a template. */
type RunTemplate<Result> = (text: readonly string[], ...values: readonly RawValue[]) => Promise<Result>

/** Returns `run` as a template tag, for statements that are written where they are run. */
function templateOf<Result>(run: (statement: Sql) => Promise<Result>): RunTemplate<Result> {
  return (text, ...values) => run(sql(text, ...values))
}

/**
 * Returns all rows of a statement: rows(tx)`select …`, or rows(tx, statement) if it was composed before. int8 is read
 * as bigint, timestamptz as Date, date as "YYYY-MM-DD".
 */
export function rows<Row extends object>(connection: Connection): RunTemplate<Row[]>
export function rows<Row extends object>(connection: Connection, statement: Sql): Promise<Row[]>
export function rows<Row extends object>(connection: Connection, statement?: Sql) {
  return statement ? allRows<Row>(connection, prepared(statement)) : templateOf((one) => rows<Row>(connection, one))
}

async function allRows<Row extends object>(connection: Connection, query: QueryConfig): Promise<Row[]> {
  return (await connection.query<Row & QueryResultRow>(query)).rows
}

/** Returns rows like `rows`, but plans the statement for these values: for a search whose best plan depends on them. */
export function rowsWithFreshPlan<Row extends object>(connection: Connection, { text, values }: Sql): Promise<Row[]> {
  return allRows<Row>(connection, { text, values })
}

/** Returns the one row of a statement, or null. Throws if there are more. */
export function row<Row extends object>(connection: Connection): RunTemplate<Row | null>
export function row<Row extends object>(connection: Connection, statement: Sql): Promise<Row | null>
export function row<Row extends object>(connection: Connection, statement?: Sql) {
  return statement ? oneRow<Row>(connection, statement) : templateOf((one) => oneRow<Row>(connection, one))
}

async function oneRow<Row extends object>(connection: Connection, statement: Sql): Promise<Row | null> {
  const found = await rows<Row>(connection, statement)
  if (found.length > 1) throw new Error(`one row was expected, ${found.length} came`)
  return found[0] ?? null
}

/** Returns how many rows a statement affected. */
export function run(connection: Connection): RunTemplate<number>
export function run(connection: Connection, statement: Sql): Promise<number>
export function run(connection: Connection, statement?: Sql) {
  return statement ? rowCount(connection, statement) : templateOf((one) => rowCount(connection, one))
}

async function rowCount(connection: Connection, statement: Sql): Promise<number> {
  return (await connection.query(prepared(statement))).rowCount ?? 0
}

/**
 * Returns "limit n" with the number in the text, for numbers with few different values. PostgreSQL assumes a tenth of
 * all rows for a limit that is a parameter, and then plans the statement again for every request.
 */
export function limitTo(most: number): Sql {
  if (!Number.isSafeInteger(most) || most < 0) throw new Error(`${most} is no number of rows`)
  return raw(`limit ${most}`)
}
