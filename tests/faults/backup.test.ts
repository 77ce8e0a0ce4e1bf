/**
 * A backup taken under load and restored elsewhere (docs/operations.md, Backup and restore; requirements 33.25, 33.26).
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { profile } from '#contract/profile.ts'
import { readConfig } from '#server/config/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { verifyChain } from '#server/db/audit-chain.ts'
import { raw, row, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { operate } from '#server/operator/commands.ts'
import { startServer } from '#server/main.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { startSimulator, type RunningSimulator } from '../start-simulator.ts'
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
  installStandIn()
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
  // PostgreSQL's account must be able to pass through.
  chmodSync(folder, 0o711)
  folders.push(folder)
  return folder
}

/** Puts the substitute for pg_basebackup first in PATH. */
function installStandIn(): void {
  const folder = newFolder()
  const program = join(folder, 'pg_basebackup')
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${join(import.meta.dirname, 'pg-basebackup.ts')} "$@"\n`)
  chmodSync(program, 0o755)
  process.env['PATH'] = `${folder}:${process.env['PATH']}`
}

type Env = Readonly<Record<string, string | undefined>>

async function operator(env: Env, ...argv: string[]): Promise<{ succeeded: boolean; text: string }> {
  const lines: string[] = []
  const succeeded = await operate(readConfig(env), argv, (line) => lines.push(line))
  return { succeeded, text: lines.join('\n') }
}

/** Backs up the database first, while it runs, then the files. */
async function backUp(): Promise<string> {
  const folder = join(newFolder(), 'backup')
  const superuser = new URL(database.superuserUrl)
  superuser.pathname = '/portal'
  const { succeeded, text } = await operator({ ...server.env, DATABASE_OWNER_URL: superuser.href }, 'backup', folder)
  expect(text).toContain('is complete. The master key is not in it')
  expect(succeeded).toBe(true)
  return folder
}

/** Restores to the path where the embedded database expects its cluster, beside its passwords. */
async function restoreBackup(backup: string): Promise<{ database: EmbeddedDatabase; env: Env }> {
  const [place, data] = [newFolder(), newFolder()]
  const cluster = join(place, 'database', 'cluster')
  cpSync(dataDir, place, { recursive: true, filter: (path) => path !== join(dataDir, 'database', 'cluster') })
  mkdirSync(cluster, { mode: 0o700 })
  const { uid, gid } = statSync(join(dataDir, 'database', 'cluster'))
  chownSync(cluster, uid, gid)
  cpSync(join(server.dependencies.config.dataDir, 'master.key'), join(data, 'master.key'))
  const { succeeded, text } = await operator({ ...server.env, DATA_DIR: data }, 'restore', backup, cluster)
  expect(text).toContain('every checksum matches')
  expect(succeeded).toBe(true)
  const made = await startDatabase({ dataDir: place })
  const addresses = { DATABASE_URL: made.serverUrl, DATABASE_OWNER_URL: made.ownerUrl }
  return { database: made, env: { ...server.env, DATA_DIR: data, ...addresses } }
}

async function waitForAcknowledged(count: number): Promise<void> {
  await until(() => load.noted.length >= count)
}

test('a backup taken under load is complete: acknowledged changes exist, the ledger balances, and missing files are named', async () => {
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
  await waitForAcknowledged(4)
  const acknowledged = [...load.noted]
  const backup = await backUp()
  await waitForAcknowledged(acknowledged.length + 2)
  ending.abort()
  await driven

  const { database: copy, env } = await restoreBackup(backup)
  const start = () =>
    startTestServer({ now: new Date(), database: { url: copy.serverUrl, ownerUrl: copy.ownerUrl }, env })
  const refusal = 'This database was restored from a backup'
  for (const ROLE of ['web', 'jobs', 'all'])
    await expect(startServer({ ...readConfig({ ...env, ROLE }), port: 0 })).rejects.toThrow(refusal)
  expect((await operator(env, 'restored', '--yes')).succeeded).toBe(true)
  const again = await start()
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
    await expectDamageFound(backup)
    await expectNothingResent(again, actor.account.login)
    await expectMissingFileReported(env)
  } finally {
    await again.stop()
    await copy.stop()
  }
})

/** Operations in progress at that moment are queried: no reference is on the platform twice. */
async function expectNothingResent(again: TestServer, login: string): Promise<void> {
  for (let round = 0; round < 3; round += 1) await again.driver.sweep()
  const deals = await platform.read<{ comment: string }[]>(`deals?login=${login}&action=2`)
  expect(new Set(deals.map(({ comment }) => comment)).size).toBe(deals.length)
}

async function expectMissingFileReported(env: Env): Promise<void> {
  const shelves = join(env['DATA_DIR'] ?? '', 'files')
  const [shelf = ''] = readdirSync(shelves)
  const [file = ''] = readdirSync(join(shelves, shelf))
  const doctor = async () => (await operator(env, 'doctor')).text
  expect(await doctor()).not.toContain('a record but no content')
  rmSync(join(shelves, shelf, file))
  expect(await doctor()).toContain(`Files with a record but no content: 1. Restore them into ${shelves}.\n    ${file}`)
}

/** If a file is changed, missing, or added, the backup is rejected with the file's name, and nothing is left behind. */
async function expectDamageFound(backup: string): Promise<void> {
  const fileName = readdirSync(join(backup, 'files'), { recursive: true, encoding: 'utf8' }).find((path) =>
    statSync(join(backup, 'files', path)).isFile(),
  )
  const changed = (path: string) => {
    const bytes = readFileSync(path)
    appendFileSync(path, ' ')
    return () => writeFileSync(path, bytes)
  }
  const missing = (path: string) => {
    renameSync(path, `${backup}.aside`)
    return () => renameSync(`${backup}.aside`, path)
  }
  const added = (path: string) => {
    writeFileSync(path, '')
    return () => rmSync(path)
  }
  const damages = [
    ['database/global/pg_control', missing],
    ['database/base/extra', added],
    [`files/${fileName}`, changed],
    ['files.sha256', changed],
    ['database/backup_manifest', changed],
  ] as const
  for (const [name, damage] of damages) {
    const repair = damage(join(backup, name))
    const [target, data] = [join(newFolder(), 'cluster'), newFolder()]
    const { succeeded, text } = await operator({ ...server.env, DATA_DIR: data }, 'restore', backup, target)
    repair()
    expect({ succeeded, text }).toEqual({
      succeeded: false,
      text: `${name} in the backup is damaged, missing or not part of it. Nothing was restored. Choose another backup.`,
    })
    expect([readdirSync(target), readdirSync(join(data, 'files'))]).toEqual([[], []])
  }
  rmSync(join(backup, 'backup.json'))
  expect((await operator(server.env, 'restore', backup, join(newFolder(), 'x'))).text).toContain('no complete backup')
}

test('an interrupted restore leaves a database that is marked and on which PostgreSQL does not start', async () => {
  const backup = await backUp()
  const blocking = join(backup, 'files', 'zz')
  execFileSync('mkfifo', [blocking])
  const [cluster, data] = [join(newFolder(), 'cluster'), newFolder()]
  const restored = operator({ ...server.env, DATA_DIR: data }, 'restore', backup, cluster)
  // Opens once the restore reads it, with the other files copied.
  const pipe = await open(blocking, 'w')
  const id = z.object({ id: z.string() }).parse(JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8'))).id
  expect(readFileSync(join(cluster, 'postgresql.auto.conf'), 'utf8')).toContain(`portal.restored_backup = '${id}'`)
  expect(existsSync(join(cluster, 'global', 'pg_control'))).toBe(false)
  await pipe.close()
  expect((await restored).text).toContain('files/zz in the backup is damaged')
})

test('without pg_basebackup, or with another version of it, the backup names what to install and leaves nothing behind', async () => {
  const folder = join(newFolder(), 'backup')
  const path = process.env['PATH']
  try {
    process.env['PATH'] = newFolder()
    const absent = await operator(server.env, 'backup', folder)
    process.env['PATH'] = path
    process.env['STAND_IN_VERSION'] = '15.18 (Debian 15.18-0+deb12u1)'
    const older = await operator(server.env, 'backup', folder)
    expect([absent, older]).toEqual([
      {
        succeeded: false,
        text: 'pg_basebackup is not on this machine. Install the client programs of PostgreSQL 18 (Debian: postgresql-client-18), then repeat the command.',
      },
      {
        succeeded: false,
        text: 'pg_basebackup is version 15, but the database is PostgreSQL 18. Install the client programs of PostgreSQL 18 and put their folder first in PATH, then repeat the command.',
      },
    ])
  } finally {
    process.env['PATH'] = path
    delete process.env['STAND_IN_VERSION']
  }
  expect(existsSync(folder)).toBe(false)
})

test('a backup into a folder that is not empty is rejected and writes nothing', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'mine'), '')
  const { succeeded, text } = await operator(server.env, 'backup', folder)
  expect({ succeeded, text }).toEqual({
    succeeded: false,
    text: `${folder} is not empty. Choose an empty or a new folder.`,
  })
  expect(readdirSync(folder)).toEqual(['mine'])
})

test('a backup with a role without REPLICATION fails and names what the role needs', async () => {
  const { succeeded, text } = await operator(server.env, 'backup', join(newFolder(), 'backup'))
  expect(succeeded).toBe(false)
  expect(text).toMatch(
    /^pg_basebackup failed: .*\. The role of DATABASE_OWNER_URL needs the REPLICATION attribute, and pg_hba\.conf/,
  )
})

test('a backup that fails for another reason names it and no attribute of the role', async () => {
  const superuser = new URL(database.superuserUrl)
  superuser.pathname = '/portal'
  process.env['STAND_IN_FAILURE'] = 'could not write to file "base/1/2619": No space left on device'
  try {
    const env = { ...server.env, DATABASE_OWNER_URL: superuser.href }
    expect(await operator(env, 'backup', join(newFolder(), 'backup'))).toEqual({
      succeeded: false,
      text: 'pg_basebackup failed: could not write to file "base/1/2619": No space left on device. Resolve the cause, then repeat the command with an empty folder.',
    })
  } finally {
    delete process.env['STAND_IN_FAILURE']
  }
})
