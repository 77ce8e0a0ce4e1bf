/** What the address of a list asks for: state, words, days and order. The server filters, sorts and pages. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { dateInUrl, useUrlState } from '#ui/navigation/url-state.ts'
import type { Sort } from '#ui/data/table.tsx'
import { type Pages, usePages } from './pages.ts'

const day = z.catch(dateInUrl, '')
const address = z.object({
  state: z.catch(z.string(), ''),
  q: z.catch(z.string(), ''),
  from: day,
  to: day,
  sort: z.catch(z.string(), ''),
  direction: z.catch(z.enum(['asc', 'desc', '']), ''),
})

interface ListOf<State extends string, SortBy extends string> {
  /** The states to choose from, as the address names them. */
  states: readonly State[]
  /** The columns that the server sorts by, its own first. */
  sorts: readonly [SortBy, ...SortBy[]]
  /** How the first column goes where nothing is asked; by default what waits goes oldest first. */
  direction?: 'asc' | 'desc'
}

export interface ListFilters {
  state: string
  q: string
  from: string
  to: string
  /** Whether anything is asked at all. */
  filtered: boolean
  sort: Sort
  pages: Pages
  set: (change: Record<string, string>) => void
  clear: () => void
  /** How often they were cleared: a field with this key forgets what was typed and is no filter yet. */
  cleared: number
  /** Only what is filled in: what the list and its export take. */
  asked: Readonly<Record<string, string | undefined>>
}

/** Beside the filters `query`, the input of the list's call. */
export function useListFilters<const State extends string, const SortBy extends string>({
  states,
  sorts,
  direction: standard,
}: ListOf<State, SortBy>) {
  const [{ state: written, q, from, to, sort, direction }, set] = useUrlState(address)
  const state = states.find((one) => one === written)
  const by = sorts.find((one) => one === sort)
  const asked = {
    ...(state === undefined ? {} : { state }),
    ...(q === '' ? {} : { q }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(by === undefined ? {} : { sort: by }),
    ...(direction === '' ? {} : { direction }),
  }
  const own = standard ?? (state === undefined ? 'asc' : 'desc')
  const order: Sort = {
    by: by ?? sorts[0],
    direction: direction || (by === undefined || by === sorts[0] ? own : 'desc'),
  }
  // The first column is the list's own time.
  const newestFirst = order.by === sorts[0] && order.direction === 'desc'
  const pages = usePages(JSON.stringify(asked), 50, !newestFirst)
  const query = { ...asked, ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }), size: String(pages.size) }
  const [cleared, setCleared] = useState(0)
  return {
    state: state ?? '',
    q,
    from,
    to,
    filtered: q !== '' || state !== undefined || from !== '' || to !== '',
    sort: order,
    pages,
    set,
    clear: () => {
      set({ q: '', state: '', from: '', to: '' })
      setCleared(cleared + 1)
    },
    cleared,
    asked,
    query,
  } satisfies ListFilters & { query: object }
}
