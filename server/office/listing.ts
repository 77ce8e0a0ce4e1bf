/**
 * Lists of back-office records: filtered, searched, sorted and paged by the server. Every sort uses a column and then
 * the id, each pair has an index, and a page starts after the last row of the previous one, so that its cost does not
 * grow with its depth and new rows do not shift it.
 */
import type * as z from 'zod/mini'
import { dayOf } from '#rules/dates.ts'
import { empty, join, raw, rowsWithFreshPlan, run, sql, type Sql, transaction } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { between } from './lists.ts'
import { isMoment } from './page-cursor.ts'

/** The common query of all lists; each list has further filters. */
export interface ListQuery {
  readonly q?: string | undefined
  readonly cursor?: string | undefined
  readonly size?: number | undefined
  readonly sort?: string | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

type ColumnType = 'timestamptz' | 'bigint' | 'text' | 'date' | 'uuid'

/** A column that is never null, as source code, and the type as which its text in a cursor is read. */
export interface Column {
  readonly by: string
  readonly type: ColumnType
}

type SortOf<Query extends ListQuery> = NonNullable<Query['sort']>

export interface Listing<Query extends ListQuery> {
  /** Part of every cursor, so that a cursor is valid only for its own list. */
  readonly name: string
  readonly tables: Sql
  readonly id: Column
  readonly sorts: Readonly<Record<SortOf<Query>, Column>>
  /** The time that `from` and `to` limit; 'date' for a day without a time. */
  readonly at: Column
  /** The condition used instead if the query names another day; open ends are infinite. */
  readonly within?: ((query: Query, days: { readonly from: Sql; readonly until: Sql }) => Sql | null) | undefined
  /** The default order. */
  readonly standard: (query: Query) => { sort: SortOf<Query>; direction: 'asc' | 'desc' }
  /** The list's own filters. */
  readonly where: (query: Query) => readonly Sql[]
  /** Returns the condition for the words of a search. */
  readonly finds: (words: string) => Sql
}

/** Declares a listing for the query of an endpoint's schema. */
export function listing<Endpoint extends { readonly query: z.ZodMiniType<ListQuery> }>(
  _endpoint: Endpoint,
  declared: Listing<z.output<Endpoint['query']>>,
): Listing<z.output<Endpoint['query']>> {
  return declared
}

interface Queue<Query extends ListQuery> {
  readonly name: string
  readonly tables: Sql
  /** The alias of the requests' table. */
  readonly alias: string
  /** The time of the request: the list's default sort, and the time that its days limit. */
  readonly asked: SortOf<Query>
  readonly sorts: Readonly<Record<SortOf<Query>, Column>>
  /** The states in which someone must still act. */
  readonly waiting: readonly string[]
  /** Named groups of states that are queried together. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  readonly where?: (query: Query) => readonly Sql[]
  readonly within?: Listing<Query>['within']
  readonly finds: (words: string) => Sql
}

/** Declares a queue of requests: pending ones, the oldest first, unless the query names a state or all of them. */
export function queue<
  Endpoint extends { readonly query: z.ZodMiniType<ListQuery & { readonly state?: string | undefined }> },
>(_endpoint: Endpoint, declared: Queue<z.output<Endpoint['query']>>): Listing<z.output<Endpoint['query']>> {
  const { alias, asked, waiting, groups, where, ...others } = declared
  return {
    ...others,
    id: { by: `${alias}.id`, type: 'uuid' },
    at: declared.sorts[asked],
    standard: ({ state }) => ({
      sort: asked,
      direction: state === undefined || waiting.includes(state) ? 'asc' : 'desc',
    }),
    where: (query) => [stateIn(`${alias}.state`, query.state, waiting, groups), ...(where?.(query) ?? [])],
  }
}

function stateIn(
  column: string,
  state: string | undefined,
  waiting: readonly string[],
  groups: Queue<ListQuery>['groups'] = {},
): Sql {
  if (state === 'all') return empty
  const several = state === undefined ? waiting : groups[state]
  return several ? sql`${raw(column)} = any (${[...several]}::text[])` : only(column, state)
}

/** Returns the condition that a column has a value, or no condition without a value. */
export function only(column: string, value: string | undefined, otherwise: Sql = empty): Sql {
  return value === undefined ? otherwise : sql`${raw(column)} = ${value}`
}

/** Returns the condition that an amount, an expression of minor units, is within the requested range. */
export function amountBetween(
  column: string,
  { amountFrom, amountTo }: { amountFrom?: bigint | undefined; amountTo?: bigint | undefined },
): readonly Sql[] {
  return [
    amountFrom === undefined ? empty : sql`${raw(column)} >= ${amountFrom}::bigint`,
    amountTo === undefined ? empty : sql`${raw(column)} <= ${amountTo}::bigint`,
  ]
}

interface Page<Row> {
  readonly rows: Row[]
  readonly next: string | null
}

const pageSize = 50

/** Returns one page. `columns` names the columns of each row, over the listing's tables. */
export async function pageOf<Row extends object, Query extends ListQuery>(
  dependencies: Dependencies,
  list: Listing<Query>,
  columns: Sql,
  query: Query,
): Promise<Page<Row>> {
  const size = query.size ?? pageSize
  const order = orderOf(list, query)
  const found = await rowsWithFreshPlan<Row & { placeValue: string; placeId: string }>(
    dependencies.pool,
    sql`select ${columns}, ${textOf(order.column)} as "placeValue", ${raw(list.id.by)}::text as "placeId" from ${list.tables}
        where ${await conditionsOf(dependencies, list, query)} ${beyond(list, order, query.cursor)}
        ${orderBy(list, order)} limit ${size + 1}`,
  )
  const page = found.slice(0, size)
  const last = page.at(-1)
  return {
    rows: page,
    next: found.length > size && last ? cursorOf(list, order, last.placeValue, last.placeId) : null,
  }
}

const rowsOfPiece = 1_000

/**
 * Reads up to `most` rows of a query in order, at one moment, for an export. It keeps the results of `take` instead of
 * the rows, so that few are in memory at once, and yields to other work between two pieces.
 */
export async function piecesOf<Row extends object, Piece, Query extends ListQuery>(
  dependencies: Dependencies,
  { list, columns, query, most }: Exported<Query>,
  take: (rows: readonly Row[]) => Piece,
): Promise<Piece[]> {
  const conditions = await conditionsOf(dependencies, list, query)
  return transaction(dependencies.pool, async (tx) => {
    // All rows are read, so the plan must be for all of them, not for a fast start.
    await run(tx)`set local cursor_tuple_fraction = 1`
    await rowsWithFreshPlan(
      tx,
      sql`declare exported no scroll cursor for select ${columns} from ${list.tables} where ${conditions}
          ${orderBy(list, orderOf(list, query))} limit ${most}`,
    )
    const pieces: Piece[] = []
    for (;;) {
      const found = await rowsWithFreshPlan<Row>(tx, raw(`fetch ${rowsOfPiece} from exported`))
      if (found.length > 0) pieces.push(take(found))
      if (found.length < rowsOfPiece) return pieces
    }
  })
}

/** The parameters of an export of a list. */
export interface Exported<Query extends ListQuery> {
  readonly list: Listing<Query>
  readonly columns: Sql
  readonly query: Query
  readonly most: number
}

/** Returns one row of counts over a query. */
export async function countedIn<Row extends object, Query extends ListQuery>(
  dependencies: Dependencies,
  list: Listing<Query>,
  columns: Sql,
  query: Query,
): Promise<Row | null> {
  const [counts] = await rowsWithFreshPlan<Row>(
    dependencies.pool,
    sql`select ${columns} from ${list.tables} where ${await conditionsOf(dependencies, list, query)}`,
  )
  return counts ?? null
}

interface Order {
  readonly sort: string
  readonly direction: 'asc' | 'desc'
  readonly column: Column
}

function orderOf<Query extends ListQuery>(list: Listing<Query>, query: Query): Order {
  const standard = list.standard(query)
  const sort = (query.sort as SortOf<Query> | undefined) ?? standard.sort
  const direction = query.direction ?? (sort === standard.sort ? standard.direction : 'desc')
  return { sort, direction, column: list.sorts[sort] }
}

async function conditionsOf<Query extends ListQuery>(
  dependencies: Dependencies,
  list: Listing<Query>,
  query: Query,
): Promise<Sql> {
  const { timeZone } = await dependencies.settings.get('firm')
  const { from, until } = between(query, timeZone)
  const at = raw(list.at.by)
  const inDays = list.at.type === 'date'
  const days = {
    from: from ? sql`${from}::timestamptz` : sql`'-infinity'::timestamptz`,
    until: until ? sql`${until}::timestamptz` : sql`'infinity'::timestamptz`,
  }
  const within = list.within?.(query, days)
  const conditions = [
    sql`true`,
    ...list.where(query),
    ...(within
      ? [within]
      : [
          from ? (inDays ? sql`${at} >= ${query.from}::date` : sql`${at} >= ${from}`) : empty,
          until ? (inDays ? sql`${at} <= ${query.to}::date` : sql`${at} < ${until}`) : empty,
        ]),
    query.q === undefined || query.q === '' ? empty : list.finds(query.q),
  ]
  return join(
    conditions.filter((one) => one !== empty),
    ' and ',
  )
}

function orderBy<Query extends ListQuery>(list: Listing<Query>, { column, direction }: Order): Sql {
  return sql`order by ${raw(`${column.by} ${direction}, ${list.id.by} ${direction}`)}`
}

/** Returns the column in a cursor's form, to the microsecond. */
function textOf({ by, type }: Column): Sql {
  return raw(
    type === 'timestamptz' ? `to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : `(${by})::text`,
  )
}

function cursorOf<Query extends ListQuery>(list: Listing<Query>, order: Order, value: string, id: string): string {
  return Buffer.from(JSON.stringify([list.name, order.sort, order.direction, value, id])).toString('base64url')
}

/**
 * Returns the condition for rows after a cursor. Throws `cursor-invalid` for one of another list or order, or not ours.
 */
function beyond<Query extends ListQuery>(list: Listing<Query>, order: Order, cursor: string | undefined): Sql {
  if (cursor === undefined) return empty
  const place = placeOf(cursor)
  const [name, sort, direction, value, id] = place
  const known = name === list.name && sort === order.sort && direction === order.direction
  if (!known || !isOf(order.column.type, value) || !isOf(list.id.type, id)) throw new Problem('cursor-invalid', at)
  const than = raw(order.direction === 'asc' ? '>' : '<')
  const [column, key] = [raw(order.column.by), raw(list.id.by)]
  return sql`and (${column}, ${key}) ${than} (${value}::${raw(order.column.type)}, ${id}::${raw(list.id.type)})`
}

const at = { field: 'cursor' } as const

function placeOf(cursor: string): unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(place) && place.length === 5) return place
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Problem('cursor-invalid', at)
}

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
  return type !== 'timestamptz' || isMoment(value)
}
