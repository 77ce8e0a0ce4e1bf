/** The facts of an account's month, from its deals and day ends, and the SQL that reads them (ADR 241). */
import type { AccountId } from '#rules/ids.ts'
import { firstOfMonth, monthAfter, tradingDay } from '#rules/trading-days.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import { dayEnds, isIncomplete, sumsOf, type DayEnd } from '../trading-history/queries.ts'

/** An account at a month's end; amounts are minor units as text, like the stored facts. */
export interface MonthEnd {
  readonly balance: string
  readonly credit: string
  readonly floating: string
  /** Absent if it was not stored. */
  readonly margin?: string
  /** The last known day if the statement's own day is not known; credit and unrealised P&L are of its end. */
  readonly day?: string
}

export interface StatementTrade {
  readonly ticket: string
  readonly openedMs: string | null
  readonly closedMs: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly volume: string
  readonly openPrice: string
  readonly closePrice: string
  readonly profit: string
  readonly swap: string
  readonly commission: string
  readonly fee: string
}

export interface Movement {
  readonly ticket: string
  readonly ms: string
  readonly row: string
  readonly reference: string | null
  readonly amount: string
}

interface StatementPosition {
  readonly position: string
  readonly openedMs: string
  readonly symbol: string
  /** In units of 10⁻⁸ lots; negative if sold. */
  readonly net: string
  /** Null if it was closed before it was read. */
  readonly openPrice: string | null
  readonly price: string | null
  readonly swap: string | null
  readonly profit: string | null
}

/** All facts of a month's statement. Times are ms of the platform's own clock. */
export interface StatementFacts {
  readonly opening: MonthEnd
  readonly closing: MonthEnd
  /** Movements by the rows of the account's sum, without the unrealised P&L. */
  readonly rows: Readonly<Record<string, string>>
  readonly trades: readonly StatementTrade[]
  readonly movements: readonly Movement[]
  readonly positions: readonly StatementPosition[]
  /** When prices and results of the positions were read. */
  readonly positionsMs: string | null
  /** The day of the report that the prices and results come from, if they come from a report. */
  readonly positionsDay?: string
  readonly offsetMinutes: number
  /** The clock's offset before it was changed within the month, and the last day on which it is known. */
  readonly clockBefore?: { readonly minutes: number; readonly until: string }
}

export type MonthProblem = 'not-agreed' | 'not-read'

/**
 * Returns the facts of an account's month if they add up exactly, by the sum of the account's page (requirements
 * 24.18).
 */
export async function monthFacts(
  connection: Connection,
  accountId: AccountId,
  month: string,
): Promise<StatementFacts | MonthProblem> {
  const beyond = monthAfter(month)
  if (!(await areDealsRead(connection, accountId, month))) return 'not-read'
  const ends = await dayEnds(connection, accountId, month)
  const first = ends.find(({ day }) => day < month)
  const opening = await dayEndOn(connection, accountId, first, dayBefore(month))
  const last = ends.findLast(({ day }) => day >= month && day < beyond)
  const closing = await dayEndOn(connection, accountId, last, dayBefore(beyond))
  const moved = await sumsByRow(connection, accountId, month)
  const amounts = Object.values(moved).reduce((sum, amount) => sum + BigInt(amount), 0n)
  const before = opening === undefined ? 0n : opening.balance + opening.credit
  const isSure = closing !== undefined && !closing.differs && opening?.differs !== true
  if (
    !isSure ||
    (await isIncomplete(connection, accountId, beyond)) ||
    before + amounts !== closing.balance + closing.credit
  )
    return 'not-agreed'
  const end = (one: typeof opening, meant: string): MonthEnd => ({
    balance: String(one?.balance ?? 0n),
    credit: String(one?.credit ?? 0n),
    floating: String(one?.floating ?? 0n),
    // Present only if known: earlier editions do not have the member, and their facts must stay the same.
    ...(one !== undefined && one.margin !== null && { margin: String(one.margin) }),
    ...(one !== undefined && one.day !== meant && { day: one.day }),
  })
  const { offsetMinutes, clockBefore, positionsMs, isReported } = await clockOf(connection, accountId, month)
  return {
    opening: end(opening, dayBefore(month)),
    closing: end(closing, dayBefore(beyond)),
    rows: moved,
    trades: await tradesIn(connection, accountId, month),
    movements: await movementsIn(connection, accountId, month),
    positions: await positionsOpenAt(connection, accountId, month),
    positionsMs: isReported ? null : positionsMs,
    offsetMinutes,
    ...(clockBefore !== null && { clockBefore }),
    ...(isReported && { positionsDay: dayBefore(beyond) }),
  }
}

/**
 * Returns the end of a day: as stored, or from the deals alone if there were deals after the last known day and they
 * leave no position open, as for an account that was deleted in the meantime. Otherwise returns the end of the last
 * known day.
 */
async function dayEndOn(
  connection: Connection,
  accountId: AccountId,
  known: DayEnd | undefined,
  day: string,
): Promise<DayEnd | undefined> {
  if (known === undefined || known.day === day || known.differs) return known
  const { balance, credit } = await sumsOf(connection, accountId, day)
  if (balance === known.balance && credit === known.credit) return known
  const open = await positionsOpenAt(connection, accountId, firstOfMonth(day))
  return open.length > 0 ? known : { day, balance, credit, floating: 0n, margin: 0n, differs: false }
}

function dayBefore(day: string): string {
  return tradingDay(Date.parse(day) - 86_400_000)
}

/**
 * Returns whether the account's deals are read up to the month's due time and no search for earlier changes is pending.
 */
async function areDealsRead(connection: Connection, accountId: AccountId, month: string): Promise<boolean> {
  const found = await row<{ read: boolean }>(connection)`
    select not h.unread and coalesce(c.read_at >= e.due_at - interval '1 day', false) as read
      from month_ends e join account_histories h on h.account_id = e.account_id
        join trading_accounts a on a.id = e.account_id left join deal_cursors c on c.platform = a.platform
      where e.account_id = ${accountId} and e.month = ${month}`
  return found?.read ?? false
}

async function sumsByRow(connection: Connection, accountId: AccountId, month: string): Promise<Record<string, string>> {
  const found = await rows<{ name: string; amount: string }>(connection)`
    select sum_row as name, sum(amount_minor)::text as amount from deal_sums
      where account_id = ${accountId} and day >= ${month}::date and day < ${monthAfter(month)}::date
      group by sum_row order by sum_row`
  return Object.fromEntries(found.map(({ name, amount }) => [name, amount]))
}

function tradesIn(connection: Connection, accountId: AccountId, month: string): Promise<StatementTrade[]> {
  return rows<StatementTrade>(connection)`
    select t.deal::text as ticket, t.platform_ms::text as "closedMs", t.symbol, t.side, t.volume::text as volume,
        t.open_price as "openPrice", t.close_price as "closePrice", t.profit_minor::text as profit,
        t.swap_minor::text as swap, t.commission_minor::text as commission, t.fee_minor::text as fee,
        (select min(d.platform_ms)::text from kept_deals d where d.account_id = t.account_id and d.position = t.position
          and d.entry in (0, 2) and d.at = t.opened_at) as "openedMs"
      from closed_trades t
      where t.account_id = ${accountId} and t.platform_ms >= ${Date.parse(month)}
        and t.platform_ms < ${Date.parse(monthAfter(month))}
      order by t.platform_ms, t.deal`
}

/** Returns deals that are not trades, each with our reference if it carried out a request. */
function movementsIn(connection: Connection, accountId: AccountId, month: string): Promise<Movement[]> {
  return rows<Movement>(connection)`
    select k.deal::text as ticket, k.platform_ms::text as ms, k.sum_row as row,
        coalesce(d.reference, w.reference, t.reference) as reference,
        (k.profit_minor + k.swap_minor + k.commission_minor + k.fee_minor)::text as amount
      from kept_deals k left join corrections c on k.subject = 'correction' and c.id = k.record
        left join deposits d on d.id = coalesce(c.deposit_id, case when k.subject = 'deposit' then k.record end)
        left join withdrawals w on k.subject = 'withdrawal' and w.id = k.record
        left join transfers t on k.subject = 'transfer' and t.id = k.record
      where k.account_id = ${accountId} and k.day >= ${month}::date and k.day < ${monthAfter(month)}::date
        and k.sum_row is not null
      order by k.platform_ms, k.deal`
}

/**
 * Returns positions open at the month's end according to the deals, since their last reversal; price and result come
 * from the report or the reading.
 */
function positionsOpenAt(connection: Connection, accountId: AccountId, month: string): Promise<StatementPosition[]> {
  return rows<StatementPosition>(connection)`
    select o.position::text as position, o.opened::text as "openedMs", o.symbol, o.net::text as net,
        coalesce(p.open_price, (select t.open_price from closed_trades t where t.account_id = ${accountId}
          and t.position = o.position order by t.platform_ms desc limit 1)) as "openPrice",
        p.price, p.swap_minor::text as swap, p.profit_minor::text as profit
      from (select position, coalesce(max(platform_ms) filter (where entry = 2), min(platform_ms)) as opened, min(symbol) as symbol,
            sum(case action when 0 then volume else -volume end) as net
          from kept_deals where account_id = ${accountId} and day < ${monthAfter(month)}::date and action < 2
            and position <> 0
          group by position having sum(case action when 0 then volume else -volume end) <> 0) o
        left join (
          select r.position, r.price, r.open_price, r.swap_minor, r.profit_minor
            from month_end_positions r join month_ends e using (account_id, month)
            where r.account_id = ${accountId} and r.month = ${month}::date and e.reported_at is null
          union all
          select r.position, r.price, r.open_price, r.swap_minor, r.profit_minor
            from month_end_reported_positions r join month_ends e using (account_id, month)
            where r.account_id = ${accountId} and r.month = ${month}::date and e.reported_at is not null
        ) p on p.position = o.position
      order by o.opened, o.position`
}

interface ClockOfMonth extends Pick<StatementFacts, 'offsetMinutes' | 'positionsMs'> {
  readonly clockBefore: StatementFacts['clockBefore'] | null
  readonly isReported: boolean
}

async function clockOf(connection: Connection, accountId: AccountId, month: string): Promise<ClockOfMonth> {
  const found = await row<
    Pick<ClockOfMonth, 'clockBefore' | 'isReported'> & { minutes: number; positionsAt: Date | null }
  >(connection)`
    select coalesce(c.minutes, 0)::int as minutes, e.positions_at as "positionsAt", e.reported_at is not null as "isReported",
        (select jsonb_build_object('minutes', p.offset_seconds / 60, 'until', p.day) from platform_days p
          where p.platform = a.platform and p.day >= ${month}::date and p.day < ${monthAfter(month)}::date
            and p.offset_seconds / 60 <> c.minutes order by p.day desc limit 1) as "clockBefore"
      from month_ends e join trading_accounts a on a.id = e.account_id
        left join lateral (select p.offset_seconds / 60 as minutes from platform_days p where p.platform = a.platform
          order by p.day < ${monthAfter(month)}::date desc, abs(p.day - ${monthAfter(month)}::date) limit 1) c on true
      where e.account_id = ${accountId} and e.month = ${month}`
  const offsetMinutes = found?.minutes ?? 0
  const at = found?.positionsAt ?? null
  const positionsMs = at === null ? null : String(at.getTime() + offsetMinutes * 60_000)
  return { offsetMinutes, clockBefore: found?.clockBefore ?? null, positionsMs, isReported: found?.isReported ?? false }
}
