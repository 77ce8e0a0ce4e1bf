/**
 * Requirements 33.5: connections that the database closed are opened again, and the locks of a living server stay its
 * own. 33.7: if no connection is free, or a lock is held for long, those who wait get a response, and others are not
 * delayed.
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
import { lossyDatabase } from '../../tests/lossy-database.ts'
import { call, makeClient } from '../../tests/factories.ts'
import { registerServer } from './server-registry.ts'

const server = serverForFile({ env: { DATABASE_CONNECTIONS: '2' } })

/** Returns how many servers hold the lock of their number in this database. */
async function present(): Promise<number> {
  const found = await row<{ count: bigint }>(
    server.dependencies.pool,
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
  await expect.poll(present).toBe(1)
  expect((await call(server, settings)).status).toBe(200)
})

test('connections that the network lost without a word are made again by the person who listens, and by the person who holds a number (requirements 33.29)', async () => {
  const way = await lossyDatabase(server.database)
  const alive = { everyMs: 50, answerMs: 500 }
  const missed = Promise.withResolvers<void>()
  const listener = await listenTo({
    url: way.database.url,
    channels: ['settings'],
    heard: () => undefined,
    missed: missed.resolve,
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

/** Takes all connections of a pool, idle until released. */
async function taken(pool: pg.Pool): Promise<{ letGo(): void }> {
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  return { letGo: () => all.forEach((one) => one.release()) }
}

async function probe(path: string) {
  const response = await fetch(server.url + path)
  return [response.status, response.headers.get('retry-after')]
}

describe('connections that are all taken (requirements 33.7)', () => {
  test('of the requests: calls are refused soon with when to come again, jobs go on, and all is well at once after', async () => {
    const { pool, jobs } = server.dependencies
    const client = await makeClient(server)
    const { letGo } = await taken(pool)
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

  test('of the jobs: no one who asks waits for them', async () => {
    const client = await makeClient(server)
    const { letGo } = await taken(server.dependencies.jobs)
    expect((await call(server, profile, { as: client, body: {} })).status).toBe(200)
    letGo()
  })
})

test('anyone who waits too long for a lock is refused with when to come again, has changed nothing, and comes through later (requirements 33.7)', async () => {
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
