import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changeReportSchedule,
  listReportSchedules,
  removeReportSchedule,
  type ReportSchedule,
  scheduleReport,
} from '#contract/office/report-schedules.ts'
import type { ReportName } from '#contract/office/reports.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { call } from '#ui/api/call.ts'
import { refresh, useEndpoint } from '#ui/api/endpoint-query.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { showUndoToast } from '../../records/undo-toast.tsx'
import type { ScheduleFields } from './schedule-dialog.tsx'

/** The person's scheduled reports; each is scheduled, changed and deleted with its undo. */
export function useSchedules() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { data } = useEndpoint(listReportSchedules, {})
  const work = useMutation({
    networkMode: 'always',
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => refresh(queries, [listReportSchedules]),
  })
  const undo = (text: string, act: () => Promise<unknown>) =>
    showUndoToast(text, () =>
      work.mutate(
        async () => {
          await act()
          showToast(t`Undone.`)
        },
        { onError: tellFailure },
      ),
    )
  return {
    schedules: data?.schedules ?? [],
    isPending: work.isPending,
    failure: work.error instanceof ApiError ? work.error : null,
    reset: work.reset,
    add: (report: ReportName, fields: ScheduleFields, onDone: () => void) =>
      work.mutate(
        async () => {
          const { id } = await call(scheduleReport, { report, ...fields })
          undo(t`Report scheduled.`, () => call(removeReportSchedule, { id }))
        },
        { onSuccess: onDone },
      ),
    change: ({ id, frequency, step, asTable }: ReportSchedule, fields: ScheduleFields, onDone: () => void) =>
      work.mutate(
        async () => {
          await call(changeReportSchedule, { id, ...fields })
          undo(t`Schedule changed.`, () => call(changeReportSchedule, { id, frequency, step, asTable }))
        },
        { onSuccess: onDone },
      ),
    remove: ({ id, report, frequency, step, asTable }: ReportSchedule) =>
      work.mutate(
        async () => {
          await call(removeReportSchedule, { id })
          undo(t`Schedule deleted.`, () => call(scheduleReport, { report, frequency, step, asTable }))
        },
        { onError: tellFailure },
      ),
  }
}

function tellFailure(thrown: Error): void {
  if (thrown instanceof ApiError) showToast(thrown.error, { kind: 'bad' })
}
