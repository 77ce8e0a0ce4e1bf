/** The tools above a list: search, days and export. */
import { IconInbox } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { exportList, type exportedLists } from '#contract/office/list-export.ts'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { FilterSelect } from '#ui/forms/select.tsx'
import { focusOnRender } from '#ui/forms/form-state.ts'
import { Pagination } from '#ui/data/pagination.tsx'
import type { ListFilters } from './list-filters.ts'
import type { Pages } from './pages.ts'
import { CsvButton } from './csv-button.tsx'
import './list-tools.css'

interface ListSearchProps {
  words: string
  onWords: (words: string) => void
  label: string
  /** Whether the field takes the focus, because it was requested. */
  begins?: boolean
}

export function ListSearch({ words, onWords, label, begins = false }: ListSearchProps) {
  const [text, setText] = useState(words)
  const [known, setKnown] = useState(words)
  // The URL is the source: a search text that was cleared or came with a link is shown in the field.
  if (known !== words) {
    setKnown(words)
    setText(words)
  }
  const search = (event: SyntheticEvent) => {
    event.preventDefault()
    onWords(text.trim())
  }
  return (
    <form role="search" onSubmit={search}>
      <input
        ref={begins ? focusOnRender : undefined}
        className="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value === '') onWords('')
        }}
      />
    </form>
  )
}

interface StatusFilterProps<State extends string> {
  filters: ListFilters
  states: readonly State[]
  word: (state: State) => string
  /** The label of the default, with no state chosen. */
  standard: string
  /** The label of the choice of all states, unless the default shows all. */
  all?: string
}

/** Filters a list by one state, or by its default states. */
export function StatusFilter<State extends string>(props: StatusFilterProps<State>) {
  const { filters, states, word, standard, all } = props
  const { t } = useLingui()
  return (
    <FilterSelect
      label={t`Status`}
      all={standard}
      value={filters.state}
      options={[
        ...states.map((state) => ({ value: state, label: word(state) })),
        ...(all === undefined ? [] : [{ value: 'all', label: all }]),
      ]}
      onValue={(state) => filters.set({ state })}
    />
  )
}

interface ExportButtonProps {
  list: (typeof exportedLists)[number]
  /** The filters and order on screen. */
  asked: Readonly<Record<string, string | undefined>>
}

/** Exports the filtered and sorted list, all of its pages. */
export function ExportButton({ list, asked }: ExportButtonProps) {
  const { t } = useLingui()
  const filled = Object.entries(asked).filter((one): one is [string, string] => Boolean(one[1]))
  const search = new URLSearchParams(filled).toString()
  return (
    <CsvButton
      path={exportList.path.replace(':list', list) + (search ? `?${search}` : '')}
      name={`${list}.csv`}
      className="list-export"
      size="small"
      aria-label={t`Export list as CSV`}
    />
  )
}

/** Pagination of a list that exceeds a page, or whose page size was changed. */
export function ListPagination({ pages, next }: { pages: Pages; next: string | null | undefined }) {
  const shown = pages.shown(next)
  if (!shown.onNext && !shown.onPrevious && !pages.resized) return null
  return <Pagination {...shown} />
}

/** A list as it is read. */
export interface ListRead<Row = unknown> {
  data: { rows: readonly Row[]; next?: string | null } | undefined
  error: Error | null
  refetch: () => unknown
}

/** Returns what replaces the rows: an error, or the empty state. */
export function listPlaceholder(read: ListRead, filters: ListFilters, empty: string, withAll = false): ReactNode {
  if (read.error && !read.data)
    return <ErrorPanel failure={read.error as ApiError} onRetry={() => void read.refetch()} />
  if (!read.data || read.data.rows.length > 0) return null
  return <EmptyList filters={filters} empty={empty} withAll={withAll} />
}

/** The same for a list with an empty state of its own. */
export function rowsPlaceholder({ data, error, refetch }: ListRead, empty: ReactNode): ReactNode {
  if (error) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  return data?.rows.length === 0 ? empty : undefined
}

/**
 * Keeps the focus in the field: on blur a half-typed date would show an error and move the button away before the
 * click.
 */
export function keepFieldFocus(event: SyntheticEvent): void {
  event.preventDefault()
}

/** The empty state: no items, or none that match the filters, which can be cleared or extended to all states. */
function EmptyList({ filters, empty, withAll }: { filters: ListFilters; empty: string; withAll: boolean }) {
  const { t } = useLingui()
  const onlyWaiting = withAll && filters.state === '' && filters.q !== ''
  return (
    <EmptyState
      level="h2"
      icon={<IconInbox aria-hidden="true" />}
      title={filters.filtered ? t`No results for these filters.` : empty}
      action={
        filters.filtered ? (
          <span className="row wrap">
            {onlyWaiting && (
              <button type="button" className="text-button" onClick={() => filters.set({ state: 'all' })}>
                <Trans>Search all statuses</Trans>
              </button>
            )}
            <ClearFilters filters={filters} />
          </span>
        ) : null
      }
    />
  )
}

/** The button to clear filters without matches. */
export function ClearFilters({ filters }: { filters: Pick<ListFilters, 'clear'> }) {
  return (
    <button type="button" className="text-button" onMouseDown={keepFieldFocus} onClick={filters.clear}>
      <Trans>Clear filters</Trans>
    </button>
  )
}
