import { useInfiniteQuery } from '@tanstack/react-query'
import { type InboxEntry, listInbox } from '#contract/office/inbox.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, type InputOf } from '#ui/api/call.ts'

/** What a screen shows and a little more; what follows comes as somebody reads on. */
const firstSize = '25'
const furtherSize = '50'
/** For when the stream of changes is down. */
const pollMs = 60_000

export interface InboxItems {
  items: readonly InboxEntry[]
  groups: ResponseOf<typeof listInbox>['groups'] | undefined
  total: number | undefined
  error: Error | null
  isPending: boolean
  more: (() => void) | undefined
  again: () => void
}

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
  const groups = query.data?.pages[0]?.groups
  return {
    items: query.data?.pages.flatMap((page) => page.items) ?? [],
    groups,
    total: groups && groups.overdue + groups.today + groups.later,
    error: query.error,
    isPending: query.isPending,
    more: query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined,
    again: () => void query.refetch(),
  }
}
