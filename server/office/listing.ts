/**
 * Lists of back-office records: filtered, searched, sorted and paged by the server. Every sort uses a column and then
 * the id, each pair has an index, and a page starts after the last row of the previous one, so that its cost does not
 * grow with its depth and new rows do not shift it.
 */
import type * as z from 'zod/mini'
import {
  empty,
  join,
  limitTo,
  literals,
  raw,
  rows,
  rowsWithFreshPlan,
  run,
  sql,
  type Sql,
  transaction,
} from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { between, rowHeads, type Listed } from './lists.ts'
import { afterCursor, cursorOf, orderBy, textOf, type Column, type Order } from './listing-order.ts'

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
  /** Returns whether the same plan is the best for all values of such a query. */
  readonly hasOnePlan?: (query: Query) => boolean
}

/** Declares a listing for the query of an endpoint's schema. */
export function listing<Endpoint extends { readonly query: z.ZodMiniType<ListQuery> }>(
  _endpoint: Endpoint,
  declared: Listing<z.output<Endpoint['query']>>,
): Listing<z.output<Endpoint['query']>> {
  return declared
}

interface Queue<Query extends ListQuery> extends Pick<Listing<Query>, 'name' | 'tables' | 'within' | 'finds'> {
  /** The alias of the requests' table. */
  readonly alias: string
  /** The request's time is the list's default sort, and the time that its days limit. */
  readonly sorts: Readonly<Record<SortOf<Query> | 'createdAt', Column>>
  /** The states in which someone must still act. */
  readonly waiting: readonly string[]
  /** Named groups of states that are queried together. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  readonly where?: (query: Query) => readonly Sql[]
}

/** Declares a queue of requests: pending ones, the oldest first, unless the query names a state or all of them. */
export function queue<
  Endpoint extends { readonly query: z.ZodMiniType<ListQuery & { readonly state?: string | undefined }> },
>(_endpoint: Endpoint, declared: Queue<z.output<Endpoint['query']>>): Listing<z.output<Endpoint['query']>> {
  const { alias, waiting, groups, where, ...others } = declared
  return {
    ...others,
    id: { by: `${alias}.id`, type: 'uuid' },
    at: declared.sorts.createdAt,
    standard: ({ state }) => ({
      sort: 'createdAt' as SortOf<z.output<Endpoint['query']>>,
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
  return several ? sql`${raw(column)} = any (${literals(several)})` : whereEquals(column, state)
}

/** Returns the condition that a column has a value, or no condition without a value. */
export function whereEquals(column: string, value: string | undefined, otherwise: Sql = empty): Sql {
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

/** Returns the sorts of a list of payments: by time, and by an amount in minor units. */
export function byTimeOrAmount(time: string, amount: string) {
  return { createdAt: { by: time, type: 'timestamptz' }, amount: { by: amount, type: 'bigint' } } as const
}

/** Columns over a listing's tables, with the type of the row that they return. */
export type Columns<Row extends object> = Sql & { readonly row?: Row }

interface Page<Row> {
  readonly rows: Row[]
  readonly next: string | null
}

const pageSize = 50

/** Returns one page. */
export async function pageOf<Row extends object, Query extends ListQuery>(
  dependencies: Dependencies,
  list: Listing<Query>,
  columns: Columns<Row>,
  query: Query,
): Promise<Page<Row>> {
  const size = query.size ?? pageSize
  const order = orderOf(list, query)
  const limit = query.size === undefined ? limitTo(pageSize + 1) : sql`limit ${size + 1}`
  const statement = sql`select ${columns}, ${textOf(order.column)} as "placeValue", ${raw(list.id.by)}::text as "placeId" from ${list.tables}
        where ${await conditionsOf(dependencies, list, query)} ${afterCursor(list, order, query.cursor)}
        ${orderBy(list, order)} ${limit}`
  const found = await readWith<Row & { placeValue: string; placeId: string }, Query>(
    dependencies,
    list,
    query,
    statement,
  )
  const page = found.slice(0, size)
  const last = page.at(-1)
  return {
    rows: page,
    next: found.length > size && last ? cursorOf(list, order, last.placeValue, last.placeId) : null,
  }
}

/** Reads with one plan for all requests if it does not depend on their values, else with one for these (ADR 335). */
function readWith<Row extends object, Query extends ListQuery>(
  { pool }: Pick<Dependencies, 'pool'>,
  list: Listing<Query>,
  query: Query,
  statement: Sql,
): Promise<Row[]> {
  const isPlannedOnce = statement.values.length === 0 || list.hasOnePlan?.(query) === true
  return isPlannedOnce ? rows<Row>(pool, statement) : rowsWithFreshPlan<Row>(pool, statement)
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
  const [counts] = await readWith<Row, Query>(
    dependencies,
    list,
    query,
    sql`select ${columns} from ${list.tables} where ${await conditionsOf(dependencies, list, query)}`,
  )
  return counts ?? null
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

/**
 * Returns one page of a queue: the fields of every row (contract/office/decisions.ts, rowFields), followed by those of
 * its kind.
 */
export async function queuePage<Request extends Listed, Query extends ListQuery, Facts extends { createdAt: Date }>(
  dependencies: Dependencies,
  kind: string,
  list: Listing<Query>,
  columns: Sql,
  { query, now }: { readonly query: Query; readonly now: Date },
  factsOf: (request: Request) => Facts,
) {
  const { rows, next } = await pageOf<Request, Query>(dependencies, list, columns, query)
  const head = await rowHeads(dependencies, kind, rows, now)
  const shown = rows.map((request) => {
    const facts = factsOf(request)
    return { ...head(request, facts.createdAt), ...facts }
  })
  return { rows: shown, next }
}
