/** K5: connections that the database cut are made anew, and what a living server holds stays its own. */
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { settings } from '#contract/settings.ts'
import { row, sql } from '#server/db/sql.ts'
import { call, startTestServer, type TestServer } from '../../tests/make.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** How many servers hold the lock of their number in this database. */
async function present(): Promise<number> {
  const found = await row<{ count: bigint }>(
    server.parts.pool,
    sql`select count(*) as count from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and l.classid = 7420 and l.granted and d.datname = current_database()`,
  )
  return Number(found?.count ?? 0n)
}

test('a server whose connections are all cut answers again and holds its number again', async () => {
  expect(await present()).toBe(1)
  const superuser = new pg.Client({ connectionString: inject('cluster').superuserUrl })
  await superuser.connect()
  const cut = await superuser.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [new URL(server.database.url).pathname.slice(1)],
  )
  await superuser.end()
  expect(cut.rowCount).toBeGreaterThan(1)
  await vi.waitFor(() => expect(present()).resolves.toBe(1), { timeout: 10_000, interval: 100 })
  expect((await call(server, settings)).status).toBe(200)
})
