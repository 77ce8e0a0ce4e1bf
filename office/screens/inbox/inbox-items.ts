import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type InboxEntry, listInbox } from '#contract/office/inbox.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, type InputOf } from '#ui/api/call.ts'

/** What a screen shows and a little more; what follows comes as somebody reads on. */
const firstSize = '25'
const furtherSize = '50'
/** For when the stream of changes is down. */
const pollMs = 60_000
/** A list that was in front of the reader for longer was read before a break: its rows are replaced when asked for. */
const oldMs = 120_000

export interface InboxItems {
  items: readonly InboxEntry[]
  groups: ResponseOf<typeof listInbox>['groups'] | undefined
  total: number | undefined
  error: Error | null
  isPending: boolean
  /** When what is shown was read, where it could not be read since. */
  unreadSince: Date | null
  /** What a list that was read before a break does not show yet. */
  unseen: { readonly added: number; readonly changed: number; readonly show: () => void } | null
  more: (() => void) | undefined
  again: () => void
}

type Pages = InfiniteData<ResponseOf<typeof listInbox>>

/**
 * Returns what waits under the filters, page after page in one list; read again with every change that the server
 * tells.
 */
export function useInboxItems(filters: InputOf<typeof listInbox>): InboxItems {
  const query = useInfiniteQuery({
    queryKey: [listInbox.name, filters, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(
        listInbox,
        {
          ...(filters as object),
          ...(pageParam === '' ? { size: firstSize } : { size: furtherSize, cursor: pageParam }),
        },
        { signal, background: pageParam === '' },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    refetchInterval: pollMs,
    placeholderData: (last) => last,
  })
  const { data, dataUpdatedAt, error } = query
  const { shown, unseen } = useCalmList(data, query.isPlaceholderData ? 0 : dataUpdatedAt, JSON.stringify(filters))
  const groups = shown?.pages[0]?.groups
  return {
    items: itemsOf(shown),
    groups,
    total: groups && groups.overdue + groups.today + groups.later,
    error,
    isPending: query.isPending,
    unreadSince: error && data ? new Date(dataUpdatedAt) : null,
    unseen,
    more: !unseen && query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined,
    again: () => void query.refetch(),
  }
}

const itemsOf = (data: Pages | undefined): readonly InboxEntry[] => data?.pages.flatMap((page) => page.items) ?? []

/**
 * After a break (the network was down, the machine slept) the rows stay where they are under the reader's hand: what came
 * and what changed is said, and shown when it is asked for. Another filter shows its own list at once, and so does a
 * return to the inbox: what the cache had kept until then was not on the screen.
 */
function useCalmList(data: Pages | undefined, readAt: number, filter: string) {
  const [, draw] = useState(0)
  const last = useRef<{ data: Pages; readAt: number; filter: string; isHeld: boolean } | null>(null)
  const opened = useRef({ filter, at: Date.now() })
  if (opened.current.filter !== filter) opened.current = { filter, at: Date.now() }
  const before = last.current
  if (data && readAt > 0) {
    const isSame = before?.filter === filter
    const isBreak = before !== null && readAt - Math.max(before.readAt, opened.current.at) > oldMs
    const holds = before !== null && isSame && (before.isHeld || isBreak)
    if (!holds) last.current = { data, readAt, filter, isHeld: false }
    else {
      const { added, changed } = compared(before.data, data)
      last.current = added + changed > 0 ? { ...before, readAt, isHeld: true } : { data, readAt, filter, isHeld: false }
    }
  }
  const now = last.current
  if (!data || !now?.isHeld || now.filter !== filter) return { shown: data, unseen: null }
  const show = () => {
    last.current = null
    draw((count) => count + 1)
  }
  return { shown: now.data, unseen: { ...compared(now.data, data), show } }
}

/** How many items came, and how many changed or left. Who is looking at one is no change. */
function compared(before: Pages, after: Pages): { added: number; changed: number } {
  const plain = (item: InboxEntry) => JSON.stringify({ ...item, viewers: [] })
  const [old, now] = [before, after].map((pages) => new Map(itemsOf(pages).map((item) => [item.id, plain(item)])))
  const added = [...(now?.keys() ?? [])].filter((id) => !old?.has(id)).length
  const changed = [...(old ?? [])].filter(([id, item]) => now?.get(id) !== item).length
  return { added, changed }
}
