/** The screens' data: endpoints read through react-query, writes that refresh what they changed. */
import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ResponseOf, Endpoint } from '#contract/endpoint.ts'
import { call, type InputOf } from './call.ts'
import { ApiError } from './api-error.ts'
import { wasGivenUp } from '../auth/step-up.ts'

const retriesMax = 2

/** One for each app. Only what got no answer is asked again; a refusal is an answer. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        gcTime: 10 * 60_000,
        networkMode: 'always',
        retry: (count, thrown) => thrown instanceof ApiError && thrown.unanswered && count < retriesMax,
        retryDelay: (count) => 500 * 2 ** count,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

interface ReadOptions {
  enabled?: boolean
  /** Asks again every so many ms while the page is seen; sent as background. */
  pollMs?: number
  staleMs?: number
  /** Keeps the last rows on screen while the next page or filter loads. */
  keepLast?: boolean
}

/** Reads an endpoint: `{ data, error, isPending, isFetching, refetch }`; `data` is typed, `error` is a Failure. */
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

/**
 * Returns what keeps a page of several reads from standing: the first that failed with nothing to show, and how to ask
 * again.
 */
export function failedRead(...reads: readonly Read[]): { failure: Error; again: () => void } | null {
  const failed = reads.filter(({ data, error }) => error !== null && data === undefined)
  const failure = failed[0]?.error
  return failure ? { failure, again: () => void Promise.all(failed.map(({ refetch }) => refetch())) } : null
}

/** Loads an endpoint before it is needed, on hover say. */
export function prefetchEndpoint<E extends Endpoint>(client: QueryClient, endpoint: E, input: InputOf<E>): void {
  void client.prefetchQuery({
    queryKey: [endpoint.name, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

/** Takes what is known already as the answer of an endpoint. */
export function setEndpointData<E extends Endpoint>(
  client: QueryClient,
  endpoint: E,
  input: InputOf<E>,
  answer: ResponseOf<E>,
): void {
  client.setQueryData([endpoint.name, input], answer)
}

interface WriteOptions<E extends Endpoint> {
  /** Endpoints whose data this write changes; they are read again. */
  refreshes?: readonly Endpoint[]
  onDone?: (answer: ResponseOf<E>) => void
  onFailure?: (failure: ApiError) => void
}

/**
 * A write: `const { mutate, isPending, error } = useEndpointMutation(requestWithdrawal, { refreshes: [getLiveAccounts] })`.
 * What got no answer and is sent again unchanged goes under the same idempotency key, so it happens once.
 */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  { refreshes = [], onDone, onFailure }: WriteOptions<E> = {},
) {
  const client = useQueryClient()
  const last = useRef<{ body: string; key: string } | null>(null)
  const mutation = useMutation<ResponseOf<E>, Error, InputOf<E>>({
    mutationFn: async (input) => {
      const body = JSON.stringify(input)
      const key = last.current?.body === body ? last.current.key : crypto.randomUUID()
      last.current = { body, key }
      try {
        const answer = await call(endpoint, input, { idempotencyKey: key })
        last.current = null
        return answer
      } catch (thrown) {
        // A refusal is an answer: asked once more, the server is to look again and not to repeat it.
        if (!(thrown instanceof ApiError && thrown.unanswered)) last.current = null
        throw thrown
      }
    },
    onSuccess: async (answer) => {
      onDone?.(answer)
      await refresh(client, refreshes)
    },
    onError: (thrown) => {
      if (!(thrown instanceof ApiError) || wasGivenUp(thrown)) return
      // Whether it happened is what the page then shows: all that stands on it is read again.
      if (thrown.code === 'outcome-unseen') void client.invalidateQueries()
      onFailure?.(thrown)
    },
  })
  // Anyone who did not prove who they are finds the screen as it was.
  return { ...mutation, error: wasGivenUp(mutation.error) ? null : mutation.error }
}

/** Marks the data of endpoints as old; what is on screen is read again. */
export async function refresh(client: QueryClient, endpoints: readonly Endpoint[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: [endpoint.name] })))
}
