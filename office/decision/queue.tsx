import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { StatusRecord } from '#contract/status-labels.ts'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { ViewedList } from '#contract/office/saved-views.ts'
import type { exportedLists } from '#contract/office/records.ts'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import type { Column } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { type ListFilters, useListFilters } from '../records/list-filters.ts'
import { insteadOf, StatusFilter } from '../records/list-tools.tsx'
import { RecordList } from '../records/record-list.tsx'
import { Due } from './due-labels.tsx'
import './decision.css'

/** Returns the filters of a queue with the states of its machine. `sorts`: columns beside the time; by amount it filters too. */
export function useQueueFilters<const State extends string, const SortBy extends string = never>(
  states: readonly State[],
  ...sorts: readonly SortBy[]
) {
  return useListFilters<State | 'all', SortBy | 'createdAt'>({
    states: [...states, 'all'],
    sorts: ['createdAt', ...sorts],
    amounts: (sorts as readonly string[]).includes('amount'),
  })
}

interface Row {
  readonly id: string
  readonly state: string
  readonly createdAt: Date
  readonly dueAt: Date | null
  readonly assignee: { name: string } | null
  readonly client: ClientBrief | null
  /** Of a person who wrote without signing in. */
  readonly name?: string | null
}

interface QueueProps<R extends Row> {
  title: string
  /** Whose states it shows. */
  record: StatusRecord
  /** The name under which it is exported. */
  list: (typeof exportedLists)[number] & ViewedList
  /** Its address. */
  path: string
  /** Whether it filters by amount and currency. */
  amounts?: boolean
  children?: ReactNode
  action?: ReactNode
  states: readonly string[]
  filters: ListFilters
  read: { data: { rows: readonly R[]; next: string | null } | undefined; error: Error | null; refetch: () => unknown }
  href: (row: R) => string
  /** Filters beside the state. */
  own?: ReactNode
  /** Between the client and the times. */
  columns: readonly Column<R>[]
  /** What will appear here. */
  empty: string
}

/** One kind of request as a list, what is due first; filters and order live in the address. */
export function Queue<R extends Row>({
  title,
  record,
  list,
  path,
  amounts = false,
  children,
  action,
  filters,
  states,
  own,
  read,
  href,
  columns,
  empty,
}: QueueProps<R>) {
  const { t } = useLingui()
  const statusWord = useStatusLabel(record)
  return (
    <OfficePage>
      <PageHeader title={title} action={action}>
        {children}
      </PageHeader>
      <RecordList
        list={list}
        path={path}
        caption={title}
        filters={filters}
        search={t`Client, account or reference`}
        amounts={amounts}
        file={{ list }}
        own={
          <>
            <StatusFilter
              filters={filters}
              states={states}
              word={statusWord}
              standard={t`Pending item`}
              all={t`All statuses`}
            />
            {own}
          </>
        }
        columns={useQueueColumns(record, columns)}
        rows={read.data?.rows ?? []}
        rowKey={(row) => row.id}
        rowHref={href}
        instead={insteadOf(read, filters, empty, true)}
        next={read.data?.next}
      />
    </OfficePage>
  )
}

/** Returns who asked, the list's own columns, and what every request has. */
function useQueueColumns<R extends Row>(record: StatusRecord, own: readonly Column<R>[]): Column<R>[] {
  const { t } = useLingui()
  return [
    {
      key: 'client',
      head: t`Client`,
      phone: 'title',
      cell: ({ client, name }) => (client ? <ClientCell client={client} /> : (name ?? '–')),
    },
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
      cell: ({ state }) => <StatusBadge record={record} state={state} />,
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
