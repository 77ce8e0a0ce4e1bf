/**
 * Counts the calls to each integration and their outcomes: a call is a query or a command, not a connection or a
 * sign-in. They are stored for all servers by `jobs/integration-calls.ts`.
 */
import { minuteMs } from '#rules/dates.ts'
import type { IntegrationName } from '#contract/office/overview.ts'
import { Deferred, isIntegrationError, Rejected } from './errors.ts'

/** The counts of one integration. A rejection and a deferral count as answers. */
export interface CallCount {
  answered(ms: number): void
  failed(): void
}

export const noCallCount: CallCount = { answered: () => undefined, failed: () => undefined }

/** Makes a call and counts its outcome. An error of our own is not counted. */
export async function countCall<Value>(calls: CallCount, call: () => Promise<Value>): Promise<Value> {
  const startedAt = performance.now()
  const ms = () => performance.now() - startedAt
  try {
    const value = await call()
    calls.answered(ms())
    return value
  } catch (error) {
    if (error instanceof Rejected || error instanceof Deferred) calls.answered(ms())
    else if (isIntegrationError(error)) calls.failed()
    throw error
  }
}

/** The calls of one integration in one minute. */
interface CountedCalls {
  readonly name: IntegrationName
  readonly minute: Date
  answers: number
  failures: number
  /** The sum of the response times of the answers. */
  ms: number
  answeredAt: Date | null
  failedAt: Date | null
}

/** The calls of this process that are not stored yet. */
export class CallCounts {
  readonly #now: () => Date
  #counted = new Map<string, CountedCalls>()

  constructor(now: () => Date) {
    this.#now = now
  }

  of(name: IntegrationName): CallCount {
    return {
      answered: (ms) => {
        const at = this.#now()
        const calls = this.#at(name, at)
        calls.answers += 1
        calls.ms += ms
        calls.answeredAt = at
      },
      failed: () => {
        const at = this.#now()
        const calls = this.#at(name, at)
        calls.failures += 1
        calls.failedAt = at
      },
    }
  }

  /** Returns what was counted since the last call. */
  take(): CountedCalls[] {
    const taken = [...this.#counted.values()]
    this.#counted = new Map()
    return taken
  }

  #at(name: IntegrationName, at: Date): CountedCalls {
    const minute = new Date(Math.floor(at.getTime() / minuteMs) * minuteMs)
    const key = `${name} ${minute.getTime()}`
    const found = this.#counted.get(key) ?? {
      name,
      minute,
      answers: 0,
      failures: 0,
      ms: 0,
      answeredAt: null,
      failedAt: null,
    }
    this.#counted.set(key, found)
    return found
  }
}
