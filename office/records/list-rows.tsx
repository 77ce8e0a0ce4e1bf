/** The rows of a list: what replaces them, and their pages. Apart from the tools, which the inbox loads first. */
import { IconInbox } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode, SyntheticEvent } from 'react'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { Pagination } from '#ui/data/pagination.tsx'
import type { ListFilters } from './list-filters.ts'
import type { Pages } from './pages.ts'

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
