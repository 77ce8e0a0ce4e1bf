import { Trans, useLingui } from '@lingui/react/macro'
import { IconInbox } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import type { ClientBrief } from '#contract/office/decisions.ts'
import type { Failure } from '#ui/failure.ts'
import { useAddress } from '#ui/address.ts'
import { Empty } from '#ui/empty.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { OfficePage } from '#ui/office-page.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Pagination } from '#ui/pagination.tsx'
import { BareSelect } from '#ui/select.tsx'
import { Status, useStatusWord } from '#ui/status.tsx'
import { type Column, Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { type Pages, usePages } from '../records/pages.ts'
import { useStaff } from '../session.ts'
import { Due } from './due-words.tsx'
import './decision.css'

const filters = z.object({
  state: z.catch(z.string(), ''),
  q: z.catch(z.string(), ''),
})

/** What the address of a list asks for; the server takes them as they stand. */
export function useQueueFilters() {
  const [{ state, q }, set] = useAddress(filters)
  const pages = usePages(`${state} ${q}`, 50)
  return {
    state,
    q,
    set,
    pages,
    /** Only what is filled in: the input of the list's call. */
    query: {
      ...(state === '' ? {} : { state }),
      ...(q === '' ? {} : { q }),
      ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      size: String(pages.size),
    },
  }
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
  children?: ReactNode
  action?: ReactNode
  /** Above the list: tabs. */
  tabs?: ReactNode
  states: readonly string[]
  filters: ReturnType<typeof useQueueFilters>
  read: { data: { rows: readonly R[]; next: string | null } | undefined; error: Error | null; refetch: () => unknown }
  href: (row: R) => string
  /** Between the client and the times. */
  columns: readonly Column<R>[]
  /** What will appear here. */
  empty: string
  /** Offers every state at once: where the list alone would not show what waits. */
  withAll?: boolean
  word?: (state: string) => string
}

/** One kind of request as a list, what is due first; filters live in the address. */
export function Queue<R extends Row>({
  title,
  children,
  action,
  tabs,
  filters: asked,
  states,
  read,
  href,
  columns,
  empty,
  withAll,
  word,
}: QueueProps<R>) {
  const { t } = useLingui()
  const statusWord = useStatusWord()
  const { firm } = useStaff()
  const all: Column<R>[] = [
    { key: 'client', head: t`Client`, phone: 'title', cell: ({ client }) => <ClientCell client={client} /> },
    ...columns,
    {
      key: 'asked',
      head: t`Asked`,
      phone: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} timeZone={firm.timeZone} />,
    },
    { key: 'due', head: t`Due`, cell: ({ dueAt }) => <Due at={dueAt} /> },
    { key: 'held', head: t`Held by`, cell: ({ assignee }) => assignee?.name ?? <span className="muted">–</span> },
    {
      key: 'state',
      head: t`State`,
      phone: 'status',
      cell: ({ state }) => (word ? <span className="status">{word(state)}</span> : <Status state={state} />),
    },
  ]
  return (
    <OfficePage>
      <PageHeader title={title} action={action}>
        {children}
      </PageHeader>
      {tabs}
      <div className="queue-tools">
        <BareSelect
          className="small"
          aria-label={t`State`}
          value={asked.state}
          onChange={(event) => asked.set({ state: event.target.value })}
          options={[
            { value: '', label: t`What waits` },
            ...states.map((state) => ({ value: state, label: (word ?? statusWord)(state) })),
            ...(withAll ? [{ value: 'all', label: t`All states` }] : []),
          ]}
        />
        <QueueSearch words={asked.q} onWords={(q) => asked.set({ q })} />
      </div>
      <div className="sheet">
        <Table
          caption={title}
          columns={all}
          rows={read.data?.rows ?? []}
          rowKey={(row) => row.id}
          rowHref={href}
          instead={insteadOf(read, asked, empty)}
        />
      </div>
      <PagesOf pages={asked.pages} next={read.data?.next} />
    </OfficePage>
  )
}

/** Steps through a list, where it is longer than a page. */
export function PagesOf({ pages, next }: { pages: Pages; next: string | null | undefined }) {
  const shown = pages.shown(next)
  if (!shown.onNext && !shown.onPrevious) return null
  return <Pagination {...shown} />
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

interface InsteadProps {
  read: { data: { rows: readonly unknown[] } | undefined; error: Error | null; refetch: () => unknown }
  asked: { q: string; state: string; set: (change: Record<string, string>) => void }
  empty: string
}

/** In the place of the rows: what went wrong, or that there are none. */
function insteadOf(read: InsteadProps['read'], asked: InsteadProps['asked'], empty: string): ReactNode {
  if (read.error && !read.data)
    return <ErrorPanel failure={read.error as Failure} onRetry={() => void read.refetch()} />
  if (!read.data || read.data.rows.length > 0) return null
  return <NothingThere asked={asked} empty={empty} />
}

/** Nothing waits, or nothing fits the filters; then they can be cleared. */
export function NothingThere({ asked, empty }: Pick<InsteadProps, 'asked' | 'empty'>) {
  const { t } = useLingui()
  const filtered = asked.q !== '' || asked.state !== ''
  return (
    <Empty
      level="h2"
      icon={<IconInbox aria-hidden="true" />}
      title={filtered ? t`Nothing fits these filters.` : empty}
      action={
        filtered ? (
          <button type="button" className="text-button" onClick={() => asked.set({ q: '', state: '' })}>
            <Trans>Clear filters</Trans>
          </button>
        ) : null
      }
    />
  )
}

export function QueueSearch({
  words,
  onWords,
  label,
}: {
  words: string
  onWords: (words: string) => void
  label?: string
}) {
  const { t } = useLingui()
  const [text, setText] = useState(words)
  const name = label ?? t`Client, account or reference`
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onWords(text.trim())
      }}
    >
      <input
        className="input"
        type="search"
        aria-label={name}
        placeholder={name}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value === '') onWords('')
        }}
      />
    </form>
  )
}
