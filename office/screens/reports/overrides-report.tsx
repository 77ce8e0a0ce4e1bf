import { Trans, useLingui } from '@lingui/react/macro'
import { overridesReport } from '#contract/office/records.ts'
import { pathOfWork } from '#contract/office-paths.ts'
import { workKinds } from '#rules/work-items.ts'
import { Empty } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { Written } from '#ui/text/user-text.tsx'
import { useRecordWord } from '../../records/work-item-labels.ts'
import type { Period } from './reports.tsx'

/** Which blocks were overridden, by whom, and why. */
export function OverridesReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const word = useRecordWord()
  const { data, error, isFetching, refetch } = useEndpoint(overridesReport, period, { keepLast: true })
  const instead = error ? (
    <ErrorPanel failure={error} onRetry={() => void refetch()} />
  ) : data?.rows.length === 0 ? (
    <Empty level="h2" title={<Trans>No overrides in this period</Trans>} />
  ) : undefined
  return (
    <section className="sheet report-sheet">
      <Table
        caption={t`Overrides`}
        rows={data?.rows ?? []}
        rowKey={(row) => row.id}
        busy={isFetching}
        instead={instead}
        columns={[
          { key: 'at', head: t`Time`, phone: 'time', cell: (row) => <Time at={row.at} /> },
          { key: 'staff', head: t`Person`, phone: 'figure', cell: (row) => row.staff.name },
          {
            key: 'record',
            head: t`Payment request`,
            phone: 'title',
            cell: (row) => {
              const kind = workKinds.find((one) => one === row.kind)
              const name = `${word(row.kind)} ${row.reference ?? ''}`.trim()
              return (
                <>
                  {kind ? <Link href={pathOfWork(kind, row.record)}>{name}</Link> : name}
                  <span className="report-reason muted">
                    <Written>{row.reason}</Written>
                  </span>
                </>
              )
            },
          },
          { key: 'check', head: t`Overridden check`, phone: 'status', cell: (row) => row.check },
          { key: 'reason', head: t`Reason`, cell: (row) => <Written>{row.reason}</Written> },
        ]}
      />
    </section>
  )
}
