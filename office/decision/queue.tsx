import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import type { StatusRecord } from '#contract/status-labels.ts'
import type { ClientBrief, Colleague } from '#contract/office/briefs.ts'
import type { ViewedList } from '#contract/office/saved-views.ts'
import type { exportedLists } from '#contract/office/list-export.ts'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { AbsenceLine } from '../records/absence.tsx'
import { type ListFilters, useListFilters } from '../records/list-filters.ts'
import { type ListRead, listPlaceholder } from '../records/list-rows.tsx'
import { StatusFilter } from '../records/list-tools.tsx'
import { FilterSelect } from '#ui/forms/select.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { type ListColumn, RecordList } from '../records/record-list.tsx'
import { markOfState } from '../records/state-marks.ts'
import { Due, DueBy } from './due-labels.tsx'
import './decision.css'

/** Returns the filters of a queue with the states of its state machine. */
export function useQueueFilters<const State extends string>(
  states: readonly State[],
  own: Readonly<Record<string, string>> = {},
) {
  const filters = useListFilters<State | 'all', 'createdAt'>({
    states: [...states, 'all'],
    sorts: ['createdAt'],
    own,
  })
  return { ...filters, states }
}

const datedAddress = z.object({
  dated: z.catch(z.string(), ''),
  method: z.catch(z.optional(z.string()), undefined),
})

/** Returns the same for payments: also by amount, and by the days of the payment. */
export function useMoneyFilters<const State extends string, const Dated extends string = never>(
  states: readonly State[],
  dates: readonly Dated[] = [],
) {
  const [{ dated: written, method: asked }] = useUrlState(datedAddress)
  // Transfers have neither.
  const method = dates.length > 0 ? asked : undefined
  const dated = dates.find((one) => one === written)
  const filters = useListFilters<State | 'all', 'createdAt' | 'amount'>({
    states: [...states, 'all'],
    sorts: ['createdAt', 'amount'],
    amounts: true,
    own: { dated, method },
  })
  return { ...filters, states, dated, method }
}

interface MethodFilterProps {
  filters: ListFilters & { method: string | undefined }
  name?: string | undefined
}

/**
 * The method of the figure that led here, which can be removed; `name` is its name in the reader's language.
 */
export function MethodFilter({ filters, name }: MethodFilterProps) {
  const { t } = useLingui()
  const { method } = filters
  if (!method) return null
  return (
    <FilterSelect
      label={t`Method`}
      all={t`Any method`}
      value={method}
      options={[{ value: method, label: name ?? method }]}
      onValue={(value) => filters.set({ method: value })}
    />
  )
}

interface DateKindFilterProps<Dated extends string> {
  filters: ListFilters & { dated: Dated | undefined }
  dates: Readonly<Record<Dated, string>>
}

/** The choice between the days of the request and those of the payment. */
export function DateKindFilter<Dated extends string>({ filters, dates }: DateKindFilterProps<Dated>) {
  const { t } = useLingui()
  return (
    <FilterSelect
      label={t`Filter days by`}
      all={t`Requested`}
      value={filters.dated}
      options={Object.entries<string>(dates).map(([value, label]) => ({ value, label }))}
      onValue={(dated) => filters.set({ dated })}
    />
  )
}

interface Row {
  readonly id: string
  readonly state: string
  readonly createdAt: Date
  readonly dueAt: Date | null
  readonly assignee: Colleague | null
  readonly client: ClientBrief | null
  /** The name of a person who wrote without logging in. */
  readonly name?: string | null
}

interface QueueProps<R extends Row> {
  title: string
  /** The record type of its states. */
  record: StatusRecord
  /** The name of its export. */
  list: (typeof exportedLists)[number] & ViewedList
  /** Its path. */
  path: string
  action?: ReactNode
  filters: ListFilters & { states: readonly string[] }
  /** What the search finds, if not client, account and reference. */
  search?: string
  read: ListRead<R>
  href: (row: R) => string
  /** Filters beside the status. */
  own?: ReactNode
  /** Columns between the client and the times. */
  columns: readonly ListColumn<R>[]
  /** The empty state. */
  empty: string
}

/** A queue of one kind of request, those due first first; filters and order are in the URL. */
export function Queue<R extends Row>(props: QueueProps<R>) {
  const { title, record, list, path, action, filters, search, own, read, href, columns, empty } = props
  const { t } = useLingui()
  const statusWord = useStatusLabel(record)
  return (
    <OfficePage>
      <PageHeader title={title} action={action} />
      <RecordList
        list={list}
        path={path}
        caption={title}
        filters={filters}
        search={search ?? t`Client, account or reference`}
        own={
          <>
            <StatusFilter
              filters={filters}
              states={filters.states}
              word={statusWord}
              standard={t`Pending items`}
              all={t`Any status`}
            />
            {own}
          </>
        }
        columns={useQueueColumns(record, columns)}
        read={read}
        rowKey={(row) => row.id}
        rowHref={href}
        instead={listPlaceholder(read, filters, empty, true)}
      />
    </OfficePage>
  )
}

/** Returns the requester's column, the list's own, and those of all requests. */
function useQueueColumns<R extends Row>(record: StatusRecord, own: readonly ListColumn<R>[]): ListColumn<R>[] {
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
      cell: ({ createdAt, dueAt }) => (
        <>
          <Time at={createdAt} />
          {dueAt && (
            <span className="phone-line">
              <DueBy at={dueAt} />
            </span>
          )}
        </>
      ),
    },
    { key: 'due', head: t`Due`, cell: ({ dueAt }) => <Due at={dueAt} /> },
    { key: 'held', head: t`Assigned to`, cell: ({ assignee }) => <Assignee assignee={assignee} /> },
    {
      key: 'state',
      head: t`Status`,
      phone: 'status',
      cell: ({ state }) => <StatusBadge record={record} state={state} mark={markOfState(state)} />,
    },
  ]
}

export function Assignee({ assignee }: { assignee: Colleague | null }) {
  if (!assignee) return <span className="muted">–</span>
  return (
    <>
      {assignee.name} <AbsenceLine absence={assignee.absence} />
    </>
  )
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
