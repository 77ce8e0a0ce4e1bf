import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startDatabase, type EmbeddedDatabase } from './embedded-database.ts'

let dataDir: string
const open: EmbeddedDatabase[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'portal-embedded-'))
})

afterEach(async () => {
  for (const database of open.splice(0)) await database.stop()
  // If the database's account cannot enter the directory, the cluster is elsewhere and only a link to it is here.
  const cluster = join(dataDir, 'database')
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true })
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedDatabase> {
  const database = await startDatabase({ dataDir })
  open.push(database)
  return database
}

async function queryValue(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const answer = await client.query<{ value: unknown }>(text)
    return answer.rows[0]?.value
  } finally {
    await client.end()
  }
}

const postmaster = () =>
  Number(readFileSync(join(dataDir, 'database', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

test('data survives a restart, the server’s role cannot create tables, and rejected values are not logged', async () => {
  const first = await start()
  await queryValue(first.ownerUrl, 'create table kept as select 7 as value')
  await expect(queryValue(first.serverUrl, 'create table other (id int)')).rejects.toThrow(/permission denied/)
  // The statement itself does not contain the word.
  const twice = `create table once (word text primary key); insert into once select 'Can' || 'ary' from generate_series(1, 2)`
  await expect(queryValue(first.ownerUrl, twice)).rejects.toThrow(/duplicate key/)
  await first.stop()
  const log = readFileSync(join(dataDir, 'database.log'), 'utf8')
  expect([log.includes('duplicate key'), log.includes('Canary')]).toEqual([true, false])
  const second = await start()
  expect(await queryValue(second.ownerUrl, 'select value from kept')).toBe(7)
})

test('data written to a new database before it is durable survives a restart', async () => {
  const early = await startDatabase({ dataDir, early: true })
  open.push(early)
  await queryValue(early.ownerUrl, 'create table kept as select 7 as value')
  await early.durable
  await early.stop()
  const second = await start()
  expect(await queryValue(second.ownerUrl, 'select value from kept')).toBe(7)
})

test('a new database that cannot be completed is not left running', async () => {
  // Instead of the file that marks the cluster as complete.
  mkdirSync(join(dataDir, 'database.complete'))
  await expect(startDatabase({ dataDir })).rejects.toThrow(/EISDIR/)
  expect(existsSync(join(dataDir, 'database', 'cluster', 'postmaster.pid'))).toBe(false)
})

test('a second start on the same DATA_DIR is rejected with a clear error', async () => {
  await start()
  await expect(startDatabase({ dataDir })).rejects.toThrow(/already running on this DATA_DIR/)
})

test('PostgreSQL is restarted at the same address after it was killed', async () => {
  const database = await start()
  process.kill(postmaster(), 'SIGKILL')
  await expect.poll(() => queryValue(database.serverUrl, 'select 1 as value').catch(() => null)).toBe(1)
})

test('the orphaned PostgreSQL of a killed process is replaced by the next start', async () => {
  const script = join(dataDir, 'starter.ts')
  const module = JSON.stringify(join(import.meta.dirname, 'embedded-database.ts'))
  writeFileSync(
    script,
    `const { startDatabase } = await import(${module})
    const database = await startDatabase({ dataDir: ${JSON.stringify(dataDir)} })
    process.send(database.ownerUrl)`,
  )
  const starter = fork(script, [], { execArgv: [] })
  await new Promise((started) => starter.once('message', started))
  const orphan = postmaster()
  const died = new Promise((exited) => starter.once('exit', exited))
  starter.kill('SIGKILL')
  await died
  const database = await start()
  expect(await queryValue(database.ownerUrl, 'select 1 as value')).toBe(1)
  expect(postmaster()).not.toBe(orphan)
})

test('an incomplete cluster and a stale postmaster.pid do not prevent a start', async () => {
  const first = await start()
  await first.stop()
  rmSync(join(dataDir, 'database.complete'))
  rmSync(join(dataDir, 'database', 'cluster', 'PG_VERSION'))
  writeFileSync(
    join(dataDir, 'database', 'cluster', 'postmaster.pid'),
    `${process.pid}\n/elsewhere\n1\n5432\n/nowhere\n`,
  )
  const second = await start()
  expect(await queryValue(second.ownerUrl, 'select 1 as value')).toBe(1)
})

test('a throwaway database deletes its folder when it is stopped', async () => {
  const database = await startDatabase({ dataDir, throwaway: true })
  await database.stop()
  expect(existsSync(dataDir)).toBe(false)
})
