/** Reads accounts completely: new ones, and those whose past has changed. */
import { movesMoney, rowOfDeal } from '#rules/closed-trades.ts'
import { dayMs, hourMs } from '#rules/dates.ts'
import { tradingDay } from '#rules/trading-days.ts'
import { run, sql, transaction } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Rejected, Unavailable } from '../../integrations/errors.ts'
import type { PlatformDeal, TradeHistory } from '../../integrations/trading-platform/trade-history.ts'
import { storeReports, type ReadAccount } from './record-days.ts'
import { storeDeals, type DealSource } from './store-deals.ts'
import { accountsWith, forEachAccount, dueForRetry, type ReadingDependencies } from './each-account.ts'

/** Maximum time of a turn for the past of accounts. */
const completeReadMsMax = 40_000
const completeReadsAtOnce = 20

/** Reads complete accounts, within the time of a turn. */
export async function readCompleteAccounts(
  dependencies: ReadingDependencies,
  history: TradeHistory,
  source: DealSource,
): Promise<void> {
  const { jobs, log } = dependencies
  const readAll = (accounts: readonly ReadAccount[]) =>
    forEachAccount(dependencies, {
      accounts,
      platform: source.platform,
      async work(account) {
        const versions = await readCompleteAccount(jobs, history, source, account)
        log.debug({ account: account.id, versions }, 'trades of an account read')
      },
    })
  await readAll(await accountsWith(jobs, source, sql`h.unread and ${dueForRetry(source)}`))
  const begun = performance.now()
  while (performance.now() - begun < completeReadMsMax) {
    const which = sql`h.unread and h.failed_at is null order by a.id limit ${completeReadsAtOnce}`
    const accounts = await accountsWith(jobs, source, which)
    if (accounts.length === 0) return
    await readAll(accounts)
  }
}

async function readCompleteAccount(
  jobs: Dependencies['jobs'],
  history: TradeHistory,
  source: DealSource,
  account: ReadAccount,
): Promise<number> {
  const until = source.zone.toServerTime(source.now.getTime()) + dayMs
  const { deals, agrees } = await readAllDeals(history, account.login, until)
  // After the deals: for an account that was just deleted the platform returns no deals, which must not delete ours.
  const group = (await history.groupsOf([account.login])).get(account.login)
  if (group === undefined)
    throw new Rejected('not-found', `${source.platform}:absent`, 'The platform has no such account')
  const first = deals.filter(({ ticket }) => ticket !== '').reduce((least, { time }) => Math.min(least, time), until)
  const reports = await history.dayEnds([account.login], first - dayMs, until)
  await storeReports(jobs, source, [account], reports)
  const offsets = new Map(reports.map(({ day, offsetMs }) => [day, offsetMs]))
  const zone = {
    ...source.zone,
    toUtc(platformMs: number) {
      const offset = offsets.get(tradingDay(platformMs))
      return offset === undefined ? source.zone.toUtc(platformMs) : platformMs - offset
    },
  }
  // Without reports, the current open positions prove nothing about the night before the first reading.
  const today = tradingDay(source.zone.toServerTime(source.now.getTime()))
  const versions = await transaction(jobs, async (tx) => {
    const stored = await storeDeals(tx, { ...source, zone }, account.id, deals, agrees === true)
    if (agrees === false) return null
    await run(tx)`
      update account_histories set unread = false, group_name = ${group}, read_at = ${source.now},
          compared_at = ${source.now}, noted_day = coalesce(noted_day, ${today}::date), failed_at = null, problem = null
        where account_id = ${account.id}`
    return stored
  })
  if (versions === null)
    throw new Unavailable("The deals that the platform returned do not add up to the account's balance")
  return versions
}

interface AllDeals {
  readonly deals: readonly PlatformDeal[]
  /**
   * Whether they add up to the platform's own sum, so that none is missing; null if they cannot be compared, because
   * one is unreadable (ADR 328) or our login may not read the sum.
   */
  readonly agrees: boolean | null
}

/** Reads the newest deals again if the sum differs, because the account may have been traded during the reading. */
async function readAllDeals(history: TradeHistory, login: string, until: number): Promise<AllDeals> {
  const readSince = async (from: number) =>
    (await history.deals([login], from, until)).filter((deal) => deal.login === login)
  const first = await compareWithSum(await readSince(0), history, login)
  if (first.agrees !== false) return first
  const deals = new Map(first.deals.map((deal) => [deal.ticket, deal]))
  for (const deal of await readSince(until - dayMs - hourMs)) deals.set(deal.ticket, deal)
  return compareWithSum([...deals.values()], history, login)
}

async function compareWithSum(deals: readonly PlatformDeal[], history: TradeHistory, login: string): Promise<AllDeals> {
  if (deals.some(({ unreadable }) => unreadable !== undefined)) return { deals, agrees: null }
  const sums = await history.sums(login).catch((error: unknown) => {
    if (error instanceof Rejected && error.reason === 'no-permission') return null
    throw error
  })
  if (sums === null) return { deals, agrees: null }
  const missing = { balance: sums.balance, credit: sums.credit }
  for (const { action, profit, swap, commission, fee } of deals) {
    if (!movesMoney(action)) continue
    missing[rowOfDeal(action, null) === 'credit' ? 'credit' : 'balance'] -= profit + swap + commission + fee
  }
  return { deals, agrees: missing.balance === 0n && missing.credit === 0n }
}
