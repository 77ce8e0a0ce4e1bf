/** Steps through a list that is read by cursor; a change of its filters begins again. */
import { useState } from 'react'
import * as z from 'zod/mini'
import type { PaginationProps } from '#ui/data/pagination.tsx'

export interface Pages {
  /** Of the page to read; undefined is the first. */
  cursor: string | undefined
  size: number
  /** Another size was chosen: then it can be chosen back. */
  resized: boolean
  /** What <Pagination> takes, once the page's `next` is known. */
  shown: (next: string | null | undefined) => PaginationProps
}

const pageSizes = [20, 50, 100] as const

/** Kept with the place in the browser's history: who comes back from a record, or reloads, is where they were. */
const keptInHistory = z.object({
  pages: z.object({ filter: z.string(), size: z.literal(pageSizes), cursors: z.array(z.string()) }),
})

/**
 * `filter` names what is listed: another one leads back to the first page. A list whose newest do not come first is
 * `reordered`: what follows is not older there.
 */
export function usePages(filter: string, first: (typeof pageSizes)[number] = 20, reordered = false): Pages {
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
      // While the page is being read, `next` is still the one before's: it leads to this page, not further.
      onNext: next && next !== cursors.at(-1) ? () => hold(held.size, [...cursors, next]) : undefined,
      reordered,
    }),
  }
}
