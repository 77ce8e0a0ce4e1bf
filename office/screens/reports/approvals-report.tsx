import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { approvalsReport, type Period } from '#contract/office/reports.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Table } from '#ui/data/table.tsx'
import { rowsPlaceholder } from '../../records/list-rows.tsx'
import { useWorkItemLabel } from '../../records/work-item-labels.ts'
import { Bars, PreviousPeriod } from './bars.tsx'
import { ReportFigure } from '../../figures/report-figure.tsx'

type Decisions = Pick<ResponseOf<typeof approvalsReport>['rows'][number], 'approved' | 'rejected' | 'other'>

/** Decisions by person: how many, and with which result, beside the previous period. */
export function ApprovalsReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const word = useWorkItemLabel()
  const { data, error, isFetching, refetch } = useEndpoint(approvalsReport, period, { keepLast: true })
  const instead = rowsPlaceholder(
    { data, error, refetch },
    <EmptyState level="h2" title={t`No decisions in this period`} />,
  )
  const rows = data?.rows ?? []
  const bar = (key: keyof Decisions, label: string, tone: 'ok' | 'bad' | 'plain') => ({
    key,
    label,
    value: rows.reduce((sum, row) => sum + row[key], 0),
    before: data?.before ? rows.reduce((sum, row) => sum + (row.before?.[key] ?? 0), 0) : null,
    tone,
  })
  return (
    <div className="report report-beside">
      <section className="sheet">
        <Table
          caption={t`Decisions by person`}
          rows={rows}
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
              cell: (row) => (
                <>
                  <ReportFigure word={t`Rejected`}>{row.rejected}</ReportFigure>
                  <span className="phone-only report-word">
                    {' '}
                    · {t`Other`} {row.other}
                  </span>
                </>
              ),
            },
            { head: t`Other`, align: 'right', cell: (row) => row.other },
            { head: t`Approved, previous period`, align: 'right', cell: ({ before }) => before?.approved ?? '–' },
            { head: t`Rejected, previous period`, align: 'right', cell: ({ before }) => before?.rejected ?? '–' },
            { head: t`Other, previous period`, align: 'right', cell: ({ before }) => before?.other ?? '–' },
          ]}
        />
      </section>
      {data && (
        <div className="stack">
          {rows.length > 0 && (
            <Bars
              title={t`All decisions`}
              bars={[
                bar('approved', t`Approved`, 'ok'),
                bar('rejected', t`Rejected`, 'bad'),
                bar('other', t`Other`, 'plain'),
              ]}
            />
          )}
          <PreviousPeriod before={data.before} />
        </div>
      )}
    </div>
  )
}
