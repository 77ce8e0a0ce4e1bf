/** Schedules a report by email, and changes or deletes a schedule; only for its owner. */
import type * as office from '#contract/office/report-schedules.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { periodStart } from '#rules/report-periods.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { deleteSchedule, insertSchedule, lockOwnSchedule, updateSchedule } from './schedule-queries.ts'
import { readableReports } from '../../office/report-access.ts'

export const scheduleKind = 'report_schedule'

/** Schedules a report, beginning with the current period. */
export const scheduleReport: Handler<typeof office.scheduleReport> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const { report, frequency, step, asTable } = context.body
  if (!(await readableReports(dependencies, staff)).includes(report)) throw new Problem('wrong-role')
  const { timeZone } = await dependencies.settings.get('firm')
  const nextFrom = periodStart(frequency, dayIn(context.now, timeZone))
  return transaction(dependencies.pool, async (tx) => {
    const made = await insertSchedule(
      tx,
      { staffId: staff.staffId, report, frequency, step, asTable, nextFrom },
      context.now,
    )
    if (!made) throw new Problem('report-scheduled', { field: 'frequency' })
    await recordEvent(tx, context.auditContext, {
      kind: scheduleKind,
      action: 'create',
      record: made.id,
      details: { report, frequency, step, asTable },
    })
    return made
  })
}

/** Changes a schedule. Another frequency begins with the current period; otherwise the next email stays scheduled. */
export const changeReportSchedule: Handler<typeof office.changeReportSchedule> = async (dependencies, context) => {
  const { staffId } = requireStaff(context)
  const { frequency, step, asTable } = context.body
  const { timeZone } = await dependencies.settings.get('firm')
  return transaction(dependencies.pool, async (tx) => {
    const before = requireFound(await lockOwnSchedule(tx, context.params.id, staffId))
    const nextFrom =
      frequency === before.frequency ? before.nextFrom : isoDay(periodStart(frequency, dayIn(context.now, timeZone)))
    if (!(await updateSchedule(tx, before.id, { frequency, step, asTable, nextFrom })))
      throw new Problem('report-scheduled', { field: 'frequency' })
    await recordEvent(tx, context.auditContext, {
      kind: scheduleKind,
      action: 'change',
      record: before.id,
      details: {
        before: { frequency: before.frequency, step: before.step, asTable: before.asTable },
        after: { report: before.report, frequency, step, asTable },
      },
    })
    return {}
  })
}

export const removeReportSchedule: Handler<typeof office.removeReportSchedule> = async (dependencies, context) => {
  const { staffId } = requireStaff(context)
  return transaction(dependencies.pool, async (tx) => {
    const before = requireFound(await lockOwnSchedule(tx, context.params.id, staffId))
    await deleteSchedule(tx, before.id)
    await recordEvent(tx, context.auditContext, {
      kind: scheduleKind,
      action: 'remove',
      record: before.id,
      details: { report: before.report, frequency: before.frequency },
    })
    return {}
  })
}
