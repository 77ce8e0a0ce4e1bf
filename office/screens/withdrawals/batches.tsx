import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listPayoutBatches } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { payoutBatchMachine } from '#rules/payout-batches.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Money } from '#ui/money/money.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { insteadOf, PagesOf, StatusFilter, WordsAndDays } from '../../records/list-tools.tsx'
import { useStateLabel } from '../../records/value-names.ts'
import { BatchStatus } from '../payout-batch/batch-status.tsx'
import { PayoutStops } from './payout-stops.tsx'

type Row = ResponseOf<typeof listPayoutBatches>['rows'][number]

/** Payout batches, those first that wait for a release or a confirmation. */
export function Batches({ tabs }: { tabs: ReactNode }) {
  const { t } = useLingui()
  const word = useStateLabel()
  const filters = useListFilters({ states: [...payoutBatchMachine.states, 'all'], sorts: ['createdAt'] })
  const read = useEndpoint(listPayoutBatches, filters.query, { keepLast: true })
  const person = (who: { name: string } | null) => who?.name ?? <span className="muted">–</span>
  const columns: Column<Row>[] = [
    {
      key: 'number',
      head: t`Batch`,
      phone: 'title',
      cell: ({ number }) => <span className="numbers unbroken strong">{number}</span>,
    },
    {
      key: 'created',
      head: t`Created`,
      sort: 'createdAt',
      phone: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    { key: 'by', head: t`Created by`, cell: ({ createdBy }) => person(createdBy) },
    {
      key: 'count',
      head: t`Payments`,
      align: 'right',
      cell: ({ count }) => <span className="numbers">{count}</span>,
    },
    {
      key: 'total',
      head: t`Total`,
      align: 'right',
      phone: 'figure',
      cell: ({ total, currency }) => <Money amount={{ minor: total, currency }} />,
    },
    { key: 'released', head: t`Released by`, cell: ({ releasedBy }) => person(releasedBy) },
    { key: 'confirmed', head: t`Confirmed by`, cell: ({ confirmedBy }) => person(confirmedBy) },
    { key: 'state', head: t`Status`, phone: 'status', cell: ({ state }) => <BatchStatus state={state} /> },
  ]
  return (
    <OfficePage>
      <PageHeader title={t`Withdrawals`} />
      {tabs}
      <PayoutStops />
      <div className="queue-tools">
        <StatusFilter
          filters={filters}
          states={payoutBatchMachine.states}
          word={word}
          standard={t`Pending`}
          all={t`All`}
        />
        <WordsAndDays filters={filters} label={t`Batch number or reference`} />
      </div>
      <div className="sheet">
        <Table
          caption={t`Payout batches`}
          columns={columns}
          rows={read.data?.rows ?? []}
          rowKey={({ id }) => id}
          rowHref={({ id }) => officePaths.payoutBatch(id)}
          sort={filters.sort}
          onSort={({ by, direction }) => filters.set({ sort: by, direction })}
          instead={insteadOf(read, filters, t`No payout batches are pending. New batches will appear here.`, true)}
        />
      </div>
      <PagesOf pages={filters.pages} next={read.data?.next} />
    </OfficePage>
  )
}
