import { useLingui } from '@lingui/react/macro'
import {
  changeReportSchedule,
  listReportSchedules,
  removeReportSchedule,
  type ReportSchedule,
  scheduleReport,
} from '#contract/office/report-schedules.ts'
import type { ReportName } from '#contract/office/reports.ts'
import { call } from '#ui/api/call.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useUndoableWork } from '../../records/use-undoable-work.ts'
import type { ScheduleFields } from './schedule-dialog.tsx'

/** Returns the person's scheduled reports, and functions to schedule, change and delete one, with undo. */
export function useSchedules() {
  const { t } = useLingui()
  const { data } = useEndpoint(listReportSchedules, {})
  const { run, offerUndo, ...state } = useUndoableWork([listReportSchedules])
  return {
    ...state,
    schedules: data?.schedules ?? [],
    add: (report: ReportName, fields: ScheduleFields, onDone: () => void) =>
      run(async () => {
        const { id } = await call(scheduleReport, { report, ...fields })
        offerUndo(t`Report scheduled.`, () => call(removeReportSchedule, { id }))
      }, onDone),
    change: ({ id, frequency, step, asTable }: ReportSchedule, fields: ScheduleFields, onDone: () => void) =>
      run(async () => {
        await call(changeReportSchedule, { id, ...fields })
        offerUndo(t`Schedule changed.`, () => call(changeReportSchedule, { id, frequency, step, asTable }))
      }, onDone),
    remove: ({ id, report, frequency, step, asTable }: ReportSchedule) =>
      run(async () => {
        await call(removeReportSchedule, { id })
        offerUndo(t`Schedule deleted.`, () => call(scheduleReport, { report, frequency, step, asTable }))
      }),
  }
}
