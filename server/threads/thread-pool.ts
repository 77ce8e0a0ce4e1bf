/** Worker threads: started by the first task, bounded in number, memory and waiting tasks (ADR 183). */
import type { ResourceLimits } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { Problem } from '../http/problem.ts'

export interface ThreadPoolOptions {
  /** Each does one task after the other. */
  readonly threadsMax: number
  readonly waitingMax: number
  /** Told to anyone who is refused because too many wait, or because the time is over. */
  readonly busyRetrySeconds: number
  readonly resourceLimits: ResourceLimits
  /** What one task may take by the clock, its wait included. A thread that takes longer is ended. */
  readonly clockMsMax?: number
  /** After so long without a task the threads end, and with them all that they loaded; never sooner than `clockMsMax`. */
  readonly idleMs?: number
}

/** Calls the function that a module exports by this name with one value, which is copied to the thread. Throws `unavailable`. */
export type RunOnThread = <Result>(file: URL, name: string, task: unknown) => Promise<Result>

export function threadPool(options: ThreadPoolOptions): RunOnThread {
  const { threadsMax, waitingMax, busyRetrySeconds, resourceLimits, clockMsMax, idleMs } = options
  let pool: Piscina | null = null
  let idle: NodeJS.Timeout | undefined
  const end = (ended: Piscina) => {
    if (pool === ended) pool = null
    void ended.destroy()
  }
  const start = () => {
    // One thread is always kept: without, what waits behind a thread that broke would wait for the next task.
    const bounds = { minThreads: 1, maxThreads: threadsMax, idleTimeout: Infinity, maxQueue: waitingMax }
    const started = new Piscina({ ...bounds, resourceLimits, execArgv: [] })
    // A thread that cannot start has no task to tell it to: all that wait hear of it, and the next task starts another.
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
