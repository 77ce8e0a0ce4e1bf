import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type InboxEntry, itemGroups, listInbox } from '#contract/office/inbox.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, type InputOf } from '#ui/api/call.ts'

/** Slightly more than a screen shows; more are loaded on scrolling. */
const firstSize = '25'
const furtherSize = '50'
/** For outages of the stream of changes. */
const pollMs = 60_000
/** A list shown for longer, in ms, is from before an interruption: its rows are replaced on request. */
const oldMs = 120_000

export interface InboxItems {
  /** In the order of the list, which keys and ranges follow too. */
  items: readonly InboxEntry[]
  groups: ResponseOf<typeof listInbox>['groups'] | undefined
  total: number | undefined
  error: Error | null
  isPending: boolean
  /** When the shown data was loaded, if it could not be reloaded since. */
  unreadSince: Date | null
  /** Differences to a list loaded before an interruption. */
  unseen: { readonly added: number; readonly changed: number; readonly show: () => void } | null
  more: (() => void) | undefined
  again: () => void
}

type Pages = InfiniteData<ResponseOf<typeof listInbox>>

/**
 * Returns the pending items under the filters, with further pages appended; reloaded with every change on the server.
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
  const { shown, unseen } = useStableList(data, query.isPlaceholderData ? 0 : dataUpdatedAt, JSON.stringify(filters))
  const groups = shown?.pages[0]?.groups
  return {
    items: inDisplayOrder(itemsOf(shown)),
    groups,
    total: groups && groups.overdue + groups.today + groups.later + groups.decided,
    error,
    isPending: query.isPending,
    unreadSince: error && data ? new Date(dataUpdatedAt) : null,
    unseen,
    more: !unseen && query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined,
    again: () => void query.refetch(),
  }
}

/** Returns whether an item has returned from a snooze. */
export function isBackFromSnooze({ snoozedUntil }: InboxEntry): boolean {
  return snoozedUntil !== null && snoozedUntil.getTime() <= Date.now()
}

/** Returns the items by group; in each of them those that returned from a snooze first. */
function inDisplayOrder(items: readonly InboxEntry[]): readonly InboxEntry[] {
  return itemGroups.flatMap((group) => {
    const own = items.filter((item) => item.group === group)
    return [...own.filter(isBackFromSnooze), ...own.filter((item) => !isBackFromSnooze(item))]
  })
}

/** Returns the items of all pages; the first page has some of the others too. */
function itemsOf(data: Pages | undefined): readonly InboxEntry[] {
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/**
 * After an interruption (network failure, standby) the rows stay in place: new and changed items are announced, and
 * shown on request. Another filter shows its list immediately, and so does a return to the inbox, because cached rows
 * were not on screen.
 */
function useStableList(data: Pages | undefined, readAt: number, filter: string) {
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
      const { added, changed } = countChanges(before.data, data)
      last.current = added + changed > 0 ? { ...before, readAt, isHeld: true } : { data, readAt, filter, isHeld: false }
    }
  }
  const now = last.current
  if (!data || !now?.isHeld || now.filter !== filter) return { shown: data, unseen: null }
  const show = () => {
    last.current = null
    draw((count) => count + 1)
  }
  return { shown: now.data, unseen: { ...countChanges(now.data, data), show } }
}

/** Returns how many items were added, and how many changed or left. Viewers do not count as a change. */
function countChanges(before: Pages, after: Pages): { added: number; changed: number } {
  const plain = (item: InboxEntry) => JSON.stringify({ ...item, viewers: [] })
  const [old, now] = [before, after].map((pages) => new Map(itemsOf(pages).map((item) => [item.id, plain(item)])))
  const added = [...(now?.keys() ?? [])].filter((id) => !old?.has(id)).length
  const changed = [...(old ?? [])].filter(([id, item]) => now?.get(id) !== item).length
  return { added, changed }
}
