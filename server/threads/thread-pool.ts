/** Worker threads: started by the first task, limited in number, memory and queued tasks (ADR 183). */
import type { ResourceLimits } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Problem } from '../http/problem.ts'

interface ThreadPoolOptions {
  readonly threadsMax: number
  /**
   * How many tasks a thread has at hand, 1 by default; it runs one after the other. Tasks that do not wait for anything
   * leave no pause between two that way (ADR 77). They end together if the thread ends.
   */
  readonly tasksEach?: number
  readonly waitingMax: number
  /** The retry time for callers that are rejected because too many tasks are queued, or the time limit was exceeded. */
  readonly busyRetrySeconds: number
  readonly resourceLimits: ResourceLimits
  /** The maximum duration of a task, including its wait. A thread that takes longer is ended. */
  readonly clockMsMax?: number
  /** After this time without a task the threads end, with everything they loaded; never sooner than `clockMsMax`. */
  readonly idleMs?: number
}

/**
 * Calls the function that a module exports under this name with one value, which is copied to the thread. Throws
 * `unavailable`.
 */
type RunOnThread = <Result>(file: URL, name: string, task: unknown) => Promise<Result>

export function threadPool(options: ThreadPoolOptions): RunOnThread {
  const { threadsMax, tasksEach = 1, waitingMax, busyRetrySeconds, resourceLimits, clockMsMax, idleMs } = options
  let pool: Piscina | null = null
  let idle: NodeJS.Timeout | undefined
  const end = (ended: Piscina) => {
    if (pool === ended) pool = null
    void ended.destroy()
  }
  const start = () => {
    // One thread is always kept: without it, tasks queued behind a crashed thread would wait for the next task.
    const bounds = { minThreads: 1, maxThreads: threadsMax, idleTimeout: Infinity, maxQueue: waitingMax }
    // Threads that wait by `Atomics.wait` between two tasks delayed other calls more (ADR 77).
    const waits = { concurrentTasksPerWorker: tasksEach, atomics: 'disabled' } as const
    const started = new Piscina({ ...bounds, ...waits, resourceLimits, execArgv: [] })
    // A thread that cannot start has no task to report to: all queued tasks are rejected, and the next task starts
    // another.
    started.on('error', () => end(started))
    return started
  }
  const busy = () => new Problem('unavailable', { retryAfterSeconds: busyRetrySeconds })
  return async <Result>(file: URL, name: string, task: unknown): Promise<Result> => {
    clearTimeout(idle)
    const used = (pool ??= start())
    if (used.queueSize >= waitingMax) throw busy()
    const signal = clockMsMax === undefined ? null : AbortSignal.timeout(clockMsMax)
    try {
      return (await used.run(task, { filename: file.href, name, signal })) as Result
    } catch (error) {
      throw signal?.aborted ? busy() : error
    } finally {
      clearTimeout(idle)
      if (idleMs !== undefined) idle = setTimeout(() => end(used), idleMs).unref()
    }
  }
}
