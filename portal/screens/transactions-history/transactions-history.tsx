import { useLingui, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import {
  countTransferHistory,
  getTransferHistory,
  historyCountMax,
  historyLists,
  historyCsv,
  historyPdf,
} from '#contract/history.ts'
import { historyPageSizes } from '#rules/constants.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { Table } from '#ui/data/table.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { EmptyHistory } from './empty-history.tsx'
import {
  type ChangeUrl,
  filtersOf,
  firstPage,
  type HistoryUrl,
  historyUrl,
  pageQuery,
  listStatuses,
  kindOf,
} from './history-url.ts'
import { useHistoryColumns } from './history-columns.tsx'
import { recordsOf } from './history-record.ts'
import { RecordDrawer } from './record-drawer.tsx'
import { getLiveAccounts } from '#contract/accounts.ts'
import { FilterSelect } from '#ui/forms/select.tsx'
import { useStatusLabel } from '#ui/data/status-badge.tsx'
import { accountName, accountNumberText } from '../../funding/accounts.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { DaysFilter } from '#ui/forms/days-filter.tsx'
import { today } from '#ui/text/days.ts'
import { IconDownload, IconFileTypePdf } from '@tabler/icons-react'
import { Button } from '#ui/forms/button.tsx'
import { useFileDownload } from '#ui/api/use-saving.ts'
import './transactions-history.css'

/** Requests change while the firm processes them. */
const pollMs = 30_000

/** Transactions history: deposits, withdrawals, internal transfers (requirements 11.1). */
export default function TransactionsHistory() {
  const { t } = useLingui()
  const [address, change] = useUrlState(historyUrl)
  return (
    <>
      <PageHeader title={t`Transactions history`} action={<HistoryExports address={address} />} />
      <ListTabs address={address} />
      <HistoryFilters address={address} change={change} />
      <HistoryPage address={address} change={change} />
    </>
  )
}

/** The tabs count what they lead to: all statuses, on the account and days that stay chosen. */
function ListTabs({ address }: { address: HistoryUrl }) {
  const { t } = useLingui()
  const { account, from, to } = address
  const { data } = useEndpoint(countTransferHistory, { account, from, to }, { pollMs, keepLast: true })
  const [path] = useLocation()
  const search = useSearch()
  const labels = { deposits: t`DEPOSITS`, withdrawals: t`WITHDRAWALS`, transfers: t`INTERNAL TRANSFERS` }
  // Account and dates are kept for the other list; filters that it may lack are dropped.
  const own = { ...firstPage, status: undefined, sort: undefined, direction: undefined }
  return (
    <Tabs
      label={t`Transactions history`}
      tabs={historyLists.map((list) => ({
        href: path + changeQuery(search, { ...own, list }),
        label: labels[list],
        count: data ? (data[list] ?? `${historyCountMax}+`) : null,
        current: list === address.list,
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
  const steps = useCursorPages(address, change)
  const rows = data ? recordsOf(address.list, data) : []
  const filters = filtersOf(address)
  const clear = () => change({ ...firstPage, account: undefined, status: undefined, from: undefined, to: undefined })
  const captions = { deposits: t`Deposits`, withdrawals: t`Withdrawals`, transfers: t`Internal transfers` }
  const first = (address.page - 1) * Number(address.size) + 1
  const last = first + rows.length - 1
  // The last page gives the total of a list that was too long to count.
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
          rowHref={({ row }) => path + changeQuery(search, { record: row.id })}
          selectedKey={address.record ?? null}
          sort={{ by: query.sort, direction: query.direction }}
          onSort={({ by, direction }) => change({ ...firstPage, sort: by, direction })}
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
          onSize={(size) => change({ ...firstPage, size })}
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

/** A cursor only leads forward, so those of visited pages are stored; after a reload, back leads to the start. */
function useCursorPages({ cursor, page }: HistoryUrl, change: ChangeUrl) {
  const [seen, setSeen] = useState<Readonly<Record<number, string | undefined>>>({})
  return {
    next(to: string) {
      setSeen({ ...seen, [page]: cursor })
      change({ cursor: to, page: page + 1, record: undefined }, { replace: false })
    },
    previous() {
      const to = seen[page - 1]
      change({ ...firstPage, cursor: to, page: to === undefined ? undefined : page - 1 }, { replace: false })
    },
  }
}

/** Account, status and dates, all stored in the URL. */
function HistoryFilters({ address, change }: { address: HistoryUrl; change: ChangeUrl }) {
  const { t } = useLingui()
  const word = useStatusLabel(kindOf[address.list])
  const zone = usePortalSettings()?.firm.timeZone ?? 'Europe/London'
  const { data } = useEndpoint(getLiveAccounts, { a: 'all', b: 'all' })
  const { account, status, from, to } = filtersOf(address)
  const accounts = (data?.accounts ?? []).flatMap(({ number, ...rest }) =>
    number === null ? [] : [{ value: number, label: `${accountNumberText(number)} · ${accountName(rest)}` }],
  )
  const unlisted = account !== undefined && !accounts.some(({ value }) => value === account)
  return (
    <div
      className="history-filters"
      role="group"
      aria-label={t`Filters`}
      // On a phone the row scrolls sideways, and the browser does not scroll a partly visible control.
      onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
    >
      <FilterSelect
        label={t`Account`}
        all={t`All accounts`}
        value={account}
        options={[...accounts, ...(unlisted ? [{ value: account, label: accountNumberText(account) }] : [])]}
        onValue={(account) => change({ ...firstPage, account })}
      />
      <FilterSelect
        label={t`Status`}
        all={t`Any status`}
        value={status}
        options={listStatuses[address.list].map((state) => ({ value: state, label: word(state) }))}
        onValue={(status) => change({ ...firstPage, status })}
      />
      <DaysFilter
        from={from}
        to={to}
        today={() => today(zone, new Date())}
        onDays={(days) => change({ ...firstPage, ...days })}
      />
    </div>
  )
}

/** Exports the filtered list as CSV, and all three lists of these days as a PDF. */
function HistoryExports({ address }: { address: HistoryUrl }) {
  const { t } = useLingui()
  const csv = useFileDownload()
  const statement = useFileDownload()
  const { list } = address
  const { account, status, from, to } = filtersOf(address)
  return (
    <>
      <Button
        icon={<IconDownload className="small" aria-hidden="true" />}
        pending={csv.isPending}
        aria-label={t`Download this list as CSV`}
        onClick={() => csv.save(historyCsv.path + changeQuery('', { list, account, status, from, to }), `${list}.csv`)}
      >
        CSV
      </Button>
      <Button
        icon={<IconFileTypePdf className="small" aria-hidden="true" />}
        pending={statement.isPending}
        aria-label={t`Download statement as PDF`}
        onClick={() => statement.save(historyPdf.path + changeQuery('', { account, from, to }), 'statement.pdf')}
      >
        <Trans>Statement</Trans>
      </Button>
    </>
  )
}
