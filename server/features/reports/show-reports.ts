/** Reports: the figures of a period compared with the previous one (requirements 24.2 to 24.4, 24.10). */
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  type approvalsReport,
  type conversionReport,
  type decisionTimesReport,
  type fundingReport,
  funnelSteps,
  overridesMax,
  type overridesReport,
  type ReportStep,
} from '#contract/office/reports.ts'
import type { Flows } from '#contract/office/overview.ts'
import { dayIn, daysAfter, instantIn, isoDay, dayMs } from '#rules/dates.ts'
import type { Language } from '#rules/choices.ts'
import { currencies } from '#rules/money.ts'
import { dueTimeOf, workItemKinds } from '#rules/work-items.ts'
import { Problem } from '../../http/problem.ts'
import { between } from '../../office/lists.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  approvalsByPerson,
  decidedWithin,
  fundingBy,
  funnelWithin,
  percentileOf,
  type FundingRow,
  type Period,
} from './queries.ts'
import type { CheckName } from '#rules/checks/check.ts'
import type { StaffId } from '#rules/ids.ts'
import { titleOfCheck } from '../../checks/check-texts.ts'
import { limitTo, rows, type Connection } from '../../db/sql.ts'

const longestDays = 1100

/** Returns the days of a report, both included, in the firm's time zone. Throws `date-invalid`. */
export async function periodOf(
  { settings }: Pick<Dependencies, 'settings'>,
  days: { from?: string; to?: string },
): Promise<Period> {
  const { timeZone } = await settings.get('firm')
  const { from, until } = between(days, timeZone)
  if (!from || !until || until <= from || until.getTime() - from.getTime() > longestDays * dayMs) {
    throw new Problem('date-invalid', { field: 'to' })
  }
  return { from, until, timeZone }
}

/** Returns the period of the same length just before it. */
function periodBefore({ from, until, timeZone }: Period): Period {
  const days = Math.round((until.getTime() - from.getTime()) / dayMs)
  return { from: instantIn(daysAfter(dayIn(from, timeZone), -days), 0, timeZone), until: from, timeZone }
}

function daysOf({ from, until, timeZone }: Period): { from: string; to: string } {
  return { from: isoDay(dayIn(from, timeZone)), to: isoDay(daysAfter(dayIn(until, timeZone), -1)) }
}

export async function showFunding(
  { pool }: Pick<Dependencies, 'pool'>,
  period: Period,
  by: ReportStep,
  methodName: (kept: string) => string,
): Promise<ResponseOf<typeof fundingReport>> {
  const earlier = periodBefore(period)
  const found = await fundingBy(pool, by, period)
  const before = await fundingBy(pool, 'month', earlier)
  const starts = startsOf(period, by)
  return {
    before: daysOf(earlier),
    currencies: currencies.flatMap((currency) => {
      const own = found.filter((row) => row.currency === currency)
      const past = before.filter((row) => row.currency === currency)
      if (own.length === 0 && past.length === 0) return []
      const days = Map.groupBy(own, (row) => row.day)
      const methods = Map.groupBy(own, (row) => row.method)
      return {
        currency,
        steps: starts.map((day) => ({ day, ...flowsOf(days.get(day) ?? []) })),
        methods: [...methods].map(([method, these]) => ({
          method: methodName(method),
          kept: method,
          ...flowsOf(these),
        })),
        sum: flowsOf(own),
        before: flowsOf(past),
      }
    }),
  }
}

export function flowsOf(found: readonly FundingRow[]): Flows {
  type Of<Value> = { [Key in keyof FundingRow]: FundingRow[Key] extends Value ? Key : never }[keyof FundingRow]
  const sum = (count: Of<number>, amount: Of<bigint>) => ({
    count: found.reduce((all, row) => all + row[count], 0),
    amount: found.reduce((all, row) => all + row[amount], 0n),
  })
  const deposits = sum('deposits', 'deposited')
  const refunds = sum('refunds', 'refunded')
  const withdrawals = sum('withdrawals', 'withdrawn')
  const returned = sum('returns', 'returned')
  const net = deposits.amount - refunds.amount - withdrawals.amount + returned.amount
  return { deposits, refunds, withdrawals, returned, net }
}

/** Returns the first day within the period of each day, week (from Monday) or month. */
function startsOf({ from, until, timeZone }: Period, by: ReportStep): string[] {
  const starts: string[] = []
  const last = isoDay(dayIn(until, timeZone))
  for (let day = dayIn(from, timeZone); isoDay(day) < last; day = daysAfter(day, 1)) {
    const begins =
      by === 'day' || (by === 'month' ? day.day === 1 : new Date(`${isoDay(day)}T00:00Z`).getUTCDay() === 1)
    if (begins || starts.length === 0) starts.push(isoDay(day))
  }
  return starts
}

type TurnaroundRow = ResponseOf<typeof decisionTimesReport>['rows'][number]

export async function showTurnaround(
  { pool, settings }: Pick<Dependencies, 'pool' | 'settings'>,
  period: Period,
): Promise<ResponseOf<typeof decisionTimesReport>> {
  const { times } = await settings.get('sla')
  const earlier = periodBefore(period)
  const found = await decidedWithin(pool, period)
  const past = await decidedWithin(pool, earlier)
  const of = (rows: typeof found) => ({
    decided: rows.reduce((sum, { count }) => sum + count, 0),
    late: rows.reduce((sum, { late }) => sum + late, 0),
    medianSeconds: percentileOf(rows, 0.5),
    ninetiethSeconds: percentileOf(rows, 0.9),
  })
  const kinds = workItemKinds.filter((kind) => [...found, ...past].some((row) => row.kind === kind))
  return {
    before: daysOf(earlier),
    rows: kinds.map((kind): TurnaroundRow => {
      const own = found.filter((row) => row.kind === kind)
      return {
        kind,
        ...of(own),
        longestSeconds: Math.max(0, ...own.map(({ longest }) => longest)),
        target: dueTimeOf(kind, times),
        before: of(past.filter((row) => row.kind === kind)),
      }
    }),
  }
}

export async function showConversion(
  { pool }: Pick<Dependencies, 'pool'>,
  period: Period,
): Promise<ResponseOf<typeof conversionReport>> {
  const earlier = periodBefore(period)
  const found = await funnelWithin(pool, period)
  const past = await funnelWithin(pool, earlier)
  const count = (rows: typeof found, step: string) => rows.find((row) => row.step === step)?.count ?? 0
  return {
    before: daysOf(earlier),
    rows: funnelSteps.map((step) => ({ step, clients: count(found, step), before: count(past, step) })),
  }
}

export async function showApprovals(
  { pool }: Pick<Dependencies, 'pool'>,
  period: Period,
  kinds: readonly string[],
): Promise<ResponseOf<typeof approvalsReport>> {
  const earlier = periodBefore(period)
  return { before: daysOf(earlier), rows: await approvalsByPerson(pool, period, earlier, kinds) }
}

export async function showOverrides(
  { pool }: Pick<Dependencies, 'pool'>,
  period: Period,
  language: Language,
  most = overridesMax,
): Promise<ResponseOf<typeof overridesReport>> {
  const earlier = periodBefore(period)
  return {
    before: daysOf(earlier),
    checks: await overridesByCheck(pool, period, earlier, language),
    rows: await overridesWithin(pool, period, language, most),
  }
}

type Override = ResponseOf<typeof overridesReport>['rows'][number]

interface OverrideRow extends Omit<Override, 'staff'> {
  staffId: StaffId
  name: string
  check: CheckName
}

/** Returns the newest overrides of a period, at most so many. */
async function overridesWithin(
  connection: Connection,
  { from, until }: Period,
  language: Language,
  most: number,
): Promise<Override[]> {
  const found = await rows<OverrideRow>(connection)`
    select o.id, o.at, s.id as "staffId", s.name, c.number::text as client, o.kind, o.record,
        coalesce(w.reference, t.reference) as reference, o.check_name as "check", o.reason
      from check_overrides o join staff s on s.id = o.by_staff left join clients c on c.id = o.client_id
        left join withdrawals w on o.kind = 'withdrawal' and w.id = o.record
        left join transfers t on o.kind = 'transfer' and t.id = o.record
      where o.at >= ${from} and o.at < ${until} order by o.at desc, o.id desc ${limitTo(most)}`
  return found.map(({ staffId, name, check, ...one }) => ({
    ...one,
    staff: { id: staffId, name },
    check: titleOfCheck(check, language),
  }))
}

/** Returns how often each block was overridden in a period and in the one before, most often first. */
async function overridesByCheck(
  connection: Connection,
  { from, until }: Period,
  earlier: Period,
  language: Language,
): Promise<ResponseOf<typeof overridesReport>['checks']> {
  const found = await rows<{ check: CheckName; count: number; before: number }>(connection)`
    select check_name as "check", count(*) filter (where at >= ${from})::int as count,
        count(*) filter (where at < ${from})::int as before
      from check_overrides where at >= ${earlier.from} and at < ${until} group by check_name order by 2 desc, 3 desc, 1`
  return found.map((one) => ({ ...one, check: titleOfCheck(one.check, language) }))
}
