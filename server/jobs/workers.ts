/** The queue's workers and scheduled tasks: the sweep, the sealer, and the features' tasks (server/features.ts). */
import { EventEmitter } from 'node:events'
import { Logger, run as runWorker, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import { run } from '../db/sql.ts'
import type { Driver } from './operation.ts'
import { repeat } from './repeat.ts'
import { releaseStaleLocks, releaseWorkerLocks, type ServerRegistration } from './server-registry.ts'

/** A repeated task; `run` must be harmless if two servers run it at the same time. */
export interface ScheduledTask {
  readonly name: string
  readonly everyMs: number
  /** Whether the interval is counted from the beginning of a run, not from its end. */
  readonly fromBegin?: boolean
  run(now: Date): Promise<void>
}

export interface Workers {
  /** Finishes work in progress, at most 10 s, and stops. */
  stop(): Promise<void>
}

interface WorkerDependencies {
  readonly pool: Pool
  readonly driver: Driver
  readonly presence: ServerRegistration
  readonly scheduledTasks: readonly ScheduledTask[]
  readonly concurrency: number
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}

const sweepEveryMs = 2_000
const deadEveryMs = 10_000
const comeBackMs = 1_000
const stopMsMax = 10_000
/** The runner logs each job as `info`, which is only detail for us. */
const logLevels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** Starts workers and scheduled tasks. */
export async function startWorkers(dependencies: WorkerDependencies): Promise<Workers> {
  const { pool, driver, scheduledTasks, log, now } = dependencies
  await releaseStaleLocks(pool, now())
  const queue = await keepQueue(dependencies)
  const failed = (name: string) => (error: unknown) => log.error({ err: error, chore: name }, 'scheduled task failed')
  const sweeps = new Set<Promise<unknown>>()
  let isStopping = false
  // Not awaited: an integration that hangs delays only its own run, and the next sweep processes the others.
  const sweep = async (): Promise<void> => {
    const turn = driver.sweep(() => isStopping).catch(failed('sweep'))
    sweeps.add(turn)
    void turn.finally(() => sweeps.delete(turn))
  }
  const tasks: ScheduledTask[] = [
    { name: 'sweep', everyMs: sweepEveryMs, run: sweep },
    { name: 'free', everyMs: deadEveryMs, run: (at) => releaseStaleLocks(pool, at) },
    ...scheduledTasks,
  ]
  const clocks = tasks.map((task) => repeat({ ...task, run: () => task.run(now()), onError: failed(task.name) }))
  return {
    async stop() {
      isStopping = true
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, stopMsMax)
      await Promise.race([Promise.all([...clocks.map((stop) => stop()), ...sweeps, queue.stop()]), late.promise])
      clearTimeout(timer)
    },
  }
}

/**
 * Runs the queue's workers. They stop if the end of a job cannot be written because the database does not answer, and
 * start again as soon as it does.
 */
async function keepQueue(dependencies: WorkerDependencies): Promise<Workers> {
  let stopped = false
  let runner: Runner
  let timer: NodeJS.Timeout
  const comeBack = (error?: unknown): void => {
    if (stopped) return
    dependencies.log.warn({ err: error }, 'queue workers stopped, starting new ones')
    timer = setTimeout(() => {
      releaseWorkerLocks(dependencies.pool, dependencies.presence.server).then(begin).catch(comeBack)
    }, comeBackMs)
  }
  const begin = async (): Promise<void> => {
    if (stopped) return
    runner = await runQueue(dependencies)
    runner.promise.then(() => comeBack(), comeBack)
  }
  await begin()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await runner.stop().catch(() => undefined)
    },
  }
}

function runQueue({ pool, driver, presence, concurrency, log }: WorkerDependencies): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter()
  // Jobs are locked under the id of the pool, not of the worker in it.
  events.on('pool:create', ({ workerPool }) => {
    run(pool)`
      insert into server_workers (worker_id, server) values (${workerPool.id}, ${presence.server})
        on conflict do nothing`.catch((error: unknown) => log.error({ err: error }, 'worker not recorded'))
  })
  return runWorker({
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    events,
    // A failure to write the end of a job is caught only in batches; otherwise it would be uncaught and end the
    // process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new Logger(({ taskIdentifier: task, jobId: job }) => (level, message) => {
      log[logLevels[level]]({ task, job }, `queue: ${message}`)
    }),
    taskList: {
      // A failure is logged here and not thrown: the sweep retries the row by its next_try_at, and the queue cannot
      // write a failed job whose id is a bigint: it would stop, with the job locked (ADR 225).
      operation: async (payload) => {
        const { id } = payload as { id: string }
        await driver.drive(id).catch((error: unknown) => log.error({ err: error, operation: id }, 'operation failed'))
      },
    },
  })
}
