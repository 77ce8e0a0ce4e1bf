import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { overridesReport, type Period } from '#contract/office/reports.ts'
import { pathOfWorkItem } from '#contract/office-paths.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { UserText } from '#ui/text/user-text.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { rowsPlaceholder } from '../../records/list-rows.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { Bars, PreviousPeriod } from './bars.tsx'

type Override = ResponseOf<typeof overridesReport>['rows'][number]

/** Overridden blocks with person and reason, and the number of each beside the previous period. */
export function OverridesReport({ period }: { period: Period }) {
  const { t, i18n } = useLingui()
  const number = numberFormat(i18n.locale)
  const word = useRecordLabel()
  const { data, error, isFetching, refetch } = useEndpoint(overridesReport, period, { keepLast: true })
  const instead = rowsPlaceholder(
    { data, error, refetch },
    <EmptyState level="h2" title={t`No overrides in this period`} />,
  )
  const checks = data?.before ? data.checks : countByCheck(data?.rows ?? [])
  const sum = (of: 'count' | 'before') => checks.reduce((all, check) => all + (check[of] ?? 0), 0)
  const all = sum('count')
  const [listed, total] = [number.format(data?.rows.length ?? 0), number.format(all)]
  return (
    <div className={checks.length > 0 ? 'report report-beside' : 'report'}>
      <section className="sheet">
        {data && all > data.rows.length && (
          <p className="report-cut">
            {t`The newest ${listed} of ${total} overrides. The CSV file contains all of them.`}
          </p>
        )}
        <Table
          caption={t`Overrides`}
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          busy={isFetching}
          instead={instead}
          columns={[
            { head: t`Time`, phone: 'time', cell: (row) => <Time at={row.at} /> },
            { head: t`Person`, phone: 'figure', cell: (row) => row.staff.name },
            {
              head: t`Payment request`,
              phone: 'title',
              cell: (row) => {
                const kind = workItemKinds.find((one) => one === row.kind)
                const name = <Codes>{`${word(row.kind)} ${row.reference ?? ''}`.trim()}</Codes>
                return (
                  <>
                    {kind ? <Link href={pathOfWorkItem(kind, row.record)}>{name}</Link> : name}
                    <span className="report-reason muted">
                      <UserText>{row.reason}</UserText>
                    </span>
                  </>
                )
              },
            },
            { head: t`Overridden block`, phone: 'status', cell: (row) => row.check },
            { head: t`Reason`, cell: (row) => <UserText>{row.reason}</UserText> },
          ]}
        />
      </section>
      {data && (
        <div className="stack">
          {checks.length > 0 && (
            <Bars
              title={t`Overrides by block`}
              bars={[
                ...(checks.length > 1
                  ? [
                      {
                        key: '',
                        label: t`All blocks`,
                        value: sum('count'),
                        before: data.before && sum('before'),
                        tone: 'run' as const,
                      },
                    ]
                  : []),
                ...checks.map(({ check, count, before }) => ({
                  key: check,
                  label: check,
                  value: count,
                  before,
                  tone: 'plain' as const,
                })),
              ]}
            />
          )}
          <PreviousPeriod before={data.before} />
        </div>
      )}
    </div>
  )
}

/** Returns how often each block was overridden, for servers of the previous version, which do not send the counts. */
function countByCheck(rows: readonly Override[]) {
  return [...Map.groupBy(rows, ({ check }) => check)].map(([check, { length }]) => ({
    check,
    count: length,
    before: null,
  }))
}
