/**
 * Every statement of the server is prepared on the migrated schema, and the columns that PostgreSQL reports must be
 * those of the declared row type: names, types, and nullability as far as PostgreSQL reports it.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/database.ts'
import { findStatements, type FoundStatements, type Statement } from '#tests/statements/find-statements.ts'
import type { DeclaredColumn } from '#tests/statements/row-type.ts'

interface Column {
  readonly name: string
  readonly type: string
  /** The table's column if it is nullable; null if it is not, or if the value is computed. */
  readonly nullable: string | null
}

interface FieldMessage {
  readonly fields: readonly { name: string; dataTypeID: number; tableID: number; columnID: number }[]
}

/** The driver's type for each column type. */
const kindsOf: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  float4: 'number',
  float8: 'number',
  int8: 'bigint',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  name: 'string',
  citext: 'string',
  uuid: 'string',
  inet: 'string',
  date: 'string',
  regclass: 'string',
  pg_lsn: 'string',
  timestamptz: 'Date',
  bytea: 'Buffer',
  _text: 'string[]',
  _uuid: 'string[]',
  _int4: 'number[]',
  void: 'string',
}

let found: FoundStatements
let database: pg.Client
beforeAll(async () => {
  found = findStatements()
  database = new pg.Client({ connectionString: (await testDatabase()).ownerUrl })
  await database.connect()
})
afterAll(() => database.end())

/** Returns PostgreSQL's description of a statement, which is not run. */
function describe(text: string): Promise<FieldMessage['fields']> {
  return new Promise((resolve, reject) => {
    let fields: FieldMessage['fields'] = []
    database.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: (message: FieldMessage) => (fields = message.fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    } as never)
  })
}

async function columnsOf(text: string): Promise<Column[]> {
  return (await describe(text)).map(({ name, dataTypeID, tableID, columnID }) => ({
    name,
    type: types.get(dataTypeID) ?? String(dataTypeID),
    nullable: nullable.get(`${tableID}.${columnID}`) ?? null,
  }))
}

const types = new Map<number, string>()
const nullable = new Map<string, string>()
beforeAll(async () => {
  const read = await database.query<{ oid: number; name: string }>('select oid, typname as name from pg_type')
  for (const { oid, name } of read.rows) types.set(oid, name)
  const columns = await database.query<{ key: string; name: string }>(
    `select attrelid || '.' || attnum as key, relname || '.' || attname as name
     from pg_attribute a join pg_class c on c.oid = attrelid where c.relkind in ('r', 'p') and attnum > 0 and not attnotnull`,
  )
  for (const { key, name } of columns.rows) nullable.set(key, name)
})

function disagreements({ row }: Statement, columns: readonly Column[]): string[] {
  if (row === null) return []
  const [declared, answered] = [
    new Map(row.map((one) => [one.name, one])),
    new Map(columns.map((one) => [one.name, one])),
  ]
  return [
    ...columns.filter(({ name }) => !declared.has(name)).map(({ name }) => `${name} is read and not declared`),
    ...row
      .filter(({ name, isOptional }) => !isOptional && !answered.has(name))
      .map(({ name }) => `${name} is declared and not read`),
    ...row.flatMap((one) => {
      const column = answered.get(one.name)
      return column ? disagreementOf(one, column) : []
    }),
  ]
}

const isNeverRead = (kinds: readonly string[]) => kinds.includes('unknown')

function disagreementOf(declared: DeclaredColumn, { type, nullable }: Column): string[] {
  const { name, kinds, isNullable, isOptional } = declared
  const kind = kindsOf[type] ?? type
  const isJson = type === 'json' || type === 'jsonb'
  const fits = kinds.every((one) => one === 'unknown' || (isJson ? one !== 'Date' && one !== 'bigint' : one === kind))
  return [
    ...(fits ? [] : [`${name} is ${type} and declared as ${kinds.join(' or ')}`]),
    ...(nullable !== null && !(nullable in alwaysFilledColumns) && !isNullable && !isOptional && !isNeverRead(kinds)
      ? [`${name} can be null: ${nullable}`]
      : []),
  ]
}

/** Nullable columns that always have a value in the rows of statements that read them as text or number. */
const alwaysFilledColumns: Readonly<Record<string, string>> = {
  'account_histories.unreadable': 'the statement reads only accounts with a deal that cannot be read',
  'deposits.provider_id': 'the statements omit deposits without an id of the provider',
  'deposits.provider_ref': 'every card payment is written with one',
  'deposits.received_minor': 'an adopted wire is credited with what arrived',
  'deposits.unanswered_since': 'the statement that returns it also sets it',
  'differences.record': 'a difference of this kind is about a withdrawal',
  'events.record': 'a decision based on checks is about a record',
  'link_digests_cursor.followed': 'the statement reads only a cursor that has followed the log',
  'month_ends.look_at': 'the statement reads only months that are due',
  'month_ends.problem': 'a failed operation is a month with one',
  'recovery_items.client_id': 'an item of a bank transaction is about a deposit, which has a client',
  'staff.away_from': 'written with the last day (staff_away_check)',
  'staff.away_until': 'the statement reads only an absence that has not ended',
  'statement_imports.booked_minor': 'the statement leaves out statements without a closing balance',
  'statement_imports.closing_minor': 'only statements with a closing balance are compared',
  'statement_imports.closing_on': 'written with the closing balance',
  'statement_imports.currency': 'written with the closing balance',
  'watched_accounts.open_at': 'the statement reads only rows since a given time',
  'work_items.closed_at': 'the statement reads only items that are closed',
  'trading_accounts.login': 'an account has one once it is approved, and is not queried before',
}

/** Statements that cannot be found in the source. */
const statementsNotFound: Readonly<Record<string, string>> = {
  'server/features/inbox/queries.ts': 'a count for each view, made in a loop (saved-views.test.ts runs it)',
  'server/features/retention/purge-expired.ts':
    'each class of a list is handed to a callback (retention.test.ts runs them all)',
  'server/http/rate-limits.ts': 'a step for each bucket, made in a loop (limits.test.ts runs it)',
}
const statementsNotDescribed: Readonly<Record<string, string>> = {
  ...statementsNotFound,
  'server/features/audit/queries.ts': 'the search of the list, called by the builder of lists (audit.test.ts runs it)',
  'server/features/clients/queries.ts':
    'the clients who reached a step in a period, one of three conditions of a list (overview.test.ts runs it)',
  'server/features/clients/search-records.ts':
    'one search for each type of term, collected in an array (search.test.ts runs them)',
  'server/features/reports/queries.ts': 'what a figure counts, chosen by its name (reports.test.ts runs each)',
  'server/features/registration/save-client-step.ts': 'a value among columns, distinguished at run time',
}
const fileOf = (where: string) => where.split(':')[0] ?? ''

test('every statement is valid on the migrated schema, and its columns match the declared row type', async () => {
  const wrong = new Set<string>()
  const filled = new Set<string>()
  for (const statement of found.statements) {
    // Its columns are those of the cursor that the previous statement declares.
    if (statement.text.startsWith('fetch ')) continue
    try {
      const columns = await columnsOf(statement.text)
      for (const { name } of statement.row ?? []) {
        const column = columns.find((one) => one.name === name)?.nullable
        if (column) filled.add(column)
      }
      for (const one of disagreements(statement, columns)) wrong.add(`${statement.where}: ${one}`)
    } catch (error) {
      wrong.add(`${statement.where}: ${(error as Error).message} | ${statement.text}`)
    }
  }
  expect([...wrong]).toEqual([])
  expect(Object.keys(alwaysFilledColumns).filter((column) => !filled.has(column))).toEqual([])
})

test('every statement is found in the source, and every piece of SQL is part of a statement', () => {
  expect(new Set(found.statements.map(({ where }) => where)).size).toBeGreaterThan(700)
  expect(found.statements.filter(({ row }) => row !== null).length).toBeGreaterThan(900)
  expect(new Set([...found.unread.keys()].map(fileOf))).toEqual(new Set(Object.keys(statementsNotFound)))
  expect(new Set(found.unused.map(fileOf))).toEqual(new Set(Object.keys(statementsNotDescribed)))
})
