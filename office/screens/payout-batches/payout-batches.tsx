import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSearch } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listPayoutBatches, payoutOverview, withBank } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { currencies } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Money } from '#ui/money/money.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { Time } from '#ui/text/time.tsx'
import { changeQuery } from '#ui/navigation/url-state.ts'
import { useListFilters } from '../../records/list-filters.ts'
import { type ListColumn, RecordList } from '../../records/record-list.tsx'
import { useCanDo } from '../../session.ts'
import { BatchMarks, BatchStatus } from '../payout-batch/batch-status.tsx'
import { CreateBatch } from './create-batch.tsx'
import { PayoutStops } from './payout-stops.tsx'
import { ReadyPayouts } from './ready-payouts.tsx'
import './payout-batches.css'

type Row = ResponseOf<typeof listPayoutBatches>['rows'][number]

/** Payout batches: approved withdrawals in no batch, all batches with their status, and the creation of one. */
export default function PayoutBatches() {
  const wanted = new URLSearchParams(useSearch()).get('create')
  const currency = currencies.find((one) => one === wanted)
  const mayCreate = useCanDo('createPayoutBatch')
  return currency && mayCreate ? <CreateBatch key={currency} currency={currency} /> : <Batches />
}

function Batches() {
  const { t } = useLingui()
  const { data: overview } = useEndpoint(payoutOverview, {})
  const { filters, read, rows } = useBatches()
  const columns = useColumns()
  return (
    <OfficePage>
      <PageHeader title={t`Payout batches`}>
        <Trans>One person creates a batch, another releases it, and a person who did not release it confirms it.</Trans>
      </PageHeader>
      <PayoutStops />
      <ReadyPayouts ready={overview?.ready} />
      <StepTabs overview={overview} state={filters.state} />
      <RecordList
        list="payout-batches"
        path={officePaths.payoutBatches}
        caption={t`Payout batches`}
        filters={filters}
        search={t`Batch number or reference`}
        exported={{ state: filters.asked['state'] ?? 'all' }}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => officePaths.payoutBatch(id)}
        rowTone={({ state }) => (state === 'created' ? 'wait' : undefined)}
        read={read}
        empty={t`No payout batches yet. New batches will appear here.`}
        legend={
          <p className="batch-legend">
            <span className="batch-marks" aria-hidden="true">
              <i data-mark="done" />
              <i data-mark="done" />
              <i data-mark="done" />
              <i data-mark="ok" />
            </span>
            <Trans>created, released, sent by the bank, closed</Trans>
          </p>
        }
      />
    </OfficePage>
  )
}

/** Returns the list under the filters of the URL; its first page begins with the batches to release. */
function useBatches() {
  const filters = useListFilters({
    states: ['created', withBank, 'partly_returned'],
    sorts: ['createdAt'],
    direction: 'desc',
    amounts: true,
  })
  const { query } = filters
  const read = useEndpoint(
    listPayoutBatches,
    { ...query, state: query.state ?? 'all', direction: query.direction ?? 'desc' },
    { keepLast: true },
  )
  const pinned = !filters.filtered && query.direction === undefined
  const waiting = useEndpoint(
    listPayoutBatches,
    { state: 'created', direction: 'desc', size: '100' },
    { enabled: pinned, keepLast: true },
  )
  const first = query.cursor === undefined ? (waiting.data?.rows ?? []) : []
  const rows: readonly Row[] = read.data?.rows ?? []
  return {
    filters,
    read,
    rows: pinned ? [...first, ...rows.filter(({ state }) => state !== 'created')] : rows,
  }
}

interface StepTabsProps {
  overview: ResponseOf<typeof payoutOverview> | undefined
  state: string
}

function StepTabs({ overview, state }: StepTabsProps) {
  const { t } = useLingui()
  const search = useSearch()
  const tab = (name: string, label: React.ReactNode, count?: number | null) => ({
    href: officePaths.payoutBatches + changeQuery(search, { state: name, cursor: '' }),
    label,
    current: state === name,
    ...(count === undefined ? {} : { count }),
  })
  const returned = overview?.returned ?? 0
  return (
    <Tabs
      label={t`Status`}
      tabs={[
        tab('', <Trans>All</Trans>),
        tab('created', <Trans>To release</Trans>, overview?.toRelease ?? null),
        tab(withBank, <Trans>With the bank</Trans>, overview?.withBank ?? null),
        ...(returned > 0 || state === 'partly_returned'
          ? [tab('partly_returned', <Trans>Partly returned</Trans>, returned)]
          : []),
      ]}
    />
  )
}

function useColumns(): ListColumn<Row>[] {
  const { t } = useLingui()
  const person = (who: { name: string } | null) => who?.name ?? <span className="muted">–</span>
  return [
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
      cell: ({ createdAt, count }) => (
        <>
          <span className="batch-count">
            <Plural value={count} one="# payment" other="# payments" /> ·{' '}
          </span>
          <Time at={createdAt} />
        </>
      ),
    },
    { key: 'by', head: t`Created by`, cell: ({ createdBy }) => person(createdBy) },
    { key: 'count', head: t`Payments`, align: 'right', cell: ({ count }) => <span className="numbers">{count}</span> },
    {
      key: 'total',
      head: t`Total`,
      align: 'right',
      phone: 'figure',
      cell: ({ total, currency }) => <Money amount={{ minor: total, currency }} />,
    },
    {
      key: 'released',
      head: t`Released by`,
      cell: ({ releasedBy, mayRelease }) =>
        mayRelease ? <b className="strong">{t`You can release`}</b> : person(releasedBy),
    },
    { key: 'confirmed', head: t`Confirmed by`, wideOnly: true, cell: ({ confirmedBy }) => person(confirmedBy) },
    {
      key: 'state',
      head: t`Status`,
      phone: 'status',
      cell: ({ state }) => (
        <span className="batch-state">
          <BatchMarks state={state} />
          <BatchStatus state={state} />
        </span>
      ),
    },
  ]
}
