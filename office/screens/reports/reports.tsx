import { IconMailForward } from '@tabler/icons-react'
import { useLingui, Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import {
  reportQuery,
  type ReportSchedule,
  changeReportSchedule,
  listReportSchedules,
  removeReportSchedule,
  scheduleReport,
} from '#contract/office/report-schedules.ts'
import {
  listReports,
  reportCsv,
  reportLabels,
  reportNames,
  reportSteps,
  conversionReport,
  type Period,
  type ReportName,
} from '#contract/office/reports.ts'
import { officePaths } from '#contract/office-paths.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { dateInUrl, useUrlState } from '#ui/navigation/url-state.ts'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { Button } from '#ui/forms/button.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { DateRange } from '#ui/forms/date-range.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { call } from '#ui/api/call.ts'
import { CsvButton } from '../../records/csv-button.tsx'
import { useStaff } from '../../session.ts'
import { ApprovalsReport } from './approvals-report.tsx'
import { DecisionTimesReport } from './decision-times-report.tsx'
import { FundingReport } from './funding-report.tsx'
import { OverridesReport } from './overrides-report.tsx'
import { ScheduleDialog, type ScheduleFields } from './schedule-dialog.tsx'
import { ScheduledReports } from './scheduled-reports.tsx'
import { useStepNames } from './step-names.ts'
import { FlowsLegend } from '../../figures/flows-chart.tsx'
import { FunnelTable } from '../../figures/funnel-table.tsx'
import { usePeriodLabel } from '../../figures/period-label.ts'
import { useUndoableChange } from '../../records/use-undoable-work.ts'
import './reports.css'

const address = z.object({
  report: z._default(z.enum(reportNames), 'funding'),
  from: z.optional(dateInUrl),
  to: z.optional(dateInUrl),
  by: z._default(z.enum(reportSteps), 'day'),
  show: z.optional(z.literal('table')),
})

const firstDays = 30

/** Charts with their values, for a period and options in the URL, so that a link opens the same report. */
export default function Reports() {
  const { t } = useLingui()
  const [{ report, from, to, by, show }, setAddress] = useUrlState(address)
  const { timeZone } = useStaff().firm
  const label = useLabels(reportLabels)
  const period = { from: from ?? dayAgo(firstDays - 1, timeZone), to: to ?? dayAgo(0, timeZone) }
  const { data } = useEndpoint(listReports, {})
  const mayRead = data?.reports.includes(report) ?? true
  const stepNames = useStepNames()
  const schedules = useSchedules()
  const [dialog, setDialog] = useState<'new' | ReportSchedule | null>(null)
  const openDialog = (opened: 'new' | ReportSchedule) => {
    // An earlier error, such as that of an undo, does not concern this dialog.
    schedules.reset()
    setDialog(opened)
  }
  const closeDialog = () => {
    setDialog(null)
    schedules.reset()
  }
  const view = { ...period, step: by, asTable: show === 'table' }
  const isWritten = from !== undefined && to !== undefined
  useEffect(() => {
    if (!isWritten) setAddress({ report, ...period })
  })
  const asked = new URLSearchParams({ ...period, ...(report === 'funding' && { by }) })
  const tabs = (data?.reports ?? reportNames.filter((name) => name !== 'approvals')).map((name) => ({
    href: `${officePaths.reports}?${reportQuery({ report: name, ...view })}`,
    label: label(name),
    current: name === report,
  }))
  return (
    <OfficePage>
      <PageHeader
        title={t`Reports`}
        action={
          mayRead && (
            <div className="row wrap">
              <Button icon={<IconMailForward className="small" aria-hidden="true" />} onClick={() => openDialog('new')}>
                <Trans>Schedule…</Trans>
              </Button>
              <CsvButton path={`${reportCsv.path.replace(':report', report)}?${asked}`} name={`${report}.csv`} />
            </div>
          )
        }
      />
      <div className="stack">
        <Tabs label={t`Reports`} tabs={tabs} />
        <div className="row wrap">
          <DateRange {...period} required label={t`Days`} onDays={(days) => setAddress(days)} />
          {report === 'funding' && (
            <>
              <BareSelect
                aria-label={t`Figures`}
                value={by}
                onChange={({ target }) => setAddress({ by: reportSteps.find((step) => step === target.value) ?? by })}
                options={reportSteps.map((step) => ({ value: step, label: stepNames[step] }))}
              />
              <div className="report-legend">
                <FlowsLegend
                  asTable={view.asTable}
                  onTable={(asTable) => setAddress({ show: asTable ? 'table' : undefined })}
                />
              </div>
            </>
          )}
        </div>
      </div>
      {report === 'funding' && <FundingReport period={period} by={by} asTable={view.asTable} />}
      {report === 'decision-times' && <DecisionTimesReport period={period} />}
      {report === 'conversion' && <ConversionReport period={period} />}
      {report === 'overrides' && <OverridesReport period={period} />}
      {report === 'approvals' && mayRead && <ApprovalsReport period={period} />}
      {!mayRead && (
        <EmptyState level="h2" title={t`No access`}>
          {t`Administrators and the head of each queue can read this report once it is enabled in the settings.`}
        </EmptyState>
      )}
      <ScheduledReports schedules={schedules.schedules} onChange={openDialog} onRemove={schedules.remove} />
      {dialog && (
        <ScheduleDialog
          report={dialog === 'new' ? report : dialog.report}
          value={dialog === 'new' ? { frequency: 'weekly', step: by, asTable: view.asTable } : dialog}
          isNew={dialog === 'new'}
          pending={schedules.isPending}
          failure={schedules.failure}
          onSave={({ frequency, step, asTable }) => {
            const fields = { frequency, step, asTable }
            if (dialog === 'new') schedules.add(report, fields, closeDialog)
            else schedules.change(dialog, fields, closeDialog)
          }}
          onClose={closeDialog}
        />
      )}
    </OfficePage>
  )
}

/** Returns a day of the firm's calendar, `days` ago. */
function dayAgo(days: number, timeZone: string): string {
  return isoDay(daysAfter(dayIn(new Date(), timeZone), -days))
}

/** The progress of clients who began in the period, beside those of the previous period. */
function ConversionReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const periodLabel = usePeriodLabel()
  const { data, error, isFetching, refetch } = useEndpoint(conversionReport, period, { keepLast: true })
  if (error) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  return (
    <div className="report">
      <section className="sheet">
        <FunnelTable
          caption={t`Conversion`}
          rows={data?.rows ?? []}
          period={period}
          before={data?.before}
          busy={isFetching}
        />
      </section>
      {data && <p className="muted size-13">{t`Previous period: ${periodLabel(data.before)}`}</p>}
    </div>
  )
}

/** Returns the person's scheduled reports, and functions to schedule, change and delete one, with undo. */
function useSchedules() {
  const { t } = useLingui()
  const { data } = useEndpoint(listReportSchedules, {})
  const { run, offerUndo, ...state } = useUndoableChange([listReportSchedules])
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
