/** The queue's workers and the clocks that run beside them: the sweep, the sealer, and what features do by time. */
import { EventEmitter } from 'node:events'
import { Logger, run as runWorker, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import { run, sql } from '../db/sql.ts'
import type { Driver } from './operations.ts'
import { freeWhatTheDeadHeld, type Presence } from './presence.ts'

/** Something done again and again; `run` must do no harm when two servers do it at once. */
export interface Chore {
  readonly name: string
  readonly everyMs: number
  run(now: Date): Promise<void>
}

export interface Workers {
  /** Finishes what is under way, at most 10 s, and stops. */
  stop(): Promise<void>
}

interface Ground {
  readonly pool: Pool
  readonly driver: Driver
  readonly presence: Presence
  readonly chores: readonly Chore[]
  readonly concurrency: number
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}

const sweepEveryMs = 2_000
const deadEveryMs = 10_000

/** Starts workers and clocks. */
export async function startWorkers(ground: Ground): Promise<Workers> {
  await freeWhatTheDeadHeld(ground.pool, ground.now())
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => {
    run(
      ground.pool,
      sql`insert into server_workers (worker_id, server) values (${worker.workerId}, ${ground.presence.server})
          on conflict do nothing`,
    ).catch((error: unknown) => ground.log.error({ error }, 'a worker was not noted'))
  })
  const runner = await runWorker({
    pgPool: ground.pool,
    concurrency: ground.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    events,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') ground.log.error({ queue: message }, 'the queue reports an error')
    }),
    taskList: {
      operation: async (payload) => ground.driver.drive((payload as { id: string }).id),
    },
  })
  const sweeps = new Set<Promise<void>>()
  // Not waited for: an outside that hangs holds its own turn alone, and the next sweep goes to the others.
  const sweep = async (): Promise<void> => {
    const turn = ground.driver.sweep().then(
      () => undefined,
      (error: unknown) => ground.log.error({ error, chore: 'sweep' }, 'a chore failed'),
    )
    sweeps.add(turn)
    void turn.finally(() => sweeps.delete(turn))
  }
  const clocks = [
    clock(ground, { name: 'sweep', everyMs: sweepEveryMs, run: sweep }),
    clock(ground, { name: 'free', everyMs: deadEveryMs, run: (now) => freeWhatTheDeadHeld(ground.pool, now) }),
    ...ground.chores.map((chore) => clock(ground, chore)),
  ]
  return {
    async stop() {
      await Promise.all(clocks.map((stop) => stop()))
      await Promise.all(sweeps)
      await runner.stop()
    },
  }
}

/** Runs a chore at its rhythm, never twice at once on this server; a failure is logged and the next turn comes. */
function clock(ground: Ground, chore: Chore): () => Promise<void> {
  let stopped = false
  let turn: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = () => {
    if (stopped) return
    timer = setTimeout(() => {
      turn = chore
        .run(ground.now())
        .catch((error: unknown) => ground.log.error({ error, chore: chore.name }, 'a chore failed'))
        .finally(next)
    }, chore.everyMs)
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await turn
  }
}
