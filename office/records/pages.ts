/** Pagination of a list with cursors; changing its filters starts again. */
import { useState } from 'react'
import * as z from 'zod/mini'
import type { PaginationProps } from '#ui/data/pagination.tsx'

export interface Pages {
  /** The page to read; undefined for the first. */
  cursor: string | undefined
  size: number
  /** Another page size was chosen, so it can be changed back. */
  resized: boolean
  /** Returns the properties of <Pagination>, once the page's `next` is known. */
  shown: (next: string | null | undefined) => PaginationProps
}

const pageSizes = [20, 50, 100] as const

/** Stored with the browser's history entry: going back from a record, or a reload, restores the page. */
const keptInHistory = z.object({
  pages: z.object({ filter: z.string(), size: z.literal(pageSizes), cursors: z.array(z.string()) }),
})

/**
 * `filter` identifies the list: another one starts at the first page. `reordered` means that the newest do not come
 * first, so the next page is not older.
 */
export function useListPages(filter: string, first: (typeof pageSizes)[number] = 20, reordered = false): Pages {
  const [held, setHeld] = useState<{ filter: string; size: number; cursors: readonly string[] }>(
    () => keptInHistory.safeParse(history.state).data?.pages ?? { filter, size: first, cursors: [] },
  )
  const cursors = held.filter === filter ? held.cursors : []
  const hold = (size: number, next: readonly string[]) => {
    const pages = { filter, size, cursors: next }
    setHeld(pages)
    history.replaceState({ ...history.state, pages }, '')
  }
  return {
    cursor: cursors.at(-1),
    size: held.size,
    resized: held.size !== first,
    shown: (next) => ({
      size: held.size,
      sizes: pageSizes,
      onSize: (size) => hold(size, []),
      onPrevious: cursors.length > 0 ? () => hold(held.size, cursors.slice(0, -1)) : undefined,
      // While the page is loading, `next` is still the previous page's: it leads to this page, not to the next one.
      onNext: next && next !== cursors.at(-1) ? () => hold(held.size, [...cursors, next]) : undefined,
      reordered,
    }),
  }
}
