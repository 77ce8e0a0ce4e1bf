/** Emails scheduled reports, each period once (requirements 24.10, 24.56). */
import { reportQuery } from '#contract/office/report-schedules.ts'
import { dayIn, dayOf, daysAfter, isoDay, type PlainDate } from '#rules/dates.ts'
import { mailedAt, periodEnd, shortestPeriodDays } from '#rules/report-periods.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction, type Transaction } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { scheduleKind } from './change-schedule.ts'
import {
  deleteSchedule,
  isMailed,
  lockToMail,
  advanceSchedule,
  dueSchedules,
  type ScheduleRow,
  type ScheduleToMail,
} from './schedule-queries.ts'
import { readableReports } from '../../office/report-access.ts'

const everyMs = 60_000

export function reportTasks(dependencies: Dependencies): ScheduledTask[] {
  return [{ name: 'mail-reports', everyMs, run: (now) => mailReports(dependencies, now) }]
}

/** Sends one period of each schedule at a time, oldest first: periods missed during an outage follow one a minute. */
async function mailReports(dependencies: Dependencies, now: Date): Promise<void> {
  const { jobs, settings, log } = dependencies
  const { timeZone } = await settings.get('firm')
  const rows = await dueSchedules(jobs, daysAfter(dayIn(now, timeZone), -shortestPeriodDays))
  await forEachRow({ job: 'mail-reports', rows, log }, (found) =>
    transaction(jobs, async (tx) => {
      const schedule = await lockToMail(tx, found)
      if (schedule === null) return
      if (schedule.state !== 'active') return removeSchedule(tx, schedule, now)
      const from = firstDay(schedule)
      if (now < mailedAt(schedule.frequency, from, timeZone)) return
      await mailPeriod(dependencies, tx, schedule, from, now)
    }),
  )
}

function firstDay({ nextFrom }: ScheduleRow): PlainDate {
  const day = dayOf(nextFrom)
  if (!day) throw new Error(`not a valid day: ${nextFrom}`)
  return day
}

/** Deletes the schedule of a person who has left: another invitation does not restore it. */
async function removeSchedule(tx: Transaction, { id, report, frequency }: ScheduleToMail, now: Date): Promise<void> {
  await deleteSchedule(tx, id)
  await recordScheduleEvent(tx, now, 'remove', id, { report, frequency })
}

/** Emails a period. The permission is checked when it is sent; without it the period is skipped. */
async function mailPeriod(
  dependencies: Dependencies,
  tx: Transaction,
  schedule: ScheduleToMail,
  start: PlainDate,
  now: Date,
): Promise<void> {
  const { id, report, frequency, step, asTable, isPaused, email, language } = schedule
  const nextFrom = periodEnd(frequency, start)
  const [from, to] = [isoDay(start), isoDay(daysAfter(nextFrom, -1))]
  const mayRead = (await readableReports(dependencies, schedule)).includes(report)
  await advanceSchedule(tx, id, { nextFrom, pausedAt: mayRead ? null : now })
  if (mayRead === isPaused) await recordScheduleEvent(tx, now, mayRead ? 'resume' : 'pause', id, { report, frequency })
  const ref = `report-${id}-${frequency}-${from}`
  if (!mayRead || (await isMailed(tx, ref))) return
  const facts = { report, frequency, from, to, query: reportQuery({ report, from, to, step, asTable }) }
  await sendMail(tx, now, { kind: 'staff-report', to: email, language, facts, subject: scheduleKind, record: id, ref })
  await recordScheduleEvent(tx, now, 'send', id, { report, frequency, from, to })
}

async function recordScheduleEvent(
  tx: Transaction,
  now: Date,
  action: 'send' | 'pause' | 'resume' | 'remove',
  id: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordEvent(tx, { identity: { kind: 'clock' }, now }, { kind: scheduleKind, action, record: id, details })
}
