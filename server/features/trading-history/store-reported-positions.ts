/** Positions open at a month's end, from the full reports of its last day. */
import type { Pool } from 'pg'
import type { AccountId } from '#rules/ids.ts'
import { monthAfter, tradingDay } from '#rules/trading-days.ts'
import { rows, run, transaction } from '../../db/sql.ts'
import type { ReportedPosition, TradeHistory } from '../../integrations/trading-platform/trade-history.ts'
import type { DealSource } from './store-deals.ts'

/** Four calls a turn: 50,000 accounts are read in about four hours, long before their statements are due. */
const accountsAtOnce = 200
/** A report that was not found, or that did not list positions, is read again after this time. */
const againMs = 6 * 3_600_000

interface UnreportedEnd {
  readonly id: AccountId
  readonly login: string
  readonly month: string
}

/**
 * Reads full reports of accounts that have one and no statement of the month yet, and stores their positions in
 * addition to those of the reading. The light reports, which are read for all accounts, do not list positions.
 */
export async function storeReportedPositions(
  pool: Pool,
  history: TradeHistory,
  { platform, now }: Pick<DealSource, 'platform' | 'now'>,
): Promise<void> {
  const ends = await rows<UnreportedEnd>(pool)`
    with ends as (
      select e.account_id, e.month, a.login from month_ends e join trading_accounts a on a.id = e.account_id
        where e.edition = 0 and e.reported_at is null and a.platform = ${platform} and a.login is not null
          and (e.report_asked_at is null or e.report_asked_at <= ${new Date(now.getTime() - againMs)})
          and exists (select from account_days d where d.account_id = e.account_id and d.source = 'report'
            and d.day = (e.month + interval '1 month' - interval '1 day')::date)
        order by e.account_id, e.month limit ${accountsAtOnce})
    update month_ends e set report_asked_at = ${now} from ends
      where e.account_id = ends.account_id and e.month = ends.month
      returning e.account_id as id, ends.login, e.month::text as month`
  for (const [month, some] of Map.groupBy(ends, (end) => end.month)) {
    const lastDay = tradingDay(Date.parse(monthAfter(month)) - 86_400_000)
    const reported = await history.reportedPositions(
      some.map(({ login }) => login),
      lastDay,
    )
    await insertPositions(pool, { month, now, ends: some.filter(({ login }) => reported.has(login)) }, reported)
  }
}

interface ReportedMonth {
  readonly month: string
  readonly now: Date
  readonly ends: readonly UnreportedEnd[]
}

async function insertPositions(
  pool: Pool,
  { month, now, ends }: ReportedMonth,
  reported: ReadonlyMap<string, readonly ReportedPosition[]>,
): Promise<void> {
  if (ends.length === 0) return
  const positions = ends.flatMap(({ id, login }) =>
    (reported.get(login) ?? []).map(({ ticket, price, openPrice, swap, profit }) => {
      return { account: id, position: ticket, price, openPrice, swap: String(swap), profit: String(profit) }
    }),
  )
  await transaction(pool, async (tx) => {
    await run(tx)`
      insert into month_end_reported_positions (account_id, month, position, price, open_price, swap_minor, profit_minor)
        select p.account, ${month}, p.position, p.price, p."openPrice", p.swap, p.profit
          from jsonb_to_recordset(${JSON.stringify(positions)}::text::jsonb) as p (account uuid, position bigint, price text,
            "openPrice" text, swap bigint, profit bigint)
        on conflict do nothing`
    await run(tx)`
      update month_ends set reported_at = ${now}
        where account_id = any (${ends.map(({ id }) => id)}::uuid[]) and month = ${month}::date and edition = 0`
  })
}
