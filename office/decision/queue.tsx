import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { exportedLists } from '#contract/office/records.ts'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { type ListFilters, useListFilters } from '../records/list-filters.ts'
import { ExportButton, insteadOf, PagesOf, StatusFilter, WordsAndDays } from '../records/list-tools.tsx'
import { Due } from './due-labels.tsx'
import './decision.css'

/** Returns the filters of a queue with the states of its machine. `sorts`: columns beside the time of the request. */
export function useQueueFilters<const State extends string, const SortBy extends string = never>(
  states: readonly State[],
  ...sorts: readonly SortBy[]
) {
  return useListFilters<State | 'all', SortBy | 'createdAt'>({
    states: [...states, 'all'],
    sorts: ['createdAt', ...sorts],
  })
}

interface Row {
  readonly id: string
  readonly state: string
  readonly createdAt: Date
  readonly dueAt: Date | null
  readonly assignee: { name: string } | null
  readonly client: ClientBrief
}

interface QueueProps<R extends Row> {
  title: string
  /** The name under which it is exported. */
  list: (typeof exportedLists)[number]
  children?: ReactNode
  action?: ReactNode
  /** Above the list: tabs. */
  tabs?: ReactNode
  states: readonly string[]
  filters: ListFilters
  read: { data: { rows: readonly R[]; next: string | null } | undefined; error: Error | null; refetch: () => unknown }
  href: (row: R) => string
  /** Between the client and the times. */
  columns: readonly Column<R>[]
  /** What will appear here. */
  empty: string
}

/** One kind of request as a list, what is due first; filters and order live in the address. */
export function Queue<R extends Row>({
  title,
  list,
  children,
  action,
  tabs,
  filters,
  states,
  read,
  href,
  columns,
  empty,
}: QueueProps<R>) {
  const { t } = useLingui()
  const statusWord = useStatusLabel()
  return (
    <OfficePage>
      <PageHeader title={title} action={action}>
        {children}
      </PageHeader>
      {tabs}
      <div className="queue-tools">
        <StatusFilter
          filters={filters}
          states={states}
          word={statusWord}
          standard={t`Pending item`}
          all={t`All statuses`}
        />
        <WordsAndDays filters={filters} label={t`Client, account or reference`} />
        <ExportButton list={list} asked={filters.asked} />
      </div>
      <div className="sheet">
        <Table
          caption={title}
          columns={useQueueColumns(columns)}
          rows={read.data?.rows ?? []}
          rowKey={(row) => row.id}
          rowHref={href}
          sort={filters.sort}
          onSort={({ by, direction }) => filters.set({ sort: by, direction })}
          instead={insteadOf(read, filters, empty, true)}
        />
      </div>
      <PagesOf pages={filters.pages} next={read.data?.next} />
    </OfficePage>
  )
}

/** Returns who asked, the list's own columns, and what every request has. */
function useQueueColumns<R extends Row>(own: readonly Column<R>[]): Column<R>[] {
  const { t } = useLingui()
  return [
    { key: 'client', head: t`Client`, phone: 'title', cell: ({ client }) => <ClientCell client={client} /> },
    ...own,
    {
      key: 'asked',
      head: t`Requested`,
      sort: 'createdAt',
      phone: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    { key: 'due', head: t`Due`, cell: ({ dueAt }) => <Due at={dueAt} /> },
    { key: 'held', head: t`Assigned to`, cell: ({ assignee }) => assignee?.name ?? <span className="muted">–</span> },
    {
      key: 'state',
      head: t`Status`,
      phone: 'status',
      cell: ({ state }) => <StatusBadge state={state} />,
    },
  ]
}

export function ClientCell({ client }: { client: ClientBrief | null }) {
  if (!client) return <span className="muted">–</span>
  return (
    <span className="queue-client">
      <span className="strong">{client.name}</span>
      <small className="numbers">{client.number}</small>
    </span>
  )
}
