/**
 * Accounts at the end of the platform's days: from its reports or, without reports, from our deals and the first
 * reading.
 */
import { dayMs } from '#rules/dates.ts'
import type { Pool } from 'pg'
import type { AccountId } from '#rules/ids.ts'
import { statementDueDays } from '#rules/constants.ts'
import { firstOfMonth, tradingDay, monthAfter } from '#rules/trading-days.ts'
import { rows, run, transaction, type Transaction } from '../../db/sql.ts'
import type {
  CurrentFigures,
  PlatformDayEnd,
  PlatformOpenTrades,
  TradeHistory,
} from '../../integrations/trading-platform/trade-history.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import { scheduleStatementChecks, type DealSource } from './store-deals.ts'

/** Reports of the last three days are read each day, because one may be late. */
const lateMs = 3 * dayMs
/** After a longer outage the reports of all its days are read, as far back as months still get a statement. */
const outageMsMax = 731 * dayMs
/** Maximum number of reports in memory before they are stored. */
const reportsHeldMax = 15_000
/** Earlier missed months get no statement; reports are read as far back as this. */
const missedMonthsMax = 24

/** An account while its history is read. */
export interface ReadAccount {
  readonly id: AccountId
  readonly login: string
}

/**
 * Stores the reports of accounts, which replace readings; statements of the months that they change are checked later.
 * They also contain the platform's clock on past days.
 */
export async function storeReports(
  pool: Pool,
  { platform, now }: Pick<DealSource, 'platform' | 'now'>,
  accounts: readonly ReadAccount[],
  reports: readonly PlatformDayEnd[],
): Promise<void> {
  if (reports.length === 0) return
  const ids = new Map(accounts.map(({ id, login }) => [login, id]))
  // A report made just after midnight belongs to the same day as the next one. The last one counts: a statement cannot
  // write a row twice, and would fail for all accounts.
  const kept = new Map<string, Readonly<Record<string, string>>>()
  for (const { login, day, balance, credit, floating, margin } of reports) {
    const account = ids.get(login)
    if (account)
      kept.set(`${account} ${day}`, {
        account,
        day,
        balance: String(balance),
        credit: String(credit),
        floating: String(floating),
        margin: String(margin),
      })
  }
  const offsets = [...new Map(reports.map(({ day, offsetMs }) => [day, { day, seconds: offsetMs / 1000 }])).values()]
  await transaction(pool, async (tx) => {
    const stored = await rows<{ accountId: AccountId; day: string }>(tx)`
      insert into account_days (account_id, day, balance_minor, credit_minor, floating_minor, margin_minor, source, noted_at)
        select r.account, r.day, r.balance, r.credit, r.floating, r.margin, 'report', ${now}
          from jsonb_to_recordset(${JSON.stringify([...kept.values()])}::text::jsonb) as r (account uuid, day date,
            balance bigint, credit bigint, floating bigint, margin bigint)
        on conflict (account_id, day) do update set balance_minor = excluded.balance_minor,
          credit_minor = excluded.credit_minor, floating_minor = excluded.floating_minor, source = 'report',
          margin_minor = excluded.margin_minor, noted_at = excluded.noted_at where account_days.source = 'reading'
        returning account_id as "accountId", day::text as day`
    await scheduleStatementChecks(tx, stored, now)
    await run(tx)`
      insert into platform_days (platform, day, offset_seconds, missing_rights, read_at)
        select ${platform}, o.day, o.seconds, '{}', ${now}
          from jsonb_to_recordset(${JSON.stringify(offsets)}::text::jsonb) as o (day date, seconds integer)
        on conflict do nothing`
  })
}

/**
 * Records yesterday's end of accounts, by the platform's day; without a report unrealised P&L and margin are the
 * current ones. The end of an account that has neither stays unknown. If a month ended since, records the data of its
 * statement too, and that of months that ended while nothing was read.
 */
export async function recordYesterday(
  pool: Pool,
  history: TradeHistory,
  source: DealSource,
  accounts: readonly ReadAccount[],
): Promise<void> {
  if (accounts.length === 0) return
  const nowMs = source.zone.toServerTime(source.now.getTime())
  const today = tradingDay(nowMs)
  const yesterday = tradingDay(Date.parse(today) - dayMs)
  const logins = accounts.map(({ login }) => login)
  const ids = accounts.map(({ id }) => id)
  const lastDays = Date.parse(today) - lateMs
  const behind = await lastRecordedDays(pool, ids, tradingDay(lastDays))
  const earliestDay = [...behind.values()].toSorted()[0] ?? today
  const missed = monthsMissed(earliestDay, today)
  const split = Map.groupBy(accounts, ({ id }) => behind.has(id))
  const outage = Math.max(Date.parse(earliestDay), Date.parse(today) - outageMsMax)
  const atOnce = Math.floor(reportsHeldMax / ((Date.parse(today) - outage) / dayMs + 2))
  const parts = [
    { some: split.get(false) ?? [], from: lastDays },
    ...splitIntoParts(split.get(true) ?? [], atOnce).map((some) => ({ some, from: outage })),
  ]
  const reported = new Set<string>()
  for (const { some, from } of parts) {
    const reports = await history.dayEnds(
      some.map(({ login }) => login),
      from,
      nowMs,
    )
    await storeReports(pool, source, some, reports)
    for (const { login, day } of reports) if (day === yesterday) reported.add(login)
  }
  const unreported = accounts.filter(({ login }) => !reported.has(login))
  const figures: ReadonlyMap<string, CurrentFigures> =
    unreported.length === 0 ? new Map() : await history.currentFigures(unreported.map(({ login }) => login))
  const isMonthEnd = firstOfMonth(today) === today
  const open = isMonthEnd ? await history.openTrades(logins) : null
  // An account with unreadable positions is tried again; from the next day on, its month counts as missed.
  const readable = open === null ? accounts : accounts.filter(({ login }) => open.has(login))
  const readableIds = readable.map(({ id }) => id)
  await transaction(pool, async (tx) => {
    await storeReadings(tx, unreported, figures, yesterday, source.now)
    for (const { month, lastDay } of missed) {
      await storeFlatEnds(tx, source, readableIds, lastDay)
      await storeMissedMonth(tx, source, readableIds, { month, lastDay })
    }
    await storeMonthEnds(tx, source, readableIds)
    if (open !== null) await storePositions(tx, readable, open, { today, now: source.now })
    await run(tx)`update account_histories set noted_day = ${today} where account_id = any (${readableIds}::uuid[])`
  })
}

async function storeReadings(
  tx: Transaction,
  accounts: readonly ReadAccount[],
  figures: ReadonlyMap<string, CurrentFigures>,
  day: string,
  now: Date,
): Promise<void> {
  const kept = accounts.flatMap(({ id, login }) => {
    const read = figures.get(login)
    if (read === undefined) return []
    return [{ account: id, floating: String(read.floating), margin: read.margin === null ? null : String(read.margin) }]
  })
  await run(tx)`
    insert into account_days (account_id, day, balance_minor, credit_minor, floating_minor, margin_minor, source, noted_at)
      select r.account, ${day}::date, s.balance, s.credit, r.floating, r.margin, 'reading', ${now}
        from jsonb_to_recordset(${JSON.stringify(kept)}::text::jsonb) as r (account uuid, floating bigint, margin bigint)
          cross join lateral (select coalesce(sum(amount_minor) filter (where sum_row <> 'credit'), 0)::bigint as balance,
              coalesce(sum(amount_minor) filter (where sum_row = 'credit'), 0)::bigint as credit
            from deal_sums where account_id = r.account and day <= ${day}::date) s
      on conflict do nothing`
}

/** Returns the accounts last noted before `day`, with the day on which they were noted. */
async function lastRecordedDays(pool: Pool, ids: readonly AccountId[], day: string): Promise<Map<AccountId, string>> {
  const found = await rows<{ id: AccountId; day: string }>(pool)`
    select account_id as id, noted_day::text as day from account_histories
      where account_id = any (${[...ids]}::uuid[]) and noted_day < ${day}::date`
  return new Map(found.map((one) => [one.id, one.day]))
}

/**
 * Records a day that was not noted, for accounts without a report of it and without an open position at its end: their
 * deals alone give all values, once they have been read in this turn.
 */
async function storeFlatEnds(
  tx: Transaction,
  { platform, now }: DealSource,
  ids: readonly AccountId[],
  day: string,
): Promise<void> {
  await run(tx)`
    insert into account_days (account_id, day, balance_minor, credit_minor, floating_minor, margin_minor, source, noted_at)
      select h.account_id, ${day}::date, s.balance, s.credit, 0, 0, 'reading', ${now}
        from account_histories h join deal_cursors c on c.platform = ${platform} and c.read_at >= ${now}
          cross join lateral (select coalesce(sum(amount_minor) filter (where sum_row <> 'credit'), 0)::bigint as balance,
              coalesce(sum(amount_minor) filter (where sum_row = 'credit'), 0)::bigint as credit
            from deal_sums where account_id = h.account_id and day <= ${day}::date) s
        where h.account_id = any (${[...ids]}::uuid[]) and not h.unread and h.noted_day <= ${day}::date
          and not exists (select from kept_deals k where k.account_id = h.account_id and k.day <= ${day}::date
            and k.action < 2 and k.position <> 0
            group by k.position having sum(case k.action when 0 then k.volume else -k.volume end) <> 0)
      on conflict do nothing`
}

/**
 * Returns the months, by their first day, whose last day has passed since accounts were noted on `noted`, which covers
 * the day before. A last day within the last three days is excluded, because it is read today anyway.
 */
function monthsMissed(since: string, today: string): { month: string; lastDay: string }[] {
  const found: { month: string; lastDay: string }[] = []
  for (let month = firstOfMonth(since); monthAfter(month) <= today; month = monthAfter(month)) {
    const lastDay = tradingDay(Date.parse(monthAfter(month)) - dayMs)
    if (lastDay >= since && Date.parse(today) - Date.parse(lastDay) > lateMs) found.push({ month, lastDay })
  }
  return found.slice(-missedMonthsMax)
}

/**
 * Records a month of live accounts that ended while nothing was read, if its last day is known now. The month is
 * checked a day later at the earliest; until then the positions of its report are read.
 */
async function storeMissedMonth(
  tx: Transaction,
  { zone, now }: DealSource,
  ids: readonly AccountId[],
  { month, lastDay }: { readonly month: string; readonly lastDay: string },
): Promise<void> {
  const dueAt = new Date(zone.toUtc(Date.parse(lastDay) + dayMs) + statementDueDays * dayMs)
  const lookAt = new Date(Math.max(dueAt.getTime(), now.getTime() + dayMs))
  await run(tx)`
    insert into month_ends (account_id, month, noted_at, due_at, look_at)
      select a.id, ${month}, ${now}, ${dueAt}, ${lookAt} from trading_accounts a
          join account_histories h on h.account_id = a.id
        where a.id = any (${[...ids]}::uuid[]) and a.request_type = 'live' and h.noted_day <= ${lastDay}::date
          and exists (select from account_days d where d.account_id = a.id and d.day = ${lastDay}::date)
          and (exists (select from account_days d where d.account_id = a.id and d.day < ${month}::date)
            or not exists (select from deal_sums s where s.account_id = a.id and s.day < ${month}::date))
      on conflict do nothing`
}

/**
 * Records the last completed month of live accounts with a known end; accounts with earlier deals also need a known end
 * of the month before, which is the month's beginning.
 */
async function storeMonthEnds(tx: Transaction, { zone, now }: DealSource, ids: readonly AccountId[]): Promise<void> {
  const beyond = firstOfMonth(tradingDay(zone.toServerTime(now.getTime())))
  const month = firstOfMonth(tradingDay(Date.parse(beyond) - dayMs))
  const dueAt = new Date(zone.toUtc(Date.parse(beyond)) + statementDueDays * dayMs)
  await run(tx)`
    insert into month_ends (account_id, month, noted_at, due_at, look_at)
      select a.id, ${month}, ${now}, ${dueAt}, ${dueAt} from trading_accounts a
        where a.id = any (${[...ids]}::uuid[]) and a.request_type = 'live'
          and exists (select from account_days d where d.account_id = a.id and d.day >= ${month}::date and d.day < ${beyond}::date)
          and (exists (select from account_days d where d.account_id = a.id and d.day < ${month}::date)
            or not exists (select from deal_sums s where s.account_id = a.id and s.day < ${month}::date))
      on conflict do nothing`
}

/** Stores the current open positions that were already open at the month's end. */
async function storePositions(
  tx: Transaction,
  accounts: readonly ReadAccount[],
  open: ReadonlyMap<string, PlatformOpenTrades>,
  { today, now }: { readonly today: string; readonly now: Date },
): Promise<void> {
  const month = firstOfMonth(tradingDay(Date.parse(today) - dayMs))
  const kept = accounts.flatMap(({ id, login }) =>
    (open.get(login)?.positions ?? [])
      .filter(({ time }) => time < Date.parse(today))
      .map(({ ticket, price, openPrice, swap, profit }) => {
        return { account: id, position: ticket, price, openPrice, swap: String(swap), profit: String(profit) }
      }),
  )
  await run(tx)`
    update month_ends set positions_at = ${now}
      where account_id = any (${accounts.map(({ id }) => id)}::uuid[]) and month = ${month}::date`
  await run(tx)`
    insert into month_end_positions (account_id, month, position, price, open_price, swap_minor, profit_minor)
      select p.account, ${month}, p.position, p.price, p."openPrice", p.swap, p.profit
        from jsonb_to_recordset(${JSON.stringify(kept)}::text::jsonb) as p (account uuid, position bigint, price text,
          "openPrice" text, swap bigint, profit bigint)
          join month_ends e on e.account_id = p.account and e.month = ${month}::date
      on conflict do nothing`
}
