/** SQL of an account's closed trades: a page of them, their totals and symbols. */
import { dayMs } from '#rules/dates.ts'
import type { AccountId } from '#rules/ids.ts'
import { raw, row, rows, sql, limitTo, type Connection, type Sql } from '../../db/sql.ts'

export interface TradeFilter {
  readonly from: string | null
  readonly to: string | null
  readonly symbol: string | null
  readonly side: 'buy' | 'sell' | null
  readonly result: 'profit' | 'loss' | null
}

export interface TradePlace {
  readonly platformMs: bigint
  readonly deal: bigint
}

export interface TradeRow {
  readonly deal: bigint
  readonly position: bigint
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly volume: bigint
  readonly openPrice: string
  readonly closePrice: string
  readonly closedAt: Date
  readonly platformMs: bigint
  readonly profit: bigint
  readonly swap: bigint
  readonly commission: bigint
  readonly fee: bigint
  readonly result: bigint
}

const tradeColumns = sql`deal, position, symbol, side, volume, open_price as "openPrice", close_price as "closePrice",
  closed_at as "closedAt", platform_ms as "platformMs", profit_minor as profit, swap_minor as swap,
  commission_minor as commission, fee_minor as fee, result_minor as result`

const furtherColumns = sql`opened_at as "openedAt", stop_loss as "stopLoss", take_profit as "takeProfit", reason,
  order_ticket as "order"`

interface PageOrder {
  readonly ascending: boolean
  readonly after: TradePlace | null
  readonly size: number
}

/** Returns a page of closed trades by closing time, by an index-only scan. */
export function tradesPage(
  connection: Connection,
  accountId: AccountId,
  filter: TradeFilter,
  order: PageOrder,
): Promise<TradeRow[]> {
  return rows<TradeRow>(connection)`select ${tradeColumns} from closed_trades ${pageOf(accountId, filter, order)}`
}

/** Returns the same trades with all details. */
export function wholeTradesPage(
  connection: Connection,
  accountId: AccountId,
  filter: TradeFilter,
  order: PageOrder,
): Promise<WholeTrade[]> {
  return rows<WholeTrade>(connection)`
    select ${tradeColumns}, ${furtherColumns} from closed_trades ${pageOf(accountId, filter, order)}`
}

function pageOf(accountId: AccountId, filter: TradeFilter, { ascending, after, size }: PageOrder): Sql {
  const [direction, beyond] = ascending ? [raw('asc'), raw('>')] : [raw('desc'), raw('<')]
  return sql`
      where account_id = ${accountId}
        ${filter.symbol === null ? sql`` : sql`and symbol = ${filter.symbol}`}
        ${filter.side === null ? sql`` : sql`and side = ${filter.side}`}
        ${filter.result === null ? sql`` : sql`and sign(result_minor) = ${filter.result === 'profit' ? 1 : -1}`}
        ${filter.from === null ? sql`` : sql`and platform_ms >= ${Date.parse(filter.from)}`}
        ${filter.to === null ? sql`` : sql`and platform_ms < ${Date.parse(filter.to) + dayMs}`}
        ${after === null ? sql`` : sql`and (platform_ms, deal) ${beyond} (${after.platformMs}, ${after.deal})`}
      order by platform_ms ${direction}, deal ${direction} ${limitTo(size)}`
}

interface TradeTotals {
  readonly trades: number
  readonly profit: bigint
  readonly swap: bigint
  readonly commission: bigint
  readonly fee: bigint
}

/** Returns the totals of a filter: whole years and months from their own sums, the rest from days. */
export async function tradeTotals(
  connection: Connection,
  accountId: AccountId,
  filter: TradeFilter,
): Promise<TradeTotals> {
  const spans = spansOf(filter)
  // `offset 0` makes PostgreSQL read each span as a range of the index instead of joining all of them.
  const found = await row<TradeTotals>(connection)`
    select coalesce(sum(s.trades), 0)::int as trades, coalesce(sum(s.profit_minor), 0)::bigint as profit,
        coalesce(sum(s.swap_minor), 0)::bigint as swap, coalesce(sum(s.commission_minor), 0)::bigint as commission,
        coalesce(sum(s.fee_minor), 0)::bigint as fee
      from unnest(${spans.map(({ span }) => span)}::text[], ${spans.map(({ from }) => from ?? '-infinity')}::date[],
            ${spans.map(({ to }) => to ?? 'infinity')}::date[]) as p (span, first, beyond)
        cross join lateral (select symbol, side, sign, trades, profit_minor, swap_minor, commission_minor,
            fee_minor from trade_sums t where t.account_id = ${accountId} and t.span = p.span
          and t.begins >= p.first and t.begins < p.beyond offset 0) s
        where true
          ${filter.symbol === null ? sql`` : sql`and s.symbol = ${filter.symbol}`}
          ${filter.side === null ? sql`` : sql`and s.side = ${filter.side}`}
          ${filter.result === null ? sql`` : sql`and s.sign = ${filter.result === 'profit' ? 1 : -1}::smallint`}`
  return found ?? { trades: 0, profit: 0n, swap: 0n, commission: 0n, fee: 0n }
}

/** Returns the symbols that an account has traded. */
export async function symbolsOf(connection: Connection, accountId: AccountId): Promise<string[]> {
  const found = await rows<{ symbol: string }>(connection)`
    select distinct symbol from trade_sums where account_id = ${accountId} and span = 'year' order by symbol limit 500`
  return found.map(({ symbol }) => symbol)
}

export interface WholeTrade extends TradeRow {
  readonly openedAt: Date | null
  readonly stopLoss: string | null
  readonly takeProfit: string | null
  readonly reason: number
  readonly order: bigint
}

/** Returns one closed trade by its closing deal, or null. */
export async function tradeByDeal(
  connection: Connection,
  accountId: AccountId,
  deal: string,
): Promise<WholeTrade | null> {
  if (deal.length > 18) return null
  return row<WholeTrade>(connection)`
    select ${tradeColumns}, ${furtherColumns} from closed_trades where account_id = ${accountId} and deal = ${deal}::bigint`
}

/** Splits a period into whole years, whole months and single days, so that stored sums serve for the whole ones. */

/** A whole year, a whole month or consecutive days. */
interface Span {
  readonly span: 'day' | 'month' | 'year'
  /** The first day, and the first day after the span. */
  readonly from: string | null
  readonly to: string | null
}

/** No trade is later, and the first day of the following year still has four digits. */
const lastDay = '9998-12-31'

function capAtLastDay(day: string | null): string | null {
  return day !== null && day > lastDay ? lastDay : day
}

/** Returns the whole years, whole months and days of a period; an open side is covered by years. */
function spansOf(period: Pick<Span, 'from' | 'to'>): Span[] {
  const [from, to] = [capAtLastDay(period.from), capAtLastDay(period.to)]
  if (from === null && to === null) return [{ span: 'year', from: null, to: null }]
  const end = to === null ? null : dayAfter(to)
  const years = {
    from: from === null ? null : firstFrom(from, 'year'),
    to: end === null ? null : lastUntil(end, 'year'),
  }
  if (years.from !== null && years.to !== null && years.from >= years.to) return monthsOf(from, end)
  return [
    ...(from === null ? [] : monthsOf(from, years.from)),
    { span: 'year' as const, ...years },
    ...(end === null ? [] : monthsOf(years.to, end)),
  ].filter(isNotEmpty)
}

function monthsOf(from: string | null, end: string | null): Span[] {
  if (from === null || end === null || from >= end) return []
  const months = { from: firstFrom(from, 'month'), to: lastUntil(end, 'month') }
  if (months.from >= months.to) return [{ span: 'day', from, to: end }]
  const spans: Span[] = [
    { span: 'day', from, to: months.from },
    { span: 'month', ...months },
    { span: 'day', from: months.to, to: end },
  ]
  return spans.filter(isNotEmpty)
}

function isNotEmpty({ from, to }: Span): boolean {
  return from === null || to === null || from < to
}

const firstOf = { month: (day: string) => `${day.slice(0, 7)}-01`, year: (day: string) => `${day.slice(0, 4)}-01-01` }

/** Returns the first day of the first month or year that begins on or after a day. */
function firstFrom(day: string, span: 'month' | 'year'): string {
  const first = firstOf[span](day)
  if (first === day) return day
  return firstOf[span](new Date(Date.parse(first) + (span === 'month' ? 32 : 367) * dayMs).toISOString())
}

function lastUntil(day: string, span: 'month' | 'year'): string {
  return firstOf[span](day)
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}
