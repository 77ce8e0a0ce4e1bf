import { useLingui } from '@lingui/react/macro'
import { approvalsReport, type Period } from '#contract/office/reports.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Table } from '#ui/data/table.tsx'
import { insteadOfRows } from '../../records/list-tools.tsx'
import { useWorkItemLabel } from '../../records/work-item-labels.ts'
import { Bars } from './bars.tsx'
import { ReportFigure } from '../../figures/report-figure.tsx'

/** Decisions by person: how many, and with which result. */
export function ApprovalsReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const word = useWorkItemLabel()
  const { data, error, isFetching, refetch } = useEndpoint(approvalsReport, period, { keepLast: true })
  const instead = insteadOfRows(
    { data, error, refetch },
    <EmptyState level="h2" title={t`No decisions in this period`} />,
  )
  const sum = (of: 'approved' | 'rejected' | 'other') => data?.rows.reduce((all, row) => all + row[of], 0) ?? 0
  const bar = (key: 'approved' | 'rejected' | 'other', label: string, tone: 'ok' | 'bad' | 'plain') => ({
    key,
    label,
    value: sum(key),
    text: String(sum(key)),
    tone,
  })
  return (
    <div className="report report-beside">
      <section className="sheet">
        <Table
          caption={t`Decisions by person`}
          rows={data?.rows ?? []}
          rowKey={(row) => `${row.staff.id} ${row.kind}`}
          busy={isFetching}
          instead={instead}
          columns={[
            { head: t`Person`, phone: 'title', cell: (row) => <b className="strong">{row.staff.name}</b> },
            { head: t`Type`, phone: 'time', cell: (row) => word(row.kind) },
            {
              head: t`Approved`,
              align: 'right',
              phone: 'figure',
              cell: (row) => <ReportFigure word={t`Approved`}>{row.approved}</ReportFigure>,
            },
            {
              head: t`Rejected`,
              align: 'right',
              phone: 'status',
              cell: (row) => <ReportFigure word={t`Rejected`}>{row.rejected}</ReportFigure>,
            },
            { head: t`Other`, align: 'right', cell: (row) => row.other },
          ]}
        />
      </section>
      {data && data.rows.length > 0 && (
        <Bars
          title={t`All decisions`}
          bars={[
            bar('approved', t`Approved`, 'ok'),
            bar('rejected', t`Rejected`, 'bad'),
            bar('other', t`Other`, 'plain'),
          ]}
        />
      )}
    </div>
  )
}
