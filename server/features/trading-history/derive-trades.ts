/** Derives closed trades, their sums and the sums of all movements from an account's deals. */
import { closedTrades, type ClosedTrade, type StoredDeal } from '#rules/closed-trades.ts'
import type { AccountId } from '#rules/ids.ts'
import { tradingDay } from '#rules/trading-days.ts'
import { rows, run, type Transaction } from '../../db/sql.ts'
import { partsOfDeal } from './movement-sums.ts'

/** The changed parts of an account: position numbers, and days of the platform. */
export interface ChangedParts {
  readonly positions: readonly string[]
  readonly days: readonly string[]
}

const atOnce = 5_000

export async function rederiveAccount(tx: Transaction, accountId: AccountId, touched: ChangedParts): Promise<void> {
  const days = await rederiveTrades(tx, accountId, touched.positions)
  await rederiveTradeSums(tx, accountId, days)
  await run(tx)`delete from deal_sums where account_id = ${accountId} and day = any (${[...touched.days]}::date[])`
  await run(tx)`
    insert into deal_sums (account_id, day, sum_row, amount_minor)
      select d.account_id, d.day, part.sum_row, sum(part.amount)::bigint
        from kept_deals d ${partsOfDeal}
        where d.account_id = ${accountId} and d.day = any (${[...touched.days]}::date[])
          and part.sum_row is not null and part.amount is not null
        group by d.account_id, d.day, part.sum_row
        having sum(part.amount) <> 0 or part.sum_row = 'unknown'`
}

/** `odd`: whether the deal is not completely readable. */
type DealRow = Omit<StoredDeal, 'time'> & { readonly time: bigint; readonly at: Date; readonly odd: boolean }

/**
 * Derives the trades of positions again; returns the days of the old and of the new trades. A position with an
 * unreadable deal has no trades, because their results would be wrong.
 */
async function rederiveTrades(tx: Transaction, accountId: AccountId, positions: readonly string[]): Promise<string[]> {
  if (positions.length === 0) return []
  const kept = await rows<DealRow>(tx)`
    select deal, position, order_ticket as "order", symbol, action, entry, reason, volume, closed_volume as "closedVolume",
        price, price_position as "pricePosition", stop_loss as "stopLoss", take_profit as "takeProfit",
        profit_minor as profit, swap_minor as swap, commission_minor as commission, fee_minor as fee, platform_ms as time, at,
        coalesce(sum_row = 'unknown', false) as odd
      from kept_deals where account_id = ${accountId} and position = any (${[...positions]}::bigint[])`
  const trades = [...Map.groupBy(kept, ({ position }) => position).values()].flatMap((deals) => {
    if (deals.some(({ odd }) => odd)) return []
    const dates = new Map(deals.map(({ time, at }) => [Number(time), at]))
    return closedTrades(deals.map(({ odd: _read, ...deal }) => ({ ...deal, time: Number(deal.time) }))).map(
      (trade) => ({ trade, dates }),
    )
  })
  const before = await rows<{ day: string }>(tx)`
    delete from closed_trades where account_id = ${accountId} and position = any (${[...positions]}::bigint[])
      returning day::text as day`
  const records = trades.map(({ trade, dates }) => recordOf(trade, dates))
  for (let start = 0; start < records.length; start += atOnce)
    await insertTrades(tx, accountId, records.slice(start, start + atOnce))
  return [...new Set([...before, ...records].map(({ day }) => day))]
}

function recordOf(trade: ClosedTrade, dates: ReadonlyMap<number, Date>) {
  const texts = Object.fromEntries(
    Object.entries(trade).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )
  return {
    ...texts,
    openedAt: trade.openedAt === null ? null : (dates.get(trade.openedAt) ?? null),
    closedAt: dates.get(trade.closedAt) ?? null,
    platformMs: trade.closedAt,
    day: tradingDay(trade.closedAt),
  }
}

async function insertTrades(tx: Transaction, accountId: AccountId, records: readonly object[]): Promise<void> {
  await run(tx)`
    insert into closed_trades (account_id, deal, position, order_ticket, symbol, side, volume, open_price, close_price,
        stop_loss, take_profit, reason, profit_minor, swap_minor, commission_minor, fee_minor, opened_at, closed_at,
        platform_ms, day)
      select ${accountId}, t.deal, t.position, t."order", t.symbol, t.side, t.volume, t."openPrice", t."closePrice",
          t."stopLoss", t."takeProfit", t.reason, t.profit, t.swap, t.commission, t.fee, t."openedAt", t."closedAt",
          t."platformMs", t.day
        from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb) as t (deal bigint, position bigint, "order" bigint,
          symbol text, side text, volume bigint, "openPrice" text, "closePrice" text, "stopLoss" text, "takeProfit" text,
          reason smallint, profit bigint, swap bigint, commission bigint, fee bigint, "openedAt" timestamptz,
          "closedAt" timestamptz, "platformMs" bigint, day date)`
}

async function rederiveTradeSums(tx: Transaction, accountId: AccountId, days: readonly string[]): Promise<void> {
  if (days.length === 0) return
  const begins = { day: [...days], month: periodStarts(days, 7, '-01'), year: periodStarts(days, 4, '-01-01') }
  for (const [span, firstDays] of Object.entries(begins))
    await run(tx)`
      delete from trade_sums where account_id = ${accountId} and span = ${span} and begins = any (${firstDays}::date[])`
  await run(tx)`
    insert into trade_sums (account_id, span, begins, symbol, side, sign, trades, profit_minor, swap_minor,
        commission_minor, fee_minor)
      select account_id, 'day', day, symbol, side, sign(result_minor)::smallint, count(*), sum(profit_minor),
          sum(swap_minor), sum(commission_minor), sum(fee_minor)
        from closed_trades where account_id = ${accountId} and day = any (${begins.day}::date[])
        group by account_id, day, symbol, side, sign(result_minor)`
  for (const [span, lower] of [
    ['month', 'day'],
    ['year', 'month'],
  ] as const)
    await run(tx)`
      insert into trade_sums (account_id, span, begins, symbol, side, sign, trades, profit_minor, swap_minor,
          commission_minor, fee_minor)
        select account_id, ${span}, first, symbol, side, sign, sum(trades), sum(profit_minor), sum(swap_minor),
            sum(commission_minor), sum(fee_minor)
          from unnest(${begins[span]}::date[]) as first
            join trade_sums s on s.account_id = ${accountId} and s.span = ${lower} and s.begins >= first
              and s.begins < (first + ${`1 ${span}`}::interval)::date
          group by account_id, first, symbol, side, sign`
}

function periodStarts(days: readonly string[], length: number, rest: string): string[] {
  return [...new Set(days.map((day) => `${day.slice(0, length)}${rest}`))]
}
