/** Calls to a server that may be unavailable or without its integrations: each is retried until there is a response. */
import type { Endpoint } from '#contract/endpoint.ts'
import { call, type Reply } from '../factories.ts'
import { pauseBriefly } from '../until.ts'

/** A response of 500 or above, as the caller received it. */
export interface FailedResponse {
  readonly endpoint: string
  readonly status: number
  readonly code: string
  readonly retryAfter: string | undefined
  readonly text: string
}

/** Where calls go, how long they are retried, and what came of them. */
export interface RetryingCaller {
  readonly server: { url: string }
  /** How long a call is retried before it has failed. */
  readonly patienceMs: number
  readonly refusals: FailedResponse[]
  /** How many changes were accepted so far. */
  accepted: number
}

const isAnswered = (status: number) => status < 500 && status !== 429

/** Calls until there is a response: a client who lost the connection retries under the same key. */
export async function callUntilAnswered<E extends Endpoint>(
  caller: RetryingCaller,
  endpoint: E,
  options: Parameters<typeof call<E>>[2],
  accept: (reply: Reply<E>) => boolean = ({ status }) => isAnswered(status),
  pauseMs = 50,
): Promise<Reply<E>> {
  const { server, refusals, patienceMs } = caller
  const until = Date.now() + patienceMs
  let last = ''
  while (Date.now() < until) {
    const reply = await call(server, endpoint, options).catch(() => null)
    if (reply && reply.status < 300 && endpoint.method !== 'GET') caller.accepted += 1
    if (reply && reply.status >= 500) refusals.push(failedResponseOf(endpoint, reply))
    if (reply && accept(reply)) return reply
    last = reply ? `${reply.status} ${reply.bytes.toString().slice(0, 200)}` : 'no connection'
    await pauseBriefly(pauseMs)
  }
  throw new Error(`${endpoint.name} got no answer: ${last}`)
}

function failedResponseOf<E extends Endpoint>(endpoint: E, { status, headers, bytes, json }: Reply<E>): FailedResponse {
  const { code } = (json ?? {}) as { code?: string }
  const retryAfter = headers['retry-after']
  return {
    endpoint: endpoint.name,
    status,
    code: String(code),
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
    text: bytes.toString(),
  }
}

/** Runs the check until it succeeds: its target may be unavailable. */
export async function retryUntilSuccess<T>(
  { patienceMs }: Pick<RetryingCaller, 'patienceMs'>,
  look: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > until) throw error
      await pauseBriefly(100)
    }
  }
}
