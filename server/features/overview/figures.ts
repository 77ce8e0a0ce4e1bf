/** Daily figures by the definitions of the reports, for the job that writes them and for the days since. */
import { funnelSteps } from '#contract/office/reports.ts'
import { isoDay, dayIn, daysAfter, type PlainDate } from '#rules/dates.ts'
import { reviews } from '#rules/reviews.ts'
import { join, literals, rows, run, sql, type Sql, transaction } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { clientsUnderReview } from '../clients/queries.ts'
import { itemsDecided, moneyMoved, stepsReached, type PeriodSql } from '../reports/queries.ts'

const moneyFigures = ['deposits', 'refunds', 'withdrawals', 'returned'] as const
const queueFigures = ['decided', 'overdue'] as const

/** The days that overviews show and compare with; the clients who began in them can still take further steps. */
const daysKept = 61
/**
 * Records are committed within this many minutes of the time that they state, so figures older than this are complete.
 * Items closed by a reconciliation that takes longer are counted by the next run.
 */
const settledMinutes = 5

/**
 * Returns the figures of a period by day of the firm's zone: (day, figure, key, step, count, minor). In `minor`, items
 * decided have the longest turnaround of their step in seconds.
 */
function figuresOf({ from, until }: PeriodSql, timeZone: string): Sql {
  return sql`select (at at time zone ${timeZone})::date as day, figure, key, step, sum(count)::bigint as count,
      (case figure when 'decided' then max(minor) else sum(minor) end)::bigint as minor
    from (
      select m.at, f.figure, m.currency as key, 0 as step, f.count, f.minor from (${moneyMoved({ from, until })}) m
        cross join lateral (values ('deposits', m.deposits, m.arrived::bigint), ('refunds', (m.refunded <> 0)::int, m.refunded::bigint),
          ('withdrawals', m.withdrawals, m.debited::bigint), ('returned', (m.came_back <> 0)::int, m.came_back::bigint)) f (figure, count, minor)
        where f.count > 0
      union all
      select d.at, f.figure, d.kind, f.step, 1, f.longest from (${itemsDecided({ from, until })}) d
        cross join lateral (values ('decided', d.step, round(d.took)::bigint, true), ('overdue', 0, 0, d.late)) f (figure, step, longest, counts)
        where f.counts
      union all
      select at, figure, '', 0, 1, 0 from (${stepsReached({ from, until })}) s) one
    group by 1, 2, 3, 4`
}

export interface FigureRow {
  day: string
  figure: string
  key: string
  step: number
  count: bigint
  minor: bigint
  writtenAt: Date | null
}

/** Returns the days that an overview shows, the last one today. */
export function shownDays(now: Date, timeZone: string, count: number): PlainDate[] {
  const today = dayIn(now, timeZone)
  return Array.from({ length: count }, (_, place) => daysAfter(today, place - count + 1))
}

interface ShownDays {
  readonly money: number
  readonly queues: number
  readonly funnel: number
  /**
   * Reviews are read for the last two days, since today's may not have been counted yet, and for the day this many days
   * ago.
   */
  readonly reviewsBefore: number
}

/** Figures with the time at which they were written; the funnel's first step represents all of its steps. */
const writtenAtShown = literals([funnelSteps[0], ...reviews])

/**
 * Returns the figures of the last days in one statement: as written, and what happened since from the indexes (ADR
 * 295). Each group of figures has its own range of days.
 */
export function figuresNow(
  { pool }: Pick<Dependencies, 'pool'>,
  days: ShownDays,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<FigureRow[]> {
  const today = dayIn(now, timeZone)
  const firstOf = (count: number) => isoDay(daysAfter(today, 1 - count))
  const [money, queues, funnel] = [firstOf(days.money), firstOf(days.queues), firstOf(days.funnel)]
  const isShown = sql`(figure = any (${[...moneyFigures]}::text[]) and day >= ${money}::date
    or figure = any (${[...queueFigures]}::text[]) and day >= ${queues}::date
    or figure = any (${[...funnelSteps]}::text[]) and day >= ${funnel}::date
    or figure = any (${[...reviews]}::text[]) and (day >= ${firstOf(2)}::date or day = ${firstOf(days.reviewsBefore + 1)}::date))`
  const live = figuresOf({ from: sql`(select at from written)`, until: sql`${now}::timestamptz` }, timeZone)
  // With `offset 0` PostgreSQL applies the condition to the few sums and not to each row.
  return rows<FigureRow>(pool)`
    with written as (select coalesce((select least(${dayStart(sql`day + 1`, timeZone)}, ${settledBefore(sql`written_at`)})
          from daily_figures where figure = 'written' and day >= ${money}::date order by day desc limit 1),
        ${dayStart(sql`${money}::date`, timeZone)}) as at)
    select day, figure, key, step, count, minor, case when figure = any (${writtenAtShown}) then written_at end as "writtenAt"
      from daily_figures where ${isShown}
    union all
    select day, figure, key, step, count, minor, null from (${live} offset 0) l where ${isShown}`
}

const dayStart = (day: Sql, timeZone: string) => sql`((${day})::timestamp at time zone ${timeZone})`
const settledBefore = (at: Sql) => sql`(${at} - ${settledMinutes}::int * interval '1 minute')`

/** Writes the days that overviews show and compare with, today as far as it is settled. */
export async function writeFigures(
  { jobs, settings }: Pick<Dependencies, 'jobs' | 'settings'>,
  now: Date,
): Promise<void> {
  const { timeZone } = await settings.get('firm')
  const until = settledBefore(sql`${now}::timestamptz`)
  await transaction(jobs, async (tx) => {
    // Two servers that write the same days write the same figures, one after the other.
    await run(tx)`lock table daily_figures in share row exclusive mode`
    const today = sql`(${until} at time zone ${timeZone})::date`
    const first = sql`(${today} - ${daysKept}::int)`
    await run(tx)`delete from daily_figures where day >= ${first} and figure <> all (${[...reviews]}::text[])`
    await run(tx)`insert into daily_figures (day, figure, key, step, count, minor, written_at)
      select day, figure, key, step, count, minor, ${now}::timestamptz
        from (${figuresOf({ from: dayStart(first, timeZone), until }, timeZone)}) f
      union all select d::date, 'written', '', 0, 1, 0, ${now}::timestamptz
        from generate_series(${first}, ${today}, interval '1 day') d`
  })
}

/**
 * Stores today's number of clients under each review. These numbers cannot be calculated later, so earlier days are
 * never rewritten (ADR 312).
 */
export async function writeReviews(
  { jobs, settings }: Pick<Dependencies, 'jobs' | 'settings'>,
  now: Date,
): Promise<void> {
  const { timeZone } = await settings.get('firm')
  const counted = reviews.map(
    (
      review,
    ) => sql`select ${review}::text, ${isoDay(dayIn(now, timeZone))}::date, count(distinct u.id)::bigint, ${now}::timestamptz
      from (${clientsUnderReview(review, now, timeZone)}) u (id)`,
  )
  await run(jobs)`insert into daily_figures as f (figure, day, count, written_at) ${join(counted, ' union all ')}
    on conflict (figure, day, key, step) do update set count = excluded.count, written_at = excluded.written_at
      where f.written_at <= excluded.written_at`
}
