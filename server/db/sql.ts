/**
 * The only interface for SQL: the `sql` tag keeps text and values separate, so no value is ever part of a statement's
 * text. Statements are prepared under the hash of their text. `transaction` starts and ends transactions: a change of
 * state, its event, postings and jobs share one.
 */
import { createHash } from 'node:crypto'
import type { ClientBase, Pool, QueryConfig, QueryResultRow } from 'pg'
import sql, { raw, type RawValue, type Sql } from 'sql-template-tag'
import { isConnectionError } from './connection-errors.ts'
import { recordTransactionEnd } from './recent-events.ts'

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
  if (found.length > 1) throw new Error(`expected one row, got ${found.length}`)
  return found[0] ?? null
}

/** Returns the one row of a statement that cannot be without one, such as an insert. Throws if there is none. */
export function requireRow<Row extends object>(connection: Connection): RunTemplate<Row> {
  return templateOf(async (statement) => {
    const found = await oneRow<Row>(connection, statement)
    if (!found) throw new Error('expected one row, got none')
    return found
  })
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
  if (!Number.isSafeInteger(most) || most < 0) throw new Error(`${most} is not a valid number of rows`)
  return raw(`limit ${most}`)
}

/**
 * Returns a constant of the code, such as a state, as part of the text: a statement without values has one plan, which
 * is kept. Throws for anything but letters, digits, spaces and `:*-`, so that no value of a request becomes SQL.
 */
export function literal(constant: string): Sql {
  return raw(quoted(constant))
}

/** Returns constants of the code as an array in the same way. PostgreSQL looks them up in a hash table. */
export function literals(constants: readonly string[]): Sql {
  return raw(`array[${constants.map(quoted).join()}]::text[]`)
}

function quoted(constant: string): string {
  if (!/^[\w :*-]+$/.test(constant)) throw new Error(`"${constant}" cannot be part of a statement's text`)
  return `'${constant}'`
}

/** A connection inside a transaction. Only `transaction` creates it, so no handler can write without one. */
export type Transaction = ClientBase & { readonly [inTransaction]: true }
declare const inTransaction: unique symbol

/**
 * The connection was lost between COMMIT and its reply: it is unknown whether the work was committed (requirements
 * 33.6). It can only be found out by a repeat under the same key, or from the record.
 */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost while a transaction was being committed', { cause })
    this.name = 'OutcomeUnknown'
  }
}

const serialisationFailure = '40001'
const deadlock = '40P01'
const attemptsMax = 3

/**
 * Runs `work` in one transaction: all of it or nothing. A deadlock or serialisation failure is retried, at most three
 * attempts in all; `work` must therefore change nothing but the database. Throws `OutcomeUnknown` if the database does
 * not report whether it committed.
 */
export async function transaction<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, work)
    } catch (error) {
      const code = (error as { code?: string }).code
      if ((code !== serialisationFailure && code !== deadlock) || attempt === attemptsMax) throw error
    }
  }
}

async function attemptTransaction<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const connection = await pool.connect()
  let broken: Error | undefined
  try {
    await connection.query('begin')
    const result = await work(connection as unknown as Transaction)
    await commit(connection)
    recordTransactionEnd(pool, connection, true)
    return result
  } catch (error) {
    recordTransactionEnd(pool, connection, false)
    // A connection that does not respond is discarded: PostgreSQL rolls back the transactions of lost ones.
    if (error instanceof OutcomeUnknown || isConnectionError(error)) broken = error as Error
    else
      await connection.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    throw error
  } finally {
    connection.release(broken)
  }
}

async function commit(connection: ClientBase): Promise<void> {
  try {
    await connection.query('commit')
  } catch (error) {
    throw isConnectionError(error) ? new OutcomeUnknown(error) : error
  }
}
