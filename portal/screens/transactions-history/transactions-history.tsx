import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { getTransferHistory, historyCountMax, type HistoryList, historyLists } from '#contract/history.ts'
import { historyPageSizes } from '#rules/constants.ts'
import { useUrlState, withChange } from '#ui/navigation/url-state.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { Table } from '#ui/data/table.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { EmptyHistory } from './empty-history.tsx'
import { type ChangeUrl, filtersOf, fromTheStart, type HistoryUrl, historyUrl, pageQuery } from './history-url.ts'
import { useHistoryColumns } from './history-columns.tsx'
import { HistoryExports } from './history-exports.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { recordsOf } from './history-record.ts'
import { RecordDrawer } from './record-drawer.tsx'
import './transactions-history.css'

/** Requests change while the firm works on them. */
const pollMs = 30_000

/** Transactions history: deposits, withdrawals, internal transfers (requirements 11.1). */
export default function TransactionsHistory() {
  const { t } = useLingui()
  const [address, change] = useUrlState(historyUrl)
  return (
    <>
      <PageHeader title={t`Transactions history`} action={<HistoryExports address={address} />} />
      <ListTabs current={address.list} />
      <HistoryFilters address={address} change={change} />
      <HistoryPage address={address} change={change} />
    </>
  )
}

function ListTabs({ current }: { current: HistoryList }) {
  const { t } = useLingui()
  const [path] = useLocation()
  const search = useSearch()
  const labels = { deposits: t`DEPOSITS`, withdrawals: t`WITHDRAWALS`, transfers: t`INTERNAL TRANSFERS` }
  // Account and days go along to the other list; what it may not know stays behind.
  const own = { ...fromTheStart, status: undefined, sort: undefined, direction: undefined }
  return (
    <Tabs
      label={t`Transactions history`}
      tabs={historyLists.map((list) => ({
        href: path + withChange(search, { ...own, list }),
        label: labels[list],
        current: list === current,
      }))}
    />
  )
}

function HistoryPage({ address, change }: { address: HistoryUrl; change: ChangeUrl }) {
  const { t } = useLingui()
  const [path] = useLocation()
  const search = useSearch()
  const query = pageQuery(address)
  const { data, error, isPlaceholderData, refetch } = useEndpoint(getTransferHistory, query, { pollMs, keepLast: true })
  const columns = useHistoryColumns(address.list)
  const steps = usePages(address, change)
  const rows = data ? recordsOf(address.list, data) : []
  const filters = filtersOf(address)
  const clear = () => change({ ...fromTheStart, account: undefined, status: undefined, from: undefined, to: undefined })
  const captions = { deposits: t`Deposits`, withdrawals: t`Withdrawals`, transfers: t`Internal transfers` }
  const first = (address.page - 1) * Number(address.size) + 1
  const last = first + rows.length - 1
  // The last page tells where a list ends that was too long to be counted.
  const total = data?.next === null ? last : data?.total
  const most = Math.max(historyCountMax, last)
  const next = typeof data?.next === 'string' && !isPlaceholderData ? data.next : null
  return (
    <>
      <div className="sheet history-list">
        <Table
          caption={captions[address.list]}
          columns={columns}
          rows={rows}
          rowKey={({ row }) => row.id}
          rowHref={({ row }) => path + withChange(search, { record: row.id })}
          selectedKey={address.record ?? null}
          sort={{ by: query.sort, direction: query.direction }}
          onSort={({ by, direction }) => change({ ...fromTheStart, sort: by, direction })}
          busy={isPlaceholderData}
          instead={
            error && !data ? (
              <ErrorPanel failure={error} onRetry={() => void refetch()} />
            ) : data && rows.length === 0 && !isPlaceholderData ? (
              <EmptyHistory list={address.list} filters={filters} onClear={clear} />
            ) : undefined
          }
        />
      </div>
      {(rows.length > 0 || address.cursor !== undefined) && (
        <Pagination
          size={Number(address.size)}
          sizes={historyPageSizes}
          onSize={(size) => change({ ...fromTheStart, size })}
          onPrevious={address.cursor === undefined ? undefined : steps.previous}
          onNext={next === null ? undefined : () => steps.next(next)}
          reordered={query.sort !== 'timestamp' || query.direction !== 'desc'}
          range={
            rows.length > 0 &&
            (typeof total === 'number' ? t`${first}–${last} of ${total}` : t`${first}–${last} of more than ${most}`)
          }
        />
      )}
      {address.record !== undefined && (
        <RecordDrawer
          list={address.list}
          id={address.record}
          listed={rows.find(({ row }) => row.id === address.record) ?? null}
          onClose={() => change({ record: undefined })}
        />
      )}
    </>
  )
}

/** A cursor leads on, never back: those of the pages that were seen are remembered; after a reload, back is the start. */
function usePages({ cursor, page }: HistoryUrl, change: ChangeUrl) {
  const [seen, setSeen] = useState<Readonly<Record<number, string | undefined>>>({})
  return {
    next(to: string) {
      setSeen({ ...seen, [page]: cursor })
      change({ cursor: to, page: page + 1, record: undefined }, { replace: false })
    },
    previous() {
      const to = seen[page - 1]
      change({ ...fromTheStart, cursor: to, page: to === undefined ? undefined : page - 1 }, { replace: false })
    },
  }
}
