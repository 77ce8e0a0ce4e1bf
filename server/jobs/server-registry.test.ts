/**
 * Requirements 33.5: connections closed by the database are reopened, and a running server keeps its locks. 33.7: if no
 * connection is free or a lock is held for long, waiting requests get a response, and other requests are not delayed.
 */
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { profile } from '#contract/profile.ts'
import { settings } from '#contract/settings.ts'
import { setLanguage } from '#contract/users-session.ts'
import { listenTo } from '#server/db/listen.ts'
import { appendToChain } from '#server/db/audit-chain.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { serverForFile } from '../../tests/for-file.ts'
import { openLossyDatabase } from '../../tests/lossy-database.ts'
import { call, makeClient } from '../../tests/factories.ts'
import { registerServer } from './server-registry.ts'

const server = serverForFile({ env: { DATABASE_CONNECTIONS: '2' } })

/** Returns how many servers hold the lock of their number in this database. */
async function countServers(): Promise<number> {
  const found = await row<{ count: bigint }>(
    server.dependencies.pool,
    sql`select count(*) as count from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and l.classid = 7420 and l.granted and d.datname = current_database()`,
  )
  return Number(found?.count ?? 0n)
}

test('a server whose connections were all terminated responds again and reacquires its number', async () => {
  expect(await countServers()).toBe(1)
  const superuser = new pg.Client({ connectionString: inject('cluster').superuserUrl })
  await superuser.connect()
  const cut = await superuser.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [new URL(server.database.url).pathname.slice(1)],
  )
  await superuser.end()
  expect(cut.rowCount).toBeGreaterThan(1)
  await expect.poll(countServers).toBe(1)
  expect((await call(server, settings)).status).toBe(200)
})

test('connections silently lost by the network are reopened by the listener and by the server registration (requirements 33.29)', async () => {
  const way = await openLossyDatabase(server.database)
  const alive = { everyMs: 50, answerMs: 500 }
  const missed = Promise.withResolvers<void>()
  const listener = await listenTo({
    url: way.database.url,
    channels: ['settings'],
    onNotification: () => undefined,
    onReconnect: missed.resolve,
    onError: () => undefined,
    alive,
  })
  const { server: number, leave } = await registerServer(way.database.url, () => undefined, alive)
  const holder = () =>
    row<{ pid: number }>(
      server.dependencies.pool,
      sql`select l.pid from pg_locks l join pg_database d on d.oid = l.database
          where l.classid = 7420 and l.objid = ${number}::int and d.datname = current_database()`,
    )
  // On a busy machine its first connections may have timed out, too.
  await expect.poll(holder).not.toBeNull()
  const before = await holder()
  way.silence()
  await run(server.dependencies.pool, sql`select pg_terminate_backend(${before?.pid ?? 0}::int)`)
  await missed.promise
  await expect.poll(async () => (await holder())?.pid ?? before?.pid).not.toBe(before?.pid)
  await leave()
  await listener.stop()
  way.stop()
})

/** Occupies all connections of a pool until they are released. */
async function takeAllConnections(pool: pg.Pool): Promise<{ letGo(): void }> {
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  return { letGo: () => all.forEach((one) => one.release()) }
}

async function probe(path: string) {
  const response = await fetch(server.url + path)
  return [response.status, response.headers.get('retry-after')]
}

describe('an exhausted connection pool (requirements 33.7)', () => {
  test('for requests rejects calls after 5 seconds with Retry-After, does not stop jobs, and recovers immediately', async () => {
    const { pool, jobs } = server.dependencies
    const client = await makeClient(server)
    const { letGo } = await takeAllConnections(pool)
    // The documented value, replaced for this test by a short one.
    const { connectionTimeoutMillis: documented } = pool.options
    expect(documented).toBe(5_000)
    Object.assign(pool.options, { connectionTimeoutMillis: 100 })
    const refused = await call(server, profile, { as: client, body: {} })
    expect([refused.status, refused.failure.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
    expect([await probe('/readyz'), await probe('/healthz')]).toEqual([
      [503, '5'],
      [200, null],
    ])
    await appendToChain(jobs)
    expect(await server.driver.sweep()).toBe(0)
    Object.assign(pool.options, { connectionTimeoutMillis: documented })
    letGo()
    expect((await call(server, profile, { as: client, body: {} })).status).toBe(200)
    expect(await probe('/readyz')).toEqual([200, null])
  })

  test('for jobs does not delay requests', async () => {
    const client = await makeClient(server)
    const { letGo } = await takeAllConnections(server.dependencies.jobs)
    expect((await call(server, profile, { as: client, body: {} })).status).toBe(200)
    letGo()
  })
})

test('a request that waits too long for a lock gets 503 with Retry-After, changes nothing, and succeeds later (requirements 33.7)', async () => {
  const { pool, jobs } = server.dependencies
  const client = await makeClient(server)
  const connections = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const connection of connections) await connection.query(`set lock_timeout = '100ms'`)
  for (const connection of connections) connection.release()
  const speak = () => call(server, setLanguage, { as: client, body: { language: 'de' } })
  const language = () => row(jobs, sql`select language from clients where id = ${client.id}`)
  await transaction(jobs, async (tx) => {
    await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
    const refused = await speak()
    expect([refused.status, refused.failure.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
  })
  expect(await language()).toEqual({ language: 'en' })
  expect((await speak()).status).toBe(200)
  expect(await language()).toEqual({ language: 'de' })
})
