/** Jobs of the queue only wake workers, and a failed one does not delay the others (requirements 33.21). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rows, run, sql, transaction } from '#server/db/sql.ts'
import { startTestServer, type TestServer } from '#tests/factories.ts'
import { wakeWorker } from './operations.ts'
import { startWorkers } from './workers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ workers: true })
})
afterAll(() => server.stop(0))

test('a failed job is removed from the queue, and later jobs are processed as usual (requirements 33.21)', async () => {
  const { jobs } = server.dependencies
  const waiting = () => rows(jobs, sql`select id, locked_by from graphile_worker._private_jobs`)
  // No operation has such an id: the query for it fails each time.
  await run(jobs, sql`select graphile_worker.add_job('operation', '{"id":"none"}'::json)`)
  await expect.poll(waiting).toEqual([])
  await transaction(jobs, (tx) => wakeWorker(tx, randomUUID()))
  await expect.poll(waiting).toEqual([])
})

test('workers stop within ten seconds, although a task has not ended (requirements 24.298)', async () => {
  const { jobs, now } = server.dependencies
  const began = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const run = () => {
    began.resolve()
    return over.promise
  }
  const workers = await startWorkers({
    pool: jobs,
    driver: { drive: async () => undefined, sweep: async () => 0 },
    presence: { server: 999, leave: async () => undefined },
    scheduledTasks: [{ name: 'long', everyMs: 1, run }],
    concurrency: 1,
    log: server.dependencies.log,
    now,
  })
  await began.promise
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stopped = workers.stop()
  vi.advanceTimersByTime(10_000)
  await stopped
  vi.useRealTimers()
  over.resolve()
})
