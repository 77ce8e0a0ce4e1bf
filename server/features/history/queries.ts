/**
 * SQL of a client's deposits, withdrawals and transfers: one statement per request, with keyset pagination. Columns and
 * sorts come from the constant tables of `list-tables.ts`, values stay parameters.
 */
import {
  historyCountMax,
  type DepositRow,
  type HistoryList,
  type TransferRow,
  type WithdrawalRow,
} from '#contract/history.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Currency } from '#rules/money.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { join, limitTo, raw, row, rows, sql, type Connection, type Sql } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { isUuid } from '../../db/ids.ts'
import { listTables, withLogins, type ListTable } from './list-tables.ts'
import { type HistoryLabels, readRow } from './read-row.ts'

interface HistoryRows {
  readonly deposits: DepositRow
  readonly withdrawals: WithdrawalRow
  readonly transfers: TransferRow
}

export interface HistoryFilter {
  readonly account: string | null
  /** The status as the client sees it. */
  readonly status: string | null
  readonly from: Date | null
  readonly until: Date | null
  /** Restricts the list to one record. */
  readonly id?: string
}
export const noFilter: HistoryFilter = { account: null, status: null, from: null, until: null }

export interface HistoryOrder {
  readonly sort: string
  readonly ascending: boolean
  /** The sort value and id of the last row of the previous page. */
  readonly after: { readonly value: string; readonly id: string } | null
  readonly size: number
}
export const newestFirst: HistoryOrder = { sort: 'timestamp', ascending: false, after: null, size: 21 }

/** A row of the database with the value that the page is sorted by. */
interface PageRow {
  readonly id: string
  readonly place: string
}

function pageOf(
  list: HistoryList,
  clientId: SignedInClientId,
  filter: HistoryFilter,
  order: HistoryOrder,
  further: Sql = sql``,
): Sql {
  const table = listTables[list]
  const sort = Object.hasOwn(table.sorts, order.sort) ? table.sorts[order.sort] : undefined
  if (!sort) throw new Problem('unknown-value', { field: 'sort' })
  const [value, id, type] = [raw(sort.expression), raw(`${table.alias}.id`), raw(sort.type)]
  const direction = raw(order.ascending ? 'asc' : 'desc')
  const beyond = raw(order.ascending ? '>' : '<')
  return sql`select ${table.columns}, (${value})::text as place ${further} from ${table.requests}
    where ${filterCondition(table, clientId, filter)}
      ${order.after === null ? sql`` : sql`and (${value}, ${id}) ${beyond} (${order.after.value}::${type}, ${order.after.id}::uuid)`}
    order by ${value} ${direction}, ${id} ${direction} ${limitTo(order.size)}`
}

/** Returns the condition for the client's own requests that match a filter. */
function filterCondition(table: ListTable, clientId: SignedInClientId, filter: HistoryFilter): Sql {
  const alias = raw(table.alias)
  return sql`${alias}.client_id = ${clientId}
      ${filter.id === undefined ? sql`` : sql`and ${alias}.id = ${filter.id}::uuid`}
      ${filter.account === null ? sql`` : sql`and ${accountCondition(table, filter.account)}`}
      ${filter.status === null ? sql`` : sql`and ${stateCondition(table, filter.status)}`}
      ${filter.from === null ? sql`` : sql`and ${alias}.requested_at >= ${filter.from}`}
      ${filter.until === null ? sql`` : sql`and ${alias}.requested_at < ${filter.until}`}`
}

function accountCondition({ accounts }: ListTable, number: string): Sql {
  const conditions = accounts.map(
    (column) => sql`${raw(column)} in (select id from trading_accounts where login = ${number})`,
  )
  return sql`(${join(conditions, ' or ')})`
}

/** Returns the states as literals: only then can PostgreSQL use the partial indexes, which omit the usual state. */
function stateCondition({ alias, statesOf }: ListTable, status: string): Sql {
  const states = statesOf(status).map((state) => `'${state}'`)
  return states.length === 0 ? sql`false` : raw(`${alias}.state in (${states.join(', ')})`)
}

/**
 * Returns how a page is read: pipelined with a short time limit, or without for one account, whose requests may be few
 * among millions.
 */
function pageReader({ account }: HistoryFilter): typeof pipelinedRows {
  return account === null ? pipelinedRows : rows
}

/**
 * Returns a page of one list of the client's own requests. Throws `unknown-value` for a sort that the list does not
 * have.
 */
export async function historyPage<L extends HistoryList>(
  connection: Connection,
  list: L,
  clientId: SignedInClientId,
  filter: HistoryFilter,
  order: HistoryOrder,
  words: HistoryLabels,
): Promise<(HistoryRows[L] & PageRow)[]> {
  const found = await pageReader(filter)<HistoryRows[L] & PageRow>(
    connection,
    sql`${withLogins(sql`${clientId}`)} ${pageOf(list, clientId, filter, order)}`,
  )
  return found.map((one) => readRow(list, one, words))
}

/**
 * Returns the first page of a list and the number of matching requests, in one statement. The number is null above
 * `historyCountMax`, because counting millions takes too long.
 */
export async function historyPageWithCount<L extends HistoryList>(
  connection: Connection,
  list: L,
  clientId: SignedInClientId,
  filter: HistoryFilter,
  order: HistoryOrder,
  words: HistoryLabels,
): Promise<{ page: (HistoryRows[L] & PageRow)[]; total: number | null }> {
  const count = sql`, ${countExpression(list, clientId, filter)} as counted`
  const found = await pageReader(filter)<HistoryRows[L] & PageRow & { counted: number }>(
    connection,
    sql`${withLogins(sql`${clientId}`)} ${pageOf(list, clientId, filter, order, count)}`,
  )
  const page = found.map((one) => readRow(list, one, words))
  return { page, total: exactCount(found[0]?.counted ?? 0) }
}

/** Returns the number of matching requests in each list, in one statement; null above `historyCountMax`. */
export async function historyCounts(
  connection: Connection,
  clientId: SignedInClientId,
  filter: HistoryFilter,
): Promise<{ [L in HistoryList]: number | null }> {
  const [found] = await pageReader(filter)<{ [L in HistoryList]: number }>(
    connection,
    sql`select ${countExpression('deposits', clientId, filter)} as deposits,
      ${countExpression('withdrawals', clientId, filter)} as withdrawals, ${countExpression('transfers', clientId, filter)} as transfers`,
  )
  if (!found) throw new Error('the history count returned no row')
  return {
    deposits: exactCount(found.deposits),
    withdrawals: exactCount(found.withdrawals),
    transfers: exactCount(found.transfers),
  }
}

/** Returns the number of matching requests of a list as an expression; one more than `historyCountMax` at most. */
function countExpression(list: HistoryList, clientId: SignedInClientId, filter: HistoryFilter): Sql {
  const table = listTables[list]
  return sql`(select count(*)::int from (select from ${table.requests}
      where ${filterCondition(table, clientId, filter)} ${limitTo(historyCountMax + 1)}) fitting)`
}

function exactCount(count: number): number | null {
  return count > historyCountMax ? null : count
}

/** Returns the first page of all three lists, in one statement. */
export async function historyFirstPages(
  connection: Connection,
  clientId: SignedInClientId,
  filter: HistoryFilter,
  order: HistoryOrder,
  words: HistoryLabels,
): Promise<{ [L in HistoryList]: (HistoryRows[L] & PageRow)[] }> {
  const gathered = (list: HistoryList) =>
    sql`(select coalesce(json_agg(page), '[]') from (${pageOf(list, clientId, filter, order)}) page)`
  const found = await row<{ [L in HistoryList]: (HistoryRows[L] & PageRow)[] }>(connection)`
    ${withLogins(sql`${clientId}`)} select ${gathered('deposits')} as deposits, ${gathered('withdrawals')} as withdrawals,
      ${gathered('transfers')} as transfers`
  if (!found) throw new Error('the history query returned no row')
  return {
    deposits: found.deposits.map((one) => readRow('deposits', one, words)),
    withdrawals: found.withdrawals.map((one) => readRow('withdrawals', one, words)),
    transfers: found.transfers.map((one) => readRow('transfers', one, words)),
  }
}

/** Returns one request and its client; only of that client if one is named. */
export async function recordWithClient<L extends HistoryList>(
  connection: Connection,
  list: L,
  { id, clientId }: { readonly id: string; readonly clientId: ClientId | null },
  words: HistoryLabels,
): Promise<(HistoryRows[L] & { readonly clientId: ClientId }) | null> {
  const { columns, requests, alias } = listTables[list]
  const found = await row<HistoryRows[L] & { clientId: ClientId }>(connection)`
    ${withLogins(sql`(select ${raw(alias)}.client_id from ${requests} where ${raw(alias)}.id = ${id}::uuid)`)}
    select ${columns}, ${raw(alias)}.client_id as "clientId" from ${requests} where ${raw(alias)}.id = ${id}::uuid
      ${clientId === null ? sql`` : sql`and ${raw(alias)}.client_id = ${clientId}`}`
  return found && readRow(list, found, words)
}

const machineNames: Readonly<Record<HistoryList, string>> = {
  deposits: 'deposit',
  withdrawals: 'withdrawal',
  transfers: 'transfer',
}

interface HistoryEvent {
  readonly verb: string
  readonly at: Date
  readonly state: string | null
  /** The reason of a rejection as the client reads it, from the record. */
  readonly comment: string
  /** The returned part of a deposit, as a decimal. */
  readonly amount: string | null
  readonly currency: Currency
}
const returnActions = ['refunded', 'charged_back', 'returned', 'returnReversed']

/** Returns the events of the client's own request, oldest first, or null if it is not the client's. */
export async function historyEvents(
  connection: Connection,
  list: HistoryList,
  clientId: SignedInClientId,
  id: string,
): Promise<HistoryEvent[] | null> {
  if (!isUuid(id)) return null
  const life = machineNames[list]
  const found = await rows<HistoryEvent>(connection)`
    select e.verb, e.at, e.to_state as state, r.comment, d.details ->> 'amount' as amount, r.currency
      from ${raw(list)} r join events e on e.kind = ${life} and e.record = r.id
        left join event_details d on d.event_id = e.id and e.verb = any (${[...returnActions]}::text[])
      where r.id = ${id} and r.client_id = ${clientId} order by e.id`
  return found.length === 0 ? null : found
}
