import { Trans, useLingui } from '@lingui/react/macro'
import { decisionTimesReport, type Period } from '#contract/office/records.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { Table } from '#ui/data/table.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { Bars } from './bars.tsx'
import { ReportFigure } from './report-figure.tsx'

/** Shows how long decisions took, by queue. */
export function DecisionTimesReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const word = useRecordLabel()
  const span = useSpan()
  const { data, error, isFetching, refetch } = useEndpoint(decisionTimesReport, period, { keepLast: true })
  const instead = error ? (
    <ErrorPanel failure={error} onRetry={() => void refetch()} />
  ) : data?.rows.length === 0 ? (
    <EmptyState level="h2" title={<Trans>No decisions in this period</Trans>} />
  ) : undefined
  return (
    <div className="report">
      <section className="sheet">
        <Table
          caption={t`Turnaround`}
          rows={data?.rows ?? []}
          rowKey={(row) => row.kind}
          busy={isFetching}
          instead={instead}
          columns={[
            { key: 'kind', head: t`Queue`, phone: 'title', cell: (row) => word(row.kind) },
            {
              key: 'decided',
              head: t`Decided`,
              align: 'right',
              phone: 'time',
              cell: (row) => <ReportFigure word={t`Decided`}>{row.decided}</ReportFigure>,
            },
            {
              key: 'late',
              head: t`Overdue`,
              align: 'right',
              phone: 'status',
              cell: (row) => (
                <ReportFigure word={t`Overdue`}>
                  {row.late > 0 ? <span className="tone-bad strong">{row.late}</span> : 0}
                </ReportFigure>
              ),
            },
            {
              key: 'median',
              head: t`Median`,
              align: 'right',
              phone: 'figure',
              cell: (row) => <ReportFigure word={t`Median`}>{span(row.medianSeconds)}</ReportFigure>,
            },
            {
              key: 'ninetieth',
              head: t`90% within`,
              align: 'right',
              cell: (row) => span(row.ninetiethSeconds),
            },
            { key: 'longest', head: t`Longest`, align: 'right', cell: (row) => span(row.longestSeconds) },
          ]}
        />
      </section>
      {data && data.rows.length > 0 && (
        <Bars
          title={t`90% decided within`}
          bars={data.rows.map((row) => ({
            key: row.kind,
            label: word(row.kind),
            value: row.ninetiethSeconds,
            text: span(row.ninetiethSeconds),
            tone: row.late > 0 ? 'bad' : 'ok',
          }))}
        />
      )}
    </div>
  )
}

/** "40 s", "12 min", "31 h". */
function useSpan(): (seconds: number) => string {
  const { t } = useLingui()
  return (seconds) => {
    if (seconds < 90) return t`${seconds} s`
    const minutes = Math.round(seconds / 60)
    if (minutes < 90) return t`${minutes} min`
    const hours = Math.round(minutes / 60)
    return t`${hours} h`
  }
}
