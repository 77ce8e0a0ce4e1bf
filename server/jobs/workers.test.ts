/** Jobs of the queue only wake workers, and a failed one does not delay the others (requirements 33.21). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows, run, sql, transaction } from '#server/db/sql.ts'
import { startTestServer, type TestServer } from '#tests/factories.ts'
import { wakeWorker } from './operations.ts'

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
