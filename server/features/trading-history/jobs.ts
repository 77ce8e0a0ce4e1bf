/**
 * Reads the trades of the platforms: new ones with one cursor per platform, an account's past once, and changes of
 * earlier deals by night.
 */
import { hourMs, dayMs } from '#rules/dates.ts'
import { tradingDay } from '#rules/trading-days.ts'
import { row, rows, run, sql, type Connection, transaction } from '../../db/sql.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { DealsOfPart, PlatformDeal, TradeHistory } from '../../integrations/trading-platform/trade-history.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { recordFound } from '../../ledger/missing-accounts.ts'
import { storeReportedPositions } from './store-reported-positions.ts'
import { recordYesterday, type ReadAccount } from './record-days.ts'
import { compareEveryMs, sumsOf } from './queries.ts'
import { storeDeals, type DealSource } from './store-deals.ts'
import { accountsWith, forEachAccount, dueForRetry, type ReadingDependencies } from './each-account.ts'
import { readCompleteAccounts } from './read-complete-accounts.ts'

const everyMs = 60_000
/** A turn is skipped if another server had one within this time. */
const turnMs = 50_000
/** Deals may arrive slightly out of order. */
const overlapMs = 300_000
const notedAtOnce = 1_000
/** Maximum per turn: 50,000 accounts are compared in 7 hours, with two calls a second. */
const comparedAtOnce = 120

export function tradingHistoryTasks(dependencies: Dependencies): ScheduledTask[] {
  return [{ name: 'read-trades', everyMs, run: () => readTrades(dependencies) }]
}

/** Runs one turn at each platform with trade history; one that does not respond is read in the next turn. */
export async function readTrades(dependencies: ReadingDependencies): Promise<void> {
  for (const platform of ['MT4', 'MT5'] as const) {
    const { history } = dependencies.platforms[platform].bulk
    if (history === null || !(await claimTurn(dependencies, platform))) continue
    try {
      if (await detectTradeHistory(dependencies.jobs, platform, history))
        await readPlatform(dependencies, platform, history)
    } catch (error) {
      if (!isIntegrationError(error)) throw error
      dependencies.log.warn({ platform, problem: String(error) }, 'trades not read')
    }
  }
}

async function claimTurn({ jobs, now }: ReadingDependencies, platform: Platform): Promise<boolean> {
  const at = now()
  const latest = new Date(at.getTime() - turnMs)
  const taken = await row<{ platform: string }>(jobs)`
    insert into deal_cursors (platform, newest_ms, turn_at) values (${platform}, 0, ${at})
      on conflict (platform) do update set turn_at = excluded.turn_at
        where deal_cursors.turn_at <= ${latest} or deal_cursors.turn_at > ${at}
      returning platform`
  return taken !== null
}

/** Returns whether the platform has trade history, and stores the result for the pages. */
async function detectTradeHistory(
  jobs: Dependencies['jobs'],
  platform: Platform,
  history: TradeHistory,
): Promise<boolean> {
  const isAvailable = await history.isAvailable()
  await run(jobs)`
    update deal_cursors set trades_told = ${isAvailable} where platform = ${platform} and trades_told is distinct from ${isAvailable}`
  return isAvailable
}

/** Runs each step even if another one was rejected or had no response. */
async function readPlatform(
  dependencies: ReadingDependencies,
  platform: Platform,
  history: TradeHistory,
): Promise<void> {
  const { jobs, now, log } = dependencies
  await run(jobs)`
    insert into account_histories (account_id, unread) select id, true from trading_accounts
      where platform = ${platform} and state = 'approved' and login is not null on conflict do nothing`
  const source = { platform, zone: await history.zone(), now: now() }
  const steps = {
    pasts: readCompleteAccounts,
    'new deals': readNew,
    night: runDailyReading,
    reports: () => storeReportedPositions(jobs, history, source),
    sums: compareSums,
  }
  for (const [step, work] of Object.entries(steps))
    await work(dependencies, history, source).catch((error: unknown) => {
      if (!isIntegrationError(error)) throw error
      log.warn({ platform, step, problem: String(error) }, 'trades not read')
    })
}

/**
 * Reads new deals in the groups of our accounts, from shortly before the newest known deal. After each part, the cursor
 * is at the newest deal so far, so that a failure in a later part does not read the earlier ones again.
 */
async function readNew(dependencies: ReadingDependencies, history: TradeHistory, source: DealSource): Promise<void> {
  const { jobs } = dependencies
  const { platform, now, zone } = source
  const cursor = await row<{ newest: bigint }>(jobs)`
    select newest_ms as newest from deal_cursors where platform = ${platform}`
  const nowMs = zone.toServerTime(now.getTime())
  let newest = Number(cursor?.newest ?? 0n) || nowMs - hourMs
  for await (const { deals, toMs } of dealsOfGroups(jobs, history, source, Math.min(newest, nowMs) - overlapMs)) {
    await storeOurs(dependencies, source, deals)
    newest = deals.reduce((most, { time }) => Math.max(most, Math.min(time, toMs)), newest)
    await run(jobs)`update deal_cursors set newest_ms = greatest(newest_ms, ${newest}) where platform = ${platform}`
  }
  await run(
    jobs,
  )`update deal_cursors set newest_ms = greatest(newest_ms, ${newest}), read_at = ${now} where platform = ${platform}`
}

async function* dealsOfGroups(
  jobs: Dependencies['jobs'],
  history: TradeHistory,
  { platform, zone, now }: DealSource,
  fromMs: number,
): AsyncIterable<DealsOfPart> {
  const groups = await rows<{ name: string }>(jobs)`
    select distinct named.name from trading_accounts a left join account_histories h on h.account_id = a.id
        cross join lateral (values (h.group_name), (a.group_name)) named (name)
      where a.platform = ${platform} and a.state = 'approved' and named.name is not null`
  if (groups.length === 0) return
  const names = groups.map(({ name }) => name)
  yield* history.dealsOfGroups(names, fromMs, zone.toServerTime(now.getTime()) + hourMs)
}

/** Stores the deals of our own accounts; others are neither stored nor logged. */
async function storeOurs(
  dependencies: ReadingDependencies,
  source: DealSource,
  deals: readonly PlatformDeal[],
): Promise<void> {
  const { jobs, log } = dependencies
  const byLogin = Map.groupBy(deals, ({ login }) => login)
  // If one belongs to our accounts, the comparison of sums finds it missing, and the account is read completely.
  const ownerless = byLogin.get('')
  if (ownerless) log.warn({ platform: source.platform, deals: ownerless.length }, 'deals without a readable account')
  const ownAccounts = await rows<ReadAccount>(jobs)`
    select id, coalesce(login, '') as login from trading_accounts
      where platform = ${source.platform} and state = 'approved' and login = any (${[...byLogin.keys()]}::text[]) order by id`
  await forEachAccount(dependencies, {
    accounts: ownAccounts,
    platform: source.platform,
    // The cursor moves past deals that could not be stored.
    againWhole: true,
    async work({ id, login }) {
      await transaction(jobs, (tx) => storeDeals(tx, source, id, byLogin.get(login) ?? []))
    },
  })
}

/**
 * Runs once in each of the platform's days: records groups, reads two days again, then records the ends of the day
 * before. The groups come first, because dealers move accounts, also into groups that contain no other account of ours.
 */
async function runDailyReading(
  dependencies: ReadingDependencies,
  history: TradeHistory,
  source: DealSource,
): Promise<void> {
  const { jobs } = dependencies
  const nowMs = source.zone.toServerTime(source.now.getTime())
  const today = tradingDay(nowMs)
  const accounts = await rows<ReadAccount>(jobs)`
    select a.id, coalesce(a.login, '') as login from account_histories h join trading_accounts a on a.id = h.account_id
      where a.platform = ${source.platform} and not h.unread and h.noted_day is distinct from ${today}::date
      order by a.id limit ${notedAtOnce}`
  if (accounts.length > 0) {
    const groups = await history.groupsOf(accounts.map(({ login }) => login))
    const named = accounts.map(({ id, login }) => ({ id, group: groups.get(login) ?? null }))
    await run(jobs)`
      update account_histories h set group_name = coalesce(n."group", h.group_name)
        from jsonb_to_recordset(${JSON.stringify(named)}::text::jsonb) as n (id uuid, "group" text) where h.account_id = n.id`
  }
  // The groups of the others are read in the next turns.
  if (accounts.length < notedAtOnce) await readTwoDays(dependencies, history, source)
  try {
    await recordYesterday(jobs, history, source, accounts)
  } catch (error) {
    // While these calls are rejected, the turn of the other accounts never comes, so the two days are read in the known
    // groups.
    if (isIntegrationError(error)) await readTwoDays(dependencies, history, source)
    throw error
  }
}

/** Reads the last two days again, once in each of the platform's days. */
async function readTwoDays(
  dependencies: ReadingDependencies,
  history: TradeHistory,
  source: DealSource,
): Promise<void> {
  const { jobs } = dependencies
  const nowMs = source.zone.toServerTime(source.now.getTime())
  const today = tradingDay(nowMs)
  const due = await row<{ platform: string }>(jobs)`
    select platform from deal_cursors where platform = ${source.platform} and reread_day is distinct from ${today}::date`
  if (due === null) return
  for await (const { deals } of dealsOfGroups(jobs, history, source, nowMs - 2 * dayMs))
    await storeOurs(dependencies, source, deals)
  await run(jobs)`update deal_cursors set reread_day = ${today} where platform = ${source.platform}`
}

/**
 * Compares the platform's sum of an account's deals with ours. If they differ, reads its newest deals and compares
 * again; if they still differ, an earlier deal was changed, and the whole account is read. An account with an
 * unreadable deal is read completely too, because the platform may have corrected it.
 */
async function compareSums(
  dependencies: ReadingDependencies,
  history: TradeHistory,
  source: DealSource,
): Promise<void> {
  const { jobs } = dependencies
  const before = new Date(source.now.getTime() - compareEveryMs)
  const isDue = sql`not h.unread and (h.compared_at is null or h.compared_at <= ${before})`
  const next = sql`${isDue} and h.failed_at is null order by h.compared_at nulls first limit ${comparedAtOnce}`
  const accounts = [
    ...(await accountsWith(jobs, source, next)),
    ...(await accountsWith(jobs, source, sql`${isDue} and ${dueForRetry(source)}`)),
  ]
  const groups = accounts.length === 0 ? new Map() : await history.groupsOf(accounts.map(({ login }) => login))
  await forEachAccount(dependencies, {
    accounts,
    platform: source.platform,
    async work(account) {
      const agrees =
        (await areSumsEqual(jobs, history, account)) || (await rereadAndCompareSum(jobs, history, source, account))
      // Only a query for this account alone shows why it is missing in the list; on failure, the doctor names the
      // account and the cause.
      if (agrees && !groups.has(account.login))
        await dependencies.platforms[source.platform].bulk.getAccount(account.login)
      if (agrees) await recordFound(jobs, [account.id])
      await run(jobs)`
        update account_histories set compared_at = ${source.now}, unread = ${!agrees} or unreadable is not null,
            failed_at = null, problem = null
          where account_id = ${account.id}`
    },
  })
}

async function rereadAndCompareSum(
  jobs: Dependencies['jobs'],
  history: TradeHistory,
  source: DealSource,
  account: ReadAccount,
): Promise<boolean> {
  const nowMs = source.zone.toServerTime(source.now.getTime())
  const deals = await history.deals([account.login], nowMs - dayMs, nowMs + hourMs)
  await transaction(jobs, (tx) => storeDeals(tx, source, account.id, deals))
  return areSumsEqual(jobs, history, account)
}

async function areSumsEqual(jobs: Connection, history: TradeHistory, { id, login }: ReadAccount): Promise<boolean> {
  const platformSums = await history.sums(login)
  const storedSums = await sumsOf(jobs, id)
  return platformSums.balance === storedSums.balance && platformSums.credit === storedSums.credit
}
