/** The queue's workers and the clocks that run beside them: the sweep, the sealer, and what features do by time. */
import { EventEmitter } from 'node:events'
import { Logger, run as runWorker, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import { run } from '../db/sql.ts'
import type { Driver } from './operation.ts'
import { releaseStaleLocks, releaseWorkerLocks, type ServerRegistration } from './server-registry.ts'

/** Something done again and again; `run` must do no harm when two servers do it at once. */
export interface ScheduledTask {
  readonly name: string
  readonly everyMs: number
  run(now: Date): Promise<void>
}

export interface Workers {
  /** Finishes what is under way, at most 10 s, and stops. */
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
/** The runner tells of each job under `info`; for us that is detail. */
const logLevels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** Starts workers and clocks. */
export async function startWorkers(dependencies: WorkerDependencies): Promise<Workers> {
  await releaseStaleLocks(dependencies.pool, dependencies.now())
  const queue = await keepQueue(dependencies)
  const sweeps = new Set<Promise<void>>()
  // Not waited for: an integration that hangs holds its own turn alone, and the next sweep goes to the others.
  const sweep = async (): Promise<void> => {
    const turn = dependencies.driver.sweep().then(
      () => undefined,
      (error: unknown) => dependencies.log.error({ err: error, chore: 'sweep' }, 'a chore failed'),
    )
    sweeps.add(turn)
    void turn.finally(() => sweeps.delete(turn))
  }
  const clocks = [
    clock(dependencies, { name: 'sweep', everyMs: sweepEveryMs, run: sweep }),
    clock(dependencies, {
      name: 'free',
      everyMs: deadEveryMs,
      run: (now) => releaseStaleLocks(dependencies.pool, now),
    }),
    ...dependencies.scheduledTasks.map((task) => clock(dependencies, task)),
  ]
  return {
    async stop() {
      await Promise.all(clocks.map((stop) => stop()))
      await Promise.all(sweeps)
      await queue.stop()
    },
  }
}

/**
 * The queue's workers. They give themselves up when a job's end cannot be written, because the database is away: then
 * others begin as soon as it is back.
 */
async function keepQueue(dependencies: WorkerDependencies): Promise<Workers> {
  let stopped = false
  let runner: Runner
  let timer: NodeJS.Timeout
  const comeBack = (error?: unknown): void => {
    if (stopped) return
    dependencies.log.warn({ err: error }, 'queue workers ended, starting new ones')
    timer = setTimeout(() => {
      releaseWorkerLocks(dependencies.pool, dependencies.presence.server).then(begin).catch(comeBack)
    }, comeBackMs)
  }
  const begin = async (): Promise<void> => {
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

function runQueue(dependencies: WorkerDependencies): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => {
    run(dependencies.pool)`
      insert into server_workers (worker_id, server) values (${worker.workerId}, ${dependencies.presence.server})
        on conflict do nothing`.catch((error: unknown) => dependencies.log.error({ err: error }, 'worker not recorded'))
  })
  return runWorker({
    pgPool: dependencies.pool,
    concurrency: dependencies.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    events,
    // Only in batches is the failure to write a job's end caught; otherwise no one would, and the process would end.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new Logger(({ taskIdentifier: task, jobId: job }) => (level, message) => {
      dependencies.log[logLevels[level]]({ task, job }, `queue: ${message}`)
    }),
    taskList: {
      operation: async (payload) => dependencies.driver.drive((payload as { id: string }).id),
    },
  })
}

/** Runs a scheduled task at its interval, never twice at once on this server. A failure is logged, and the next run follows. */
function clock(dependencies: WorkerDependencies, task: ScheduledTask): () => Promise<void> {
  let stopped = false
  let turn: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = () => {
    if (stopped) return
    timer = setTimeout(() => {
      turn = task
        .run(dependencies.now())
        .catch((error: unknown) => dependencies.log.error({ err: error, chore: task.name }, 'a chore failed'))
        .finally(next)
    }, task.everyMs)
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await turn
  }
}
