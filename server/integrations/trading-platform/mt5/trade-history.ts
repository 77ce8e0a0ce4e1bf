/** Deals, positions, orders and daily reports of a MetaTrader 5 server (webapi_deal, webapi_position, webapi_daily). */
import { dayMs } from '#rules/dates.ts'
import { tradingDay } from '#rules/trading-days.ts'
import { Unavailable } from '../../errors.ts'
import { isZoneOffset, offsetBetween, type ServerZone } from '../server-clock.ts'
import type { CurrentFigures, PlatformDayEnd, PlatformDeal, ReportedPosition, TradeHistory } from '../trade-history.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import { accountsAtOnce } from './account-search.ts'
import { namesInParts } from './all-deals.ts'
import type { Mt5Caller } from './caller.ts'
import { assertDealOfLogin, dealsBetween, dealsInParts, dealsOfAccount } from './deals.ts'
import { openTrades } from './open-trades.ts'
import { dealFrom } from './read-deal.ts'
import { accountRecords } from './account-records.ts'
import { groupOf } from './readings.ts'
import { unlessForbidden } from './rights.ts'
import { amountOf, listOf, numberText, priceText, recordOf, textOf, nullIfUnreadable } from './values.ts'

type WireRecord = Record<string, unknown>

/** The number of accounts that are read in one query, with their logins in its address. */
const loginsAtOnce = 500
/** The number of accounts whose full reports are read in one query: each lists the account's positions and orders. */
const fullReportsAtOnce = 50
/** The reports of many years of one account in one query would take a server longer than a call may last. */
const reportDaysAtOnce = 366
/** The reports of a month of `loginsAtOnce` accounts; more would be an answer of many megabytes. */
const reportsAtOnce = 15_000
/** A day's report is created at its end or shortly after. */
const reportLateSeconds = 3600

/**
 * Reads deals, positions and orders over the Web API. Times in parameters and results are ms by the platform's clock.
 */
export function mt5TradeHistory(caller: Mt5Caller, zone: () => Promise<ServerZone>): TradeHistory {
  const ofAll = async (path: string, logins: readonly string[], further: Record<string, string> = {}) => {
    const found: WireRecord[] = []
    for (const part of splitIntoParts(logins, loginsAtOnce))
      found.push(...(await caller.listOrOne(path, { login: part.join(','), ...further })))
    return found
  }
  return {
    isAvailable: () => Promise.resolve(true),
    zone,
    async deals(logins, fromMs, toMs) {
      const window = secondsOf(fromMs, toMs)
      const [owner = ''] = logins
      if (logins.length === 1)
        return (await dealsOfAccount(caller, owner, window.from, window.to)).map((deal) => {
          assertDealOfLogin(deal, owner)
          return dealFrom(deal, owner)
        })
      const found: PlatformDeal[][] = []
      for (const part of splitIntoParts(logins, accountsAtOnce)) {
        const deals = await dealsBetween(caller, { login: part.join(',') }, window.from, window.to)
        found.push(deals.map((deal) => dealFrom(deal, null)))
      }
      return found.flat()
    },
    async *dealsOfGroups(groups, fromMs, toMs) {
      const whose = namesInParts(groups).map((part) => ({ group: part.join(',') }))
      for await (const { deals, to } of dealsInParts(caller, whose, secondsOf(fromMs, toMs)))
        yield { deals: deals.map((deal) => dealFrom(deal, null)), toMs: to * 1000 }
    },
    openTrades: (logins) => openTrades(caller, logins),
    async dayEnds(logins, fromMs, toMs) {
      if (logins.length === 0) return []
      const reports: WireRecord[] = []
      const end = Math.ceil(toMs / 1000)
      const days = Math.floor(reportsAtOnce / Math.min(logins.length, loginsAtOnce))
      const secondsAtOnce = Math.min(days, reportDaysAtOnce) * 86_400
      for (let from = Math.floor(fromMs / 1000); from <= end; from += secondsAtOnce) {
        const seconds = { from: String(from), to: String(Math.min(from + secondsAtOnce - 1, end)) }
        const found = await unlessForbidden(() => ofAll('/api/daily/get_light_batch', logins, seconds))
        if (found === null) break
        reports.push(...found)
      }
      // A report of another time than was requested has an incorrect time.
      const [first, last] = [tradingDay(fromMs - dayMs), tradingDay(toMs + dayMs)]
      return dayEndsFrom(reports, await zone()).filter(({ day }) => day >= first && day <= last)
    },
    async reportedPositions(logins, day) {
      const begin = Date.parse(day) / 1000
      const seconds = { from: String(begin), to: String(begin + 86_400 + reportLateSeconds) }
      const found = new Map<string, ReportedPosition[]>()
      const clock = await zone()
      for (const part of splitIntoParts(logins, fullReportsAtOnce)) {
        const reports = await caller.listOrOne('/api/daily/get_batch', { login: part.join(','), ...seconds })
        for (const { report, day: of } of datedReports(reports, clock)) {
          const positions = of === day ? nullIfUnreadable(() => fullReportPositions(report)) : null
          if (positions !== null) found.set(textOf(report, 'Login'), positions)
        }
      }
      return found
    },
    async groupsOf(logins) {
      const users = accountRecords(await ofAll('/api/user/get_batch', logins), logins).of
      return new Map(
        [...users].flatMap(([login, user]) => {
          const group = nullIfUnreadable(() => groupOf(user))
          return group === null ? [] : [[login, group] as const]
        }),
      )
    },
    async currentFigures(logins) {
      const states = accountRecords(await ofAll('/api/user/account/get_batch', logins), logins)
      const read = [...states.of].flatMap(([login, state]) => {
        const figures = nullIfUnreadable(() => figuresOf(state))
        return figures === null ? [] : [[login, figures] as const]
      })
      // An account without a trade state has no positions, if it exists.
      const others = states.isOwnerless ? [] : states.without(logins)
      const users = others.length === 0 ? [] : await ofAll('/api/user/get_batch', others)
      const flat = [...accountRecords(users, others).of.keys()]
      return new Map([...read, ...flat.map((login) => [login, { floating: 0n, margin: 0n }] as const)])
    },
    async sums(login) {
      const answer = await caller.record('/api/user/check_balance', { login, fixflag: '0' })
      const history = (name: string) => amountOf(recordOf(answer[name]), 'History')
      return { balance: history('Balance'), credit: history('Credit') }
    },
  }
}

/** Returns the seconds that contain a time. */
function secondsOf(fromMs: number, toMs: number): { from: number; to: number } {
  return { from: Math.floor(fromMs / 1000), to: Math.ceil(toMs / 1000) }
}

const filetimeEpochMs = 11_644_473_600_000

function figuresOf(state: WireRecord): CurrentFigures {
  const of = (name: string) => amountOf(state, name)
  return { floating: of('Equity') - of('Balance') - of('Credit'), margin: of('Margin') }
}

/** A report without readable amounts counts as missing, so that the days of all other accounts are known. */
function dayEndsFrom(reports: readonly WireRecord[], zone: ServerZone): PlatformDayEnd[] {
  return datedReports(reports, zone).flatMap(({ report, day, offsetMs }) => {
    const end = nullIfUnreadable(() => dayEndValues(report))
    return end === null ? [] : [{ login: textOf(report, 'Login'), day, offsetMs, ...end }]
  })
}

function dayEndValues(report: WireRecord): Pick<PlatformDayEnd, 'balance' | 'credit' | 'floating' | 'margin'> {
  const [balance, credit] = [amountOf(report, 'Balance'), amountOf(report, 'Credit')]
  const floating = amountOf(report, 'ProfitEquity') - balance - credit
  return { balance, credit, floating, margin: amountOf(report, 'Margin') }
}

/** Throws `Unavailable` for a report without a login or a time. */
function reportTimes(report: WireRecord): { report: WireRecord; login: string; utc: number; previous: number } {
  const timestamp = textOf(report, 'Timestamp')
  if (!/^\d{1,18}$/.test(timestamp)) throw new Unavailable("The platform's Timestamp is not a time")
  return {
    report,
    login: textOf(report, 'Login'),
    utc: Number(BigInt(timestamp) / 10_000n) - filetimeEpochMs,
    previous: Number(textOf(report, 'DatetimePrev')) * 1000,
  }
}

interface DatedReport {
  readonly report: WireRecord
  readonly day: string
  readonly offsetMs: number
}

/**
 * Returns daily reports with their days. A report has its own time in UTC (a FILETIME) and the time of the previous
 * report by the server's clock; the next report therefore has this one's server time, and the difference is the offset
 * of the day. If the report between two of them is missing from the answer, the difference is longer than a day: then
 * the offset is that of the clock as it is known. A report without a time counts as missing.
 */
function datedReports(reports: readonly WireRecord[], zone: ServerZone): DatedReport[] {
  const dated = reports.flatMap((report) => nullIfUnreadable(() => reportTimes(report)) ?? [])
  return [...Map.groupBy(dated, ({ login }) => login).values()].flatMap((own) => {
    // The edges of two windows may both have the same report.
    const written = [...new Map(own.map((one) => [one.utc, one])).values()].toSorted(
      (one, other) => one.utc - other.utc,
    )
    return written.map(({ report, utc }, index) => {
      const reportedOffset = offsetBetween(written[index + 1]?.previous ?? Number.NaN, utc)
      const offsetMs = isZoneOffset(reportedOffset) ? reportedOffset : offsetBetween(zone.toServerTime(utc), utc)
      return { report, day: tradingDay(utc + offsetMs), offsetMs }
    })
  })
}

/**
 * The vendor's page names the list PositionAdd, by the function of its library that adds a position. Other functions
 * are fields under their own names, so a server may also write the list's own.
 */
const positionLists = ['PositionAdd', 'Positions'] as const

/**
 * Returns a full report's list of positions with its name, or null if there is none. One alone may come without a list.
 */
export function positionListOf(report: WireRecord): { readonly name: string; readonly list: WireRecord[] } | null {
  const name = positionLists.find((one) => typeof report[one] === 'object' && report[one] !== null)
  if (name === undefined) return null
  const listed = report[name]
  return { name, list: Array.isArray(listed) ? listOf(listed) : [recordOf(listed)] }
}

/** Returns the positions of a full report, or null if it does not list them. */
function fullReportPositions(report: WireRecord): ReportedPosition[] | null {
  const listed = positionListOf(report)
  if (listed === null) return null
  return listed.list.map((position) => ({
    ticket: numberText(position, 'Position'),
    openPrice: priceText(position, 'PriceOpen') ?? '0',
    price: priceText(position, 'PriceCurrent') ?? '0',
    swap: amountOf(position, 'Storage'),
    profit: amountOf(position, 'Profit'),
  }))
}
