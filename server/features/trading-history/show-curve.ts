/** Equity and balance over time, and the sum that explains the change (requirements 24.18). */
import { dayMs } from '#rules/dates.ts'
import {
  curvePointsMax,
  sparklineDays,
  sumRows,
  type CurvePeriod,
  type CurvePoint,
  type getAccountCurve as curveEndpoint,
  type getAccountResults as resultsEndpoint,
} from '#contract/trading-history.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getClientResults as clientResultsEndpoint } from '#contract/office/trading-accounts.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { tradingDay, weekdaysBetween } from '#rules/trading-days.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { row } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireFound } from '../../http/problem.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { clockOffset } from '../../jobs/platform-days.ts'
import { rowSums, type RowSum } from './movement-sums.ts'
import {
  dayEnds,
  figuresOf,
  firstMovement,
  historyOf,
  isIncomplete,
  marksOf,
  accountForCaller,
  resultDays,
  sumsOf,
  type DayEnd,
  type Figures,
} from './queries.ts'

const monthsBack: Readonly<Record<Exclude<CurvePeriod, '1w' | 'all'>, number>> = { '1m': 1, '3m': 3, '1y': 12 }
const emptyCurve = { from: null, to: null, points: [], marks: [], marksLeftOff: false, sum: null, beingChecked: false }

type Curve = ResponseOf<typeof curveEndpoint>

export const getAccountCurve: Handler<typeof curveEndpoint> = async (dependencies, context) => {
  const { id, platform, currency } = await accountForCaller(dependencies, context)
  const { state: history, readAt } = await historyOf(dependencies, platform, id)
  if (readAt === null) return { history, currency, ...emptyCurve }
  const offsetMs = ((await clockOffset(dependencies.pool, platform)) ?? 0) * 60_000
  const today = tradingDay(context.now.getTime() + offsetMs)
  const from = firstDay(context.query.period, today)
  const ends = await dayEnds(dependencies.pool, id, from)
  const beginning = beginningOf(ends, { from, today, moved: await firstMovement(dependencies.pool, id) })
  const marked = await marksOf(dependencies.pool, id, beginning === null ? from : (beginning.end?.day ?? null))
  const end = await periodEnd(dependencies, id, { ends, readAt, offsetMs })
  const points = pointsOf(ends, { from, end, today })
  const shown = { from: beginning?.day ?? points[0]?.day ?? null, to: end?.day ?? null, points, ...marked }
  return { history, currency, ...shown, ...(await sumOf(dependencies, id, beginning, end)) }
}

function firstDay(period: CurvePeriod, today: string): string | null {
  if (period === 'all') return null
  if (period === '1w') return tradingDay(Date.parse(today) - 7 * dayMs)
  const day = new Date(today)
  const wanted = day.getUTCDate()
  day.setUTCMonth(day.getUTCMonth() - monthsBack[period], 1)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  day.setUTCDate(Math.min(wanted, last))
  return day.toISOString().slice(0, 10)
}

/** Where the sum of a period begins. */
interface PeriodStart {
  readonly day: string
  /** The account at the end of that day, or null if it was opened then, as its equity was zero before. */
  readonly end: DayEnd | null
}

/**
 * Returns the end of the last known day before a period; otherwise the first deal, if it is in the period; otherwise
 * the first known day, because the open positions of the days before are unknown. Null if today is the first known day.
 */
function beginningOf(
  ends: readonly DayEnd[],
  { from, today, moved }: { from: string | null; today: string; moved: string | null },
): PeriodStart | null {
  const [first] = ends
  const isOlder = from !== null && moved !== null && moved < from
  if (first !== undefined && (isOlder || (from !== null && first.day < from))) return { day: first.day, end: first }
  if (isOlder) return null
  const days = [moved, first?.day ?? null, today].filter((day) => day !== null)
  return { day: days.reduce((least, day) => (day < least ? day : least)), end: null }
}

/** The account at the end of a period. */
interface PeriodEnd {
  readonly day: string
  readonly at: Date
  /** Whether it is the end of that day, whatever its time. */
  readonly isDayEnd: boolean
  readonly balance: bigint
  readonly credit: bigint
  readonly equity: bigint
  readonly differs: boolean
}

/**
 * Returns the balances on the day on which they were read, if the deals have been read up to them. If newer balances
 * differ, deals are still missing, and the end is that of the last day, as it is if that day is not earlier.
 */
async function periodEnd(
  { pool }: Pick<Dependencies, 'pool'>,
  id: AccountId,
  { ends, readAt, offsetMs }: { ends: readonly DayEnd[]; readAt: Date; offsetMs: number },
): Promise<PeriodEnd | null> {
  const figures = await figuresOf(pool, id)
  const last = ends.at(-1)
  const lastEnd = last === undefined ? null : endOfDay(last, offsetMs)
  if (figures === null || figures.equity === null) return lastEnd
  const day = tradingDay(figures.readAt.getTime() + offsetMs)
  if (lastEnd !== null && day <= lastEnd.day) return lastEnd
  const { balance, credit, equity } = figures
  const agrees = await figuresAgree(pool, id, figures)
  if (!agrees && figures.readAt > readAt) return lastEnd
  return { day, at: figures.readAt, isDayEnd: false, balance, credit, equity, differs: !agrees }
}

async function figuresAgree(
  pool: Dependencies['pool'],
  id: AccountId,
  { balance, credit, readAt }: Figures,
): Promise<boolean> {
  const all = await sumsOf(pool, id)
  if (all.balance === balance && all.credit === credit) return true
  const until = await rowSums(pool, id, { after: null, at: readAt })
  const inCredit = until.find(({ row }) => row === 'credit')?.amount ?? 0n
  return inCredit === credit && total(until) - inCredit === balance
}

/** `offsetMs`: that of the platform's clock, whose day it is. */
function endOfDay({ day, balance, credit, floating, differs }: DayEnd, offsetMs: number): PeriodEnd {
  return {
    day,
    at: new Date(Date.parse(day) + dayMs - 1000 - offsetMs),
    isDayEnd: true,
    balance,
    credit,
    equity: balance + credit + floating,
    differs,
  }
}

interface ShownPeriod {
  readonly from: string | null
  readonly end: PeriodEnd | null
  readonly today: string
}

/** Returns the points of a period, beginning with the last known day before it. */
function pointsOf(ends: readonly DayEnd[], { from, end, today }: ShownPeriod): CurvePoint[] {
  const all: CurvePoint[] = []
  for (const { day, balance, credit, floating } of ends) {
    const point = { day, balance, equity: balance + credit + floating }
    const before = all.at(-1)
    const isWeekend = new Date(day).getUTCDay() % 6 === 0
    // A weekend without movements is not a trading day.
    if (isWeekend && before?.balance === point.balance && before.equity === point.equity) continue
    all.push(point)
  }
  if (end !== null && all.at(-1)?.day !== end.day) all.push({ day: end.day, balance: end.balance, equity: end.equity })
  const shown = from === null ? all : all.filter(({ day }, index) => day >= from || index === 0)
  return withGaps(shown, from, tradingDay(Date.parse(today) - dayMs)).slice(-curvePointsMax)
}

/**
 * Returns the points with empty ones for weekdays without data between them. Yesterday does not count as missing, as
 * its end is recorded some time later. For a gap before the period, one empty point is enough.
 */
function withGaps(points: readonly CurvePoint[], from: string | null, yesterday: string): CurvePoint[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1]
    const missing = before ? weekdaysBetween(before.day, point.day).filter((day) => day < yesterday) : []
    const gap = missing.filter((day, at) => from === null || day >= from || at === missing.length - 1)
    return [...gap.map((day) => ({ day, balance: null, equity: null })), point]
  })
}

/**
 * Returns the sum of a period if it adds up exactly; otherwise none, and that it is being checked (requirements 24.18).
 */
async function sumOf(
  { pool }: Pick<Dependencies, 'pool'>,
  id: AccountId,
  beginning: PeriodStart | null,
  end: PeriodEnd | null,
): Promise<Pick<Curve, 'sum' | 'beingChecked'>> {
  const opening = beginning?.end ?? null
  if (beginning === null || end === null || opening?.day === end.day) return { sum: null, beingChecked: false }
  const moved = await movementsUntil(pool, id, opening, end)
  const before = opening === null ? 0n : opening.balance + opening.credit + opening.floating
  const floating = end.equity - end.balance - end.credit - (opening?.floating ?? 0n)
  const isKnown = !(await isIncomplete(pool, id))
  const adds = before + total(moved) + floating === end.equity
  if (!isKnown || !adds || end.differs || opening?.differs === true) return { sum: null, beingChecked: true }
  const amounts = new Map<string, bigint>([
    ...moved.map(({ row, amount }) => [row, amount] as const),
    ['floating', floating],
  ])
  const rows = sumRows.map((row) => ({ row, amount: amounts.get(row) ?? 0n })).filter(({ amount }) => amount !== 0n)
  const sum = { openingDay: opening?.day ?? null, opening: before, rows, closing: end.equity, at: end.at }
  return { sum, beingChecked: false }
}

/** Returns all movements of the period; if the balances agree with all deals, it includes those of the same second. */
async function movementsUntil(
  pool: Dependencies['pool'],
  id: AccountId,
  opening: DayEnd | null,
  end: PeriodEnd,
): Promise<readonly RowSum[]> {
  const after = opening?.day ?? null
  if (end.isDayEnd) return rowSums(pool, id, { after, day: end.day })
  const all = await rowSums(pool, id, { after })
  const before = opening === null ? 0n : opening.balance + opening.credit
  return before + total(all) === end.balance + end.credit ? all : rowSums(pool, id, { after, at: end.at })
}

function total(sums: readonly RowSum[]): bigint {
  return sums.reduce((sum, { amount }) => sum + amount, 0n)
}

export const getAccountResults: Handler<typeof resultsEndpoint> = async ({ pool }, context) =>
  resultsOf(pool, requireClient(context).clientId, context.now)

/** Returns the same for staff, for a client's accounts. */
export const getClientResults: Handler<typeof clientResultsEndpoint> = async ({ pool }, context) => {
  const { id } = context.params
  const client = requireFound(
    await row<{ id: ClientId }>(pool)`select id from clients where id = ${uuidOrNull(id)}::uuid`,
  )
  return resultsOf(pool, client.id, context.now)
}

async function resultsOf(
  pool: Dependencies['pool'],
  clientId: ClientId,
  now: Date,
): Promise<ResponseOf<typeof resultsEndpoint>> {
  const from = new Date(now.getTime() - 30 * dayMs).toISOString().slice(0, 10)
  const days = await resultDays(pool, clientId, from)
  const accounts = [...Map.groupBy(days, ({ accountId }) => accountId).values()].flatMap((own) => {
    const shown = own.slice(-sparklineDays)
    const [first] = shown
    if (first === undefined) return []
    const { platform, number, value: start } = first
    return [{ platform, number, values: shown.map(({ value }) => value - start) }]
  })
  return { accounts }
}
