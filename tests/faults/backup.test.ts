/** A backup taken under load and restored elsewhere: docs/operations.md, Backup and restore (requirements 33.25, 33.26). */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profile } from '#contract/profile.ts'
import { readConfig } from '#server/config/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { verifyChain } from '#server/db/audit-chain.ts'
import { raw, row, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { operate } from '#server/operator/commands.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { startSimulator, type RunningSimulator } from '#server/integrations/start-simulator.ts'
import { startDatabase, type EmbeddedDatabase } from '#scripts/embedded-database.ts'
import { makeJpeg, uploadTo } from '../files.ts'
import { mt5Environment } from '../funded-account.ts'
import { call, startTestServer, type TestServer } from '../factories.ts'
import { until } from '../until.ts'
import { startMoneyLoad, type MoneyLoad } from './money-load.ts'

const folders: string[] = []
let database: EmbeddedDatabase
let platform: RunningSimulator
let server: TestServer
let load: MoneyLoad
let dataDir: string

beforeAll(async () => {
  dataDir = newFolder()
  database = await startDatabase({ dataDir })
  await migrate(database.ownerUrl)
  platform = await startSimulator('mt5')
  server = await startTestServer({
    now: new Date(),
    database: { url: database.serverUrl, ownerUrl: database.ownerUrl },
    env: mt5Environment(platform),
    workers: true,
  })
  load = await startMoneyLoad({ observer: server, server, clients: 2, patienceMs: 300_000 })
})

afterAll(async () => {
  await server.stop()
  await platform.stop()
  await database.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-backup-'))
  // The account that PostgreSQL runs under must be able to pass through.
  chmodSync(folder, 0o711)
  folders.push(folder)
  return folder
}

/** With owners and modes; what vanishes meanwhile, as files of a running database do, is left out. */
function copy(from: string, to: string): void {
  spawnSync('cp', ['-a', `${from}/.`, to], { stdio: 'ignore' })
}

/** The database first, while it works, then the files: what an operator's base backup does. */
async function backUp(): Promise<{ database: string; data: string }> {
  const backup = { database: newFolder(), data: newFolder() }
  const superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  await superuser.query(`select pg_backup_start('drill', fast => true)`)
  copy(dataDir, backup.database)
  const { rows } = await superuser.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await superuser.end()
  const [from, to] = [dataDir, backup.database].map((folder) => join(folder, 'database', 'cluster'))
  rmSync(join(to ?? '', 'pg_wal'), { recursive: true })
  spawnSync('cp', ['-a', join(from ?? '', 'pg_wal'), to ?? ''])
  rmSync(join(to ?? '', 'postmaster.pid'), { force: true })
  const label = join(to ?? '', 'backup_label')
  writeFileSync(label, rows[0]?.labelfile ?? '')
  const { uid, gid } = statSync(to ?? '')
  chownSync(label, uid, gid)
  copy(server.dependencies.config.dataDir, backup.data)
  return backup
}

async function untilNoted(count: number): Promise<void> {
  await until(() => load.noted.length >= count)
}

test('taken under load it is whole: what was acknowledged is there, the books agree, missing files are named', async () => {
  const [actor] = load.actors
  if (!actor) throw new Error('no one acts')
  for (const name of ['one.jpg', 'two.jpg']) await uploadTo(server, actor.client, await makeJpeg(), name)
  const ending = new AbortController()
  const driven = Promise.all(
    load.actors.map(async (one) => {
      while (!ending.signal.aborted) {
        await load.depositByWire(one)
        await load.withdraw(one)
      }
    }),
  )
  driven.catch(() => ending.abort())
  await untilNoted(4)
  const acknowledged = [...load.noted]
  const backup = await backUp()
  await untilNoted(acknowledged.length + 2)
  ending.abort()
  await driven

  const restored = await startDatabase({ dataDir: backup.database })
  const env = {
    ...server.env,
    DATA_DIR: backup.data,
    DATABASE_URL: restored.serverUrl,
    DATABASE_OWNER_URL: restored.ownerUrl,
  }
  expect(await operate(readConfig(env), ['restored', '--yes'], () => undefined)).toBe(true)
  const again = await startTestServer({
    now: new Date(),
    database: { url: restored.serverUrl, ownerUrl: restored.ownerUrl },
    env,
  })
  try {
    for (const { table, id } of acknowledged)
      expect(
        await row(again.dependencies.pool, sql`select id from ${raw(table)} where id = ${id}`),
        `${table} ${id}`,
      ).not.toBeNull()
    expect(await brokenInvariants(again.dependencies.pool, new Date())).toEqual([])
    expect((await verifyChain(again.dependencies.pool)).whole).toBe(true)
    expect((await call(again, profile, { as: actor.client })).status, 'sessions have ended').toBe(401)
    expect((await recoveryOf(again.dependencies.pool))?.sign).toBe('restored')
    await nothingIsSentAgain(again, actor.account.login)
    await missingBytesAreNamed(backup.data, env)
  } finally {
    await again.stop()
    await restored.stop()
  }
})

/** What was under way at that moment is asked about: no reference comes to the platform twice. */
async function nothingIsSentAgain(again: TestServer, login: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) await again.driver.sweep()
  const deals = await platform.read<{ comment: string }[]>(`deals?login=${login}&action=2`)
  expect(new Set(deals.map(({ comment }) => comment)).size).toBe(deals.length)
}

async function missingBytesAreNamed(data: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const shelves = join(data, 'files')
  const [shelf = ''] = readdirSync(shelves)
  const [file = ''] = readdirSync(join(shelves, shelf))
  const doctor = async () => {
    const lines: string[] = []
    await operate(readConfig(env), ['doctor'], (line) => lines.push(line))
    return lines.join('\n')
  }
  expect(await doctor()).not.toContain('a record but no content')
  rmSync(join(shelves, shelf, file))
  expect(await doctor()).toContain(`1 files have a record but no content. Restore them into ${shelves}.\n    ${file}`)
}
