/** Data of the screens: endpoints queried by react-query, and mutations that refresh what they changed. */
import {
  keepPreviousData,
  notifyManager,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { ResponseOf, Endpoint } from '#contract/endpoint.ts'
import { call, type InputOf } from './call.ts'
import { ApiError } from './api-error.ts'
import { isStepUpCancelled } from '../auth/step-up.ts'

const retriesMax = 2

/**
 * Returns the query client of an app. Only requests without a response are repeated: a rejection, or a response that
 * this page cannot read, would be the same again.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        gcTime: 10 * 60_000,
        networkMode: 'always',
        retry: (count, thrown) =>
          thrown instanceof ApiError && thrown.unanswered && !isVersionMismatch(thrown) && count < retriesMax,
        retryDelay: (count) => 500 * 2 ** count,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

function isVersionMismatch(thrown: unknown): boolean {
  return thrown instanceof ApiError && thrown.code === 'other-version'
}

/**
 * Returns whether data on the page can no longer be refreshed, because the server has another version than the page.
 */
export function useIsOutdated(): boolean {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache])
  return useSyncExternalStore(subscribe, () =>
    cache
      .getAll()
      .some((query) => query.isActive() && query.state.data !== undefined && isVersionMismatch(query.state.error)),
  )
}

interface ReadOptions {
  enabled?: boolean
  /** Polls at this interval in ms while the page is visible; sent as background. */
  pollMs?: number
  staleMs?: number
  /** Keeps the last rows on screen while the next page or filter loads. */
  keepLast?: boolean
}

/** Queries an endpoint: `{ data, error, isPending, isFetching, refetch }`; `data` is typed, `error` is an ApiError. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { enabled = true, pollMs, staleMs, keepLast }: ReadOptions = {},
) {
  const client = useQueryClient()
  const queryKey = [endpoint.name, input] as const
  return useQuery<ResponseOf<E>>({
    queryKey,
    queryFn: ({ signal }) => {
      const background = pollMs !== undefined && client.getQueryState(queryKey)?.data !== undefined
      return call(endpoint, input, { signal, background })
    },
    enabled,
    ...(pollMs === undefined ? {} : { refetchInterval: pollMs }),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(keepLast ? { placeholderData: keepPreviousData } : {}),
  })
}

interface Read {
  readonly data?: unknown
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** Returns the first failed query without data among several, and a function to retry; null if none failed. */
export function failedRead(...reads: readonly Read[]): { failure: Error; again: () => void } | null {
  const failed = reads.filter(({ data, error }) => error !== null && data === undefined)
  const failure = failed[0]?.error
  return failure ? { failure, again: () => void Promise.all(failed.map(({ refetch }) => refetch())) } : null
}

/** Loads an endpoint before it is needed, such as on hover. */
export function prefetchEndpoint<E extends Endpoint>(client: QueryClient, endpoint: E, input: InputOf<E>): void {
  void client.prefetchQuery({
    queryKey: [endpoint.name, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

/** Stores known data as the response of an endpoint. */
export function setEndpointData<E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  input: InputOf<E>,
  answer: ResponseOf<E>,
): void {
  client.setQueryData([endpoint.name, input], answer)
}

interface WriteOptions<E extends Endpoint> {
  /** Endpoints whose data this mutation changes; they are reloaded. */
  refreshes?: readonly Endpoint[]
  /** Sends one request after the other: the server keeps the last one. */
  inOrder?: boolean
  onDone?: (answer: ResponseOf<E>) => void
  onFailure?: (failure: ApiError) => void
}

/**
 * Returns a mutation: `const { mutate, isPending, error } = useEndpointMutation(requestWithdrawal, { refreshes:
 * [getLiveAccounts] })`. A request without a response that is sent again unchanged has the same idempotency key, so it
 * is executed once.
 */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  { refreshes = [], inOrder = false, onDone, onFailure }: WriteOptions<E> = {},
) {
  const client = useQueryClient()
  const last = useRef<{ body: string; key: string } | null>(null)
  const mutation = useMutation<ResponseOf<E>, Error, InputOf<E>>({
    ...(inOrder ? { scope: { id: endpoint.name } } : {}),
    mutationFn: async (input) => {
      const body = JSON.stringify(input)
      const key = last.current?.body === body ? last.current.key : crypto.randomUUID()
      last.current = { body, key }
      try {
        const answer = await call(endpoint, input, { idempotencyKey: key })
        last.current = null
        return answer
      } catch (thrown) {
        // After a rejection another attempt must be evaluated again instead of returning the stored response.
        if (!(thrown instanceof ApiError && thrown.unanswered)) last.current = null
        throw thrown
      }
    },
    onSuccess: async (answer) => {
      onDone?.(answer)
      await refreshEndpoints(client, refreshes)
    },
    onError: (thrown) => {
      if (!(thrown instanceof ApiError) || isStepUpCancelled(thrown)) return
      // The page then shows whether it happened: all its data is reloaded.
      if (thrown.code === 'outcome-unseen') void client.invalidateQueries()
      onFailure?.(thrown)
    },
  })
  // After a cancelled confirmation the screen is unchanged.
  return { ...mutation, error: isStepUpCancelled(mutation.error) ? null : mutation.error }
}

/** Marks the data of endpoints as stale; visible data is reloaded. */
export async function refreshEndpoints(client: QueryClient, endpoints: readonly Endpoint[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: [endpoint.name] })))
}
