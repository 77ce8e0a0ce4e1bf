/** Steps through a list that is read by cursor; a change of its filters begins anew. */
import { useState } from 'react'
import type { PaginationProps } from '#ui/pagination.tsx'

export interface Pages {
  /** Of the page to read; undefined is the first. */
  cursor: string | undefined
  size: number
  /** What <Pagination> takes, once the page's `next` is known. */
  shown: (next: string | null | undefined) => PaginationProps
}

const pageSizes = [20, 50, 100] as const

/** `filter` names what is listed: another one leads back to the first page. */
export function usePages(filter: string, first: (typeof pageSizes)[number] = 20): Pages {
  const [size, setSize] = useState<number>(first)
  const name = `${size} ${filter}`
  const [held, setHeld] = useState<{ name: string; cursors: readonly string[] }>({ name, cursors: [] })
  const cursors = held.name === name ? held.cursors : []
  return {
    cursor: cursors.at(-1),
    size,
    shown: (next) => ({
      size,
      sizes: pageSizes,
      onSize: setSize,
      onPrevious: cursors.length > 0 ? () => setHeld({ name, cursors: cursors.slice(0, -1) }) : undefined,
      onNext: next ? () => setHeld({ name, cursors: [...cursors, next] }) : undefined,
    }),
  }
}
