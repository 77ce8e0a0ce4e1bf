/**
 * SQL of a client's deposits, withdrawals and transfers: one statement per request, with keyset pagination. Each list
 * is a table of columns; filters and sorts come from constant tables, values stay parameters.
 */
import {
  historyCountMax,
  type DepositRow,
  type HistoryList,
  type TransferRow,
  type WithdrawalRow,
} from '#contract/history.ts'
import { depositMachine, depositStatusForClient } from '#rules/deposits.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Currency } from '#rules/money.ts'
import { transferMachine, transferStatusForClient } from '#rules/transfers.ts'
import { withdrawalMachine, withdrawalStatusForClient } from '#rules/withdrawals.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { limitTo, raw, row, rows, sql, type Connection, type Sql } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { isUuid } from '../../db/ids.ts'
import { chargedBackOf, refundedOf } from '../../ledger/went-back.ts'
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

interface SortColumn {
  readonly expression: string
  readonly type: 'timestamptz' | 'bigint' | 'text'
}

interface ListTable {
  readonly columns: Sql
  readonly tables: Sql
  /** The alias of the requests' table. */
  readonly alias: string
  readonly account: (login: string) => Sql
  /** The states that a client sees as a status; none if the list has no such status. */
  readonly statesOf: (status: string) => readonly string[]
  readonly sorts: Readonly<Record<string, SortColumn>>
}

const at = (column: string): SortColumn => ({ expression: column, type: 'timestamptz' })
/** Returns a sort column in which a missing time sorts before all others. */
const maybeAt = (column: string): SortColumn => ({
  expression: `coalesce(${column}, '-infinity')`,
  type: 'timestamptz',
})
const text = (column: string): SortColumn => ({ expression: column, type: 'text' })
const minor = (column: string): SortColumn => ({ expression: column, type: 'bigint' })

/** To the client, a withdrawal in second approval is pending (requirements 9.6). */
const withdrawalStatus = `case w.state when 'second_approval' then 'pending' else w.state end`

const lists: Readonly<Record<HistoryList, ListTable>> = {
  deposits: {
    alias: 'd',
    columns: sql`d.id, d.reference, d.comment, d.requested_at as "timestamp", d.approved_at as "timeApproved",
      d.rejected_at as "timeRejected", a.login as "accountNumber",
      d.type as "depositType", d.method as "depositMethod", d.amount_minor::text as "depositAmountSent",
      d.received_minor::text as "depositAmountReceived", d.fee_minor::text as "depositFee",
      ${raw(refundedOf)}::text as "depositRefunded", ${raw(chargedBackOf)}::text as "depositChargedBack",
      d.currency as "depositCurrency", d.state as status`,
    tables: sql`deposits d join trading_accounts a on a.id = d.account_id`,
    account: (login) => sql`a.login = ${login}`,
    statesOf: (status) => depositMachine.states.filter((state) => depositStatusForClient(state) === status),
    sorts: {
      timestamp: at('d.requested_at'),
      status: text('d.state'),
      accountNumber: text('a.login'),
      depositType: text('d.type'),
      depositAmountSent: minor('d.amount_minor'),
      timeApproved: maybeAt('d.approved_at'),
      timeRejected: maybeAt('d.rejected_at'),
    },
  },
  withdrawals: {
    alias: 'w',
    columns: sql`w.id, w.reference, w.comment, w.requested_at as "timestamp", w.approved_at as "timeApproved",
      w.rejected_at as "timeRejected", a.login as "accountNumber", w.type as "withdrawalType", w.method as "withdrawalMethod", w.amount_minor::text as "withdrawalAmount",
      w.fee_minor::text as "withdrawalFee", w.currency as "withdrawalCurrency", w.bank ->> 'bankName' as "bankName",
      right(coalesce(w.bank ->> 'iban', w.bank ->> 'accountNumber', ''), 4) as "bankEnding",
      ${raw(withdrawalStatus)} as status, w.paid_at as "timePaid", w.returned_at as "timeReturned"`,
    tables: sql`withdrawals w join trading_accounts a on a.id = w.account_id`,
    account: (login) => sql`a.login = ${login}`,
    statesOf: (status) => withdrawalMachine.states.filter((state) => withdrawalStatusForClient(state) === status),
    sorts: {
      timestamp: at('w.requested_at'),
      status: text(withdrawalStatus),
      accountNumber: text('a.login'),
      withdrawalType: text('w.type'),
      withdrawalAmount: minor('w.amount_minor'),
      timeApproved: maybeAt('w.approved_at'),
      timeRejected: maybeAt('w.rejected_at'),
    },
  },
  transfers: {
    alias: 't',
    columns: sql`t.id, t.reference, t.comment, t.requested_at as "timestamp", t.approved_at as "timeApproved",
      t.rejected_at as "timeRejected", s.login as "sourceAccount", e.login as "destinationAccount", t.amount_minor::text as "transferAmount", t.currency as "transferCurrency", t.rate,
      t.arrives_minor::text as arrives, t.arrives_currency as "arrivesCurrency", t.state as status`,
    tables: sql`transfers t join trading_accounts s on s.id = t.source_account
      join trading_accounts e on e.id = t.destination_account`,
    account: (login) => sql`(s.login = ${login} or e.login = ${login})`,
    statesOf: (status) => transferMachine.states.filter((state) => transferStatusForClient(state) === status),
    sorts: {
      timestamp: at('t.requested_at'),
      status: text('t.state'),
      sourceAccount: text('s.login'),
      destinationAccount: text('e.login'),
      transferAmount: minor('t.amount_minor'),
      timeApproved: maybeAt('t.approved_at'),
      timeRejected: maybeAt('t.rejected_at'),
    },
  },
}

/** A row of the database with the value that the page is sorted by. */
interface Found {
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
  const table = lists[list]
  const sort = Object.hasOwn(table.sorts, order.sort) ? table.sorts[order.sort] : undefined
  if (!sort) throw new Problem('unknown-value', { field: 'sort' })
  const [value, id, type] = [raw(sort.expression), raw(`${table.alias}.id`), raw(sort.type)]
  const direction = raw(order.ascending ? 'asc' : 'desc')
  const beyond = raw(order.ascending ? '>' : '<')
  return sql`select ${table.columns}, (${value})::text as place ${further} from ${table.tables}
    where ${filtered(table, clientId, filter)}
      ${order.after === null ? sql`` : sql`and (${value}, ${id}) ${beyond} (${order.after.value}::${type}, ${order.after.id}::uuid)`}
    order by ${value} ${direction}, ${id} ${direction} ${limitTo(order.size)}`
}

/** Returns the condition for the client's own requests that match a filter. */
function filtered(table: ListTable, clientId: SignedInClientId, filter: HistoryFilter): Sql {
  const alias = raw(table.alias)
  return sql`${alias}.client_id = ${clientId}
      ${filter.id === undefined ? sql`` : sql`and ${alias}.id = ${filter.id}::uuid`}
      ${filter.account === null ? sql`` : sql`and ${table.account(filter.account)}`}
      ${filter.status === null ? sql`` : sql`and ${inStates(table, filter.status)}`}
      ${filter.from === null ? sql`` : sql`and ${alias}.requested_at >= ${filter.from}`}
      ${filter.until === null ? sql`` : sql`and ${alias}.requested_at < ${filter.until}`}`
}

/** Returns the states as literals: only then can PostgreSQL use the partial indexes, which omit the usual state. */
function inStates({ alias, statesOf }: ListTable, status: string): Sql {
  const states = statesOf(status).map((state) => `'${state}'`)
  return states.length === 0 ? sql`false` : raw(`${alias}.state in (${states.join(', ')})`)
}

/**
 * Returns how a page is read: pipelined with a short time limit, or without for one account, whose requests may be few
 * among millions.
 */
function reading({ account }: HistoryFilter): typeof pipelinedRows {
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
): Promise<(HistoryRows[L] & Found)[]> {
  const found = await reading(filter)<HistoryRows[L] & Found>(connection, pageOf(list, clientId, filter, order))
  return found.map((one) => readRow(list, one, words))
}

/**
 * Returns the first page of a list and the number of matching requests, in one statement. The number is null above
 * `historyCountMax`, because counting millions takes too long.
 */
export async function historyBeginning<L extends HistoryList>(
  connection: Connection,
  list: L,
  clientId: SignedInClientId,
  filter: HistoryFilter,
  order: HistoryOrder,
  words: HistoryLabels,
): Promise<{ page: (HistoryRows[L] & Found)[]; total: number | null }> {
  const table = lists[list]
  // Accounts are joined only for their filter: without them an index-only scan suffices.
  const counting = filter.account === null ? raw(`${list} ${table.alias}`) : table.tables
  const counted = sql`, (select count(*)::int from (select from ${counting} where ${filtered(table, clientId, filter)}
      ${limitTo(historyCountMax + 1)}) fitting) as counted`
  const found = await reading(filter)<HistoryRows[L] & Found & { counted: number }>(
    connection,
    pageOf(list, clientId, filter, order, counted),
  )
  const total = found[0]?.counted ?? 0
  const page = found.map((one) => readRow(list, one, words))
  return { page, total: total > historyCountMax ? null : total }
}

/** Returns the first page of all three lists, in one statement. */
export async function historyStart(
  connection: Connection,
  clientId: SignedInClientId,
  filter: HistoryFilter,
  order: HistoryOrder,
  words: HistoryLabels,
): Promise<{ [L in HistoryList]: (HistoryRows[L] & Found)[] }> {
  const gathered = (list: HistoryList) =>
    sql`(select coalesce(json_agg(page), '[]') from (${pageOf(list, clientId, filter, order)}) page)`
  const found = await row<{ [L in HistoryList]: (HistoryRows[L] & Found)[] }>(connection)`
    select ${gathered('deposits')} as deposits, ${gathered('withdrawals')} as withdrawals,
      ${gathered('transfers')} as transfers`
  if (!found) throw new Error('a history was not read')
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
  const { columns, tables, alias } = lists[list]
  const found = await row<HistoryRows[L] & { clientId: ClientId }>(connection)`
    select ${columns}, ${raw(alias)}.client_id as "clientId" from ${tables} where ${raw(alias)}.id = ${id}::uuid
      ${clientId === null ? sql`` : sql`and ${raw(alias)}.client_id = ${clientId}`}`
  return found && readRow(list, found, words)
}

const lifeNames: Readonly<Record<HistoryList, string>> = {
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
const partsBack = ['refunded', 'charged_back']

/** Returns the events of the client's own request, oldest first, or null if it is not the client's. */
export async function historyEvents(
  connection: Connection,
  list: HistoryList,
  clientId: SignedInClientId,
  id: string,
): Promise<HistoryEvent[] | null> {
  if (!isUuid(id)) return null
  const life = lifeNames[list]
  const found = await rows<HistoryEvent>(connection)`
    select e.verb, e.at, e.to_state as state, r.comment, d.details ->> 'amount' as amount, r.currency
      from ${raw(list)} r join events e on e.kind = ${life} and e.record = r.id
        left join event_details d on d.event_id = e.id and e.verb = any (${[...partsBack]}::text[])
      where r.id = ${id} and r.client_id = ${clientId} order by e.id`
  return found.length === 0 ? null : found
}
