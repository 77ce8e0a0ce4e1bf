import { Trans, useLingui } from '@lingui/react/macro'
import { overridesReport } from '#contract/office/records.ts'
import { pathOfWork } from '#contract/office-paths.ts'
import { workKinds } from '#rules/work.ts'
import { Empty } from '#ui/empty.tsx'
import { useEndpoint } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Link } from '#ui/link.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { Written } from '#ui/written.tsx'
import { useRecordWord } from '../../records/work-words.ts'
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
