import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { decisionTimesReport, type Period } from '#contract/office/reports.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Table } from '#ui/data/table.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { rowsPlaceholder } from '../../records/list-rows.tsx'
import { useSpanLabels, useTargetLabel } from '../../decision/due-labels.tsx'
import { useWorkItemLabel } from '../../records/work-item-labels.ts'
import { ReportFigure } from '../../figures/report-figure.tsx'
import { usePeriodLabel } from '../../figures/period-label.ts'
import '../../figures/figures.css'

type Row = ResponseOf<typeof decisionTimesReport>['rows'][number]

/** Each queue's target is at two thirds of its scale, so that all queues compare at a glance. */
const targetShare = 2 / 3

/** Turnaround and share of decisions in time by queue, each against its target and the previous period. */
export function DecisionTimesReport({ period }: { period: Period }) {
  const { t, i18n } = useLingui()
  const word = useWorkItemLabel()
  const span = useSpanLabels()
  const target = useTargetLabel()
  const periodLabel = usePeriodLabel()
  const percent = numberFormat(i18n.locale, { style: 'percent' })
  const { data, error, isFetching, refetch } = useEndpoint(decisionTimesReport, period, { keepLast: true })
  const time = (seconds: number | null) =>
    seconds === null ? '–' : <span className="unbroken">{span(seconds * 1000)}</span>
  const met = ({ decided, late }: Pick<Row, 'decided' | 'late'>) =>
    decided > 0 ? percent.format((decided - late) / decided) : '–'
  const instead = rowsPlaceholder(
    { data, error, refetch },
    <EmptyState level="h2" title={t`No decisions in this period`} />,
  )
  return (
    <div className="report">
      <ul className="figures-legend report-bars-legend" aria-hidden="true">
        <li>
          <i className="bullet-key median" /> <Trans>median</Trans>
        </li>
        <li>
          <i className="bullet-key within" /> <Trans>90th percentile</Trans>
        </li>
        <li>
          <i className="bullet-key target" /> <Trans>target</Trans>
        </li>
      </ul>
      <section className="sheet">
        <Table
          caption={t`Turnaround`}
          rows={data?.rows ?? []}
          rowKey={(row) => row.kind}
          busy={isFetching}
          instead={instead}
          columns={[
            { head: t`Queue`, phone: 'title', cell: (row) => word(row.kind) },
            { head: t`Compared with target`, wideOnly: true, cell: (row) => <TurnaroundBar row={row} /> },
            {
              head: t`Decided`,
              align: 'right',
              phone: 'time',
              cell: (row) => <ReportFigure word={t`Decided`}>{row.decided}</ReportFigure>,
            },
            {
              head: t`On time`,
              align: 'right',
              phone: 'status',
              cell: (row) => (
                <ReportFigure word={t`On time`}>
                  <span className={row.late > 0 ? 'strong tone-bad' : ''}>{met(row)}</span>
                </ReportFigure>
              ),
            },
            { head: t`Overdue`, align: 'right', cell: (row) => row.late },
            {
              head: t`Median`,
              align: 'right',
              phone: 'figure',
              cell: (row) => <ReportFigure word={t`Median`}>{time(row.medianSeconds)}</ReportFigure>,
            },
            { head: t`90th percentile`, align: 'right', cell: (row) => time(row.ninetiethSeconds) },
            {
              head: t`Longest`,
              align: 'right',
              wideOnly: true,
              cell: (row) => time(row.decided > 0 ? row.longestSeconds : null),
            },
            {
              head: t`Target`,
              align: 'right',
              wideOnly: true,
              cell: (row) => <span className="unbroken">{target(row.target)}</span>,
            },
            { head: t`Decided, previous period`, align: 'right', cell: ({ before }) => before.decided },
            { head: t`On time, previous period`, align: 'right', wideOnly: true, cell: ({ before }) => met(before) },
            { head: t`Median, previous period`, align: 'right', cell: ({ before }) => time(before.medianSeconds) },
          ]}
        />
      </section>
      {data?.rows.some((row) => row.target?.unit === 'workingDays') && (
        <p className="muted size-13">
          <Trans>Times include nights and weekends.</Trans>{' '}
          <span className="report-bars-legend">
            <Trans>They have no bar if the target is in working days.</Trans>
          </span>
        </p>
      )}
      {data && <p className="muted size-13">{t`Previous period: ${periodLabel(data.before)}`}</p>}
    </div>
  )
}

/**
 * A bar for the median, its outlined rest up to the 90th percentile, a tick for the target; the cells give the same
 * values. The times include nights and weekends, so only targets in hours are on their scale.
 */
function TurnaroundBar({ row: { medianSeconds, ninetiethSeconds, target } }: { row: Row }) {
  if (target?.unit !== 'hours') return '–'
  const targetSeconds = target.number * 3600
  const share = (seconds: number | null) => `${Math.min(1, ((seconds ?? 0) / targetSeconds) * targetShare) * 100}%`
  return (
    <span className="bullet" aria-hidden="true">
      <i className="bullet-within" style={{ inlineSize: share(ninetiethSeconds) }} />
      <i className="bullet-median" style={{ inlineSize: share(medianSeconds) }} />
      <i className="bullet-target" />
    </span>
  )
}
