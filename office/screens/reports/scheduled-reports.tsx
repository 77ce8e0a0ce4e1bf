import { IconAlertTriangle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { reportFrequencyLabels, reportQuery, type ReportSchedule } from '#contract/office/report-schedules.ts'
import { reportLabels } from '#contract/office/reports.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { useStepNames } from './step-names.ts'

interface ScheduledReportsProps {
  schedules: readonly ReportSchedule[]
  onChange: (schedule: ReportSchedule) => void
  onRemove: (schedule: ReportSchedule) => void
}

/** The reports that this person receives by email; each links to its last period. */
export function ScheduledReports({ schedules, onChange, onRemove }: ScheduledReportsProps) {
  const { t, i18n } = useLingui()
  const name = useLabels(reportLabels)
  const frequencyWord = useLabels(reportFrequencyLabels)
  const stepNames = useStepNames()
  const frequencyText = (one: ReportSchedule) => frequencyWord(one.frequency).toLocaleLowerCase(i18n.locale)
  if (schedules.length === 0) return null
  return (
    <section className="sheet scheduled-reports">
      <header>
        <h2>{t`Scheduled by email`}</h2>
      </header>
      <Table
        caption={t`Scheduled by email`}
        rows={schedules}
        rowKey={({ id }) => id}
        rowTone={({ paused }) => (paused ? 'wait' : undefined)}
        columns={[
          {
            head: t`Report`,
            phone: 'title',
            cell: (one) => <Link href={`${officePaths.reports}?${reportQuery(one)}`}>{name(one.report)}</Link>,
          },
          { head: t`Frequency`, phone: 'time', cell: (one) => frequencyWord(one.frequency) },
          {
            head: t`View`,
            wideOnly: true,
            cell: ({ report, step, asTable }) =>
              report === 'funding' && (asTable ? t`${stepNames[step]}, as table` : stepNames[step]),
          },
          {
            head: t`Next email`,
            phone: 'status',
            cell: ({ paused, nextAt }) =>
              paused ? (
                <span className="row tone-wait">
                  <IconAlertTriangle className="small" aria-hidden="true" />
                  <Trans>Paused: no access</Trans>
                </span>
              ) : (
                <Time at={nextAt} />
              ),
          },
          {
            head: <span className="unseen">{t`Actions`}</span>,
            align: 'right',
            phone: 'figure',
            cell: (one) => (
              <span className="row">
                <Button
                  size="small"
                  aria-label={t`Change ${name(one.report)}, ${frequencyText(one)}`}
                  onClick={() => onChange(one)}
                >
                  <Trans>Change…</Trans>
                </Button>
                <Button
                  size="small"
                  aria-label={t`Delete ${name(one.report)}, ${frequencyText(one)}`}
                  onClick={() => onRemove(one)}
                >
                  <Trans>Delete</Trans>
                </Button>
              </span>
            ),
          },
        ]}
      />
    </section>
  )
}
