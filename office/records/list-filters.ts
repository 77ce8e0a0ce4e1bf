/** The filters of a list in its URL: status, search text, days and order. The server filters, sorts and pages. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { dateInUrl, useUrlState } from '#ui/navigation/url-state.ts'
import type { Sort } from '#ui/data/table.tsx'
import { useStaff } from '../session.ts'
import { amountUrlFields, type AmountRange, noAmountRange } from './amounts.ts'
import { daysOf, periods } from './days.ts'
import type { DayRange } from './days-filter.tsx'
import { type Pages, useListPages } from './pages.ts'

const day = z.catch(dateInUrl, '')
const address = z.object({
  state: z.catch(z.string(), ''),
  q: z.catch(z.string(), ''),
  from: day,
  to: day,
  days: z.catch(z.enum([...periods, '']), ''),
  ...amountUrlFields,
  columns: z.catch(z.string().check(z.maxLength(300)), ''),
  sort: z.catch(z.string(), ''),
  direction: z.catch(z.enum(['asc', 'desc', '']), ''),
})

interface ListOf<State extends string, SortBy extends string> {
  /** The states to choose from, as in the URL. */
  states: readonly State[]
  /** The columns that the server sorts by, the default first. */
  sorts: readonly [SortBy, ...SortBy[]]
  /** The default direction of the first column; without it pending items are sorted oldest first. */
  direction?: 'asc' | 'desc'
  /** Whether it filters by amount and currency, and its amounts can be negative. */
  amounts?: boolean | 'signed'
  /** Filters of the list's own, as in the URL. */
  own?: Readonly<Record<string, string | undefined>>
  /** What selects a part of the list without being a filter, such as its tab: neither cleared nor counted as one. */
  part?: Readonly<Record<string, string | undefined>>
}

export interface ListFilters {
  state: string
  q: string
  days: DayRange
  /** null if the list does not filter by amount. */
  amount: (AmountRange & { readonly signed: boolean }) | null
  /** The keys of the shown columns; '' for the list's default. */
  columns: string
  /** Whether any filter is set. */
  filtered: boolean
  sort: Sort
  pages: Pages
  set: (change: Record<string, string>) => void
  clear: () => void
  /** How often they were cleared: used as a key of fields, to reset text that has not become a filter yet. */
  cleared: number
  /** Only non-empty filters, for the list and its export. */
  asked: Readonly<Record<string, string | undefined>>
}

/** Returns the filters and `query`, the input of the list's endpoint. */
export function useListFilters<const State extends string, const SortBy extends string>({
  states,
  sorts,
  direction: standard,
  amounts = false,
  own: ownFilters = {},
  part = {},
}: ListOf<State, SortBy>) {
  const { firm } = useStaff()
  const [{ state: written, q, sort, direction, columns, ...rest }, set] = useUrlState(address)
  const { currency, amountFrom, amountTo } = amounts === false ? noAmountRange : rest
  const { from, to } = rest.days === '' ? rest : daysOf(rest.days, new Date(), firm.timeZone)
  const state = states.find((one) => one === written)
  const by = sorts.find((one) => one === sort)
  const asked = {
    ...(state === undefined ? {} : { state }),
    ...(q === '' ? {} : { q }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...withoutEmpty({ ...ownFilters, ...part }),
    ...(currency === '' ? {} : { currency }),
    ...(amountFrom === '' ? {} : { amountFrom }),
    ...(amountTo === '' ? {} : { amountTo }),
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
  const pages = useListPages(JSON.stringify(asked), 50, !newestFirst)
  const query = { ...asked, ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }), size: String(pages.size) }
  const [cleared, setCleared] = useState(0)
  return {
    state: state ?? '',
    q,
    days: { days: rest.days, from, to },
    amount: amounts === false ? null : { currency, amountFrom, amountTo, signed: amounts === 'signed' },
    columns,
    filtered: [q, state ?? '', from, to, currency, amountFrom, amountTo, ...Object.values(ownFilters)].some(Boolean),
    sort: order,
    pages,
    set,
    clear: () => {
      set({
        q: '',
        state: '',
        from: '',
        to: '',
        days: '',
        ...noAmountRange,
        ...Object.fromEntries(Object.keys(ownFilters).map((name) => [name, ''])),
      })
      setCleared(cleared + 1)
    },
    cleared,
    asked,
    query,
  } satisfies ListFilters & { query: object }
}

function withoutEmpty(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter((one): one is [string, string] => Boolean(one[1])))
}
