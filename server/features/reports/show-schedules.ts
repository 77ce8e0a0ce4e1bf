/** The reports that a person has scheduled by email. */
import type { listReportSchedules as listEndpoint } from '#contract/office/report-schedules.ts'
import { dayIn, dayOf, daysAfter, isoDay } from '#rules/dates.ts'
import { mailedAt, periodStart } from '#rules/report-periods.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { schedulesOf } from './schedule-queries.ts'
import { readableReports } from '../../office/report-access.ts'

export const showSchedules: Handler<typeof listEndpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const { timeZone } = await dependencies.settings.get('firm')
  const readable = await readableReports(dependencies, staff)
  const today = dayIn(context.now, timeZone)
  const found = await schedulesOf(dependencies.pool, staff.staffId)
  return {
    schedules: found.map(({ nextFrom, ...schedule }) => {
      const { frequency, report } = schedule
      const lastDay = daysAfter(periodStart(frequency, today), -1)
      return {
        ...schedule,
        from: isoDay(periodStart(frequency, lastDay)),
        to: isoDay(lastDay),
        nextAt: mailedAt(frequency, dayOf(nextFrom) ?? today, timeZone),
        paused: !readable.includes(report),
      }
    }),
  }
}
