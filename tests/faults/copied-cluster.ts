/**
 * A separate PostgreSQL that archives its log, and the operators' ways of copying it: the directory, table by table, to
 * a point in time (docs/operations.md, Backup and restore).
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { startDatabase, type EmbeddedDatabase } from '#scripts/embedded-database.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { until } from '../until.ts'

/** A database that was made from a copy. */
export interface RestoredDatabase extends TestDatabase {
  stop(): Promise<void>
}

export interface CopiedCluster extends TestDatabase {
  /** The directory of its archived log. */
  readonly archive: string
  /** Copies the directory in its current state, while PostgreSQL runs. */
  copyFolder(): Promise<string>
  /** Copies every table, as one transaction sees them. */
  copyTables(): Promise<string>
  /** Names the current point, to which the log can be replayed. */
  markMoment(name: string): Promise<void>
  stop(): Promise<void>
}

const folders: string[] = []

/** Returns a directory that the database's account can pass through. It is removed when the test's process ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-copy-'))
  if (folders.push(folder) === 1) process.once('exit', removeFolders)
  chmodSync(folder, 0o711)
  return folder
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

export const clusterOf = (dataDir: string) => join(dataDir, 'database', 'cluster')
const archiveOf = (dataDir: string) => join(dataDir, 'archive')

/** Starts it migrated. It need not survive a power failure: nothing is synced. */
export async function startCopiedCluster(): Promise<CopiedCluster> {
  const dataDir = newFolder()
  const first = await startDatabase({ dataDir })
  await first.stop()
  folderForAccount(dataDir, archiveOf(dataDir))
  writeSettings(dataDir, {
    archive_mode: 'on',
    archive_command: `cp %p ${archiveOf(dataDir)}/%f`,
    fsync: 'off',
    autovacuum: 'off',
  })
  const running = await startDatabase({ dataDir })
  await migrate(running.ownerUrl)
  return {
    url: running.serverUrl,
    ownerUrl: running.ownerUrl,
    archive: archiveOf(dataDir),
    copyFolder: () => copyFolder(running, dataDir),
    copyTables: () => copyTables(running, dataDir),
    async markMoment(name) {
      await asSuperuser(running.superuserUrl, async (superuser) => {
        await superuser.query('select pg_create_restore_point($1)', [name])
        const { rows } = await superuser.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
        const archived = () =>
          superuser.query<{ done: boolean }>(
            'select coalesce(last_archived_wal >= $1, false) as done from pg_stat_archiver',
            [rows[0]?.file],
          )
        await until(async () => (await archived()).rows[0]?.done ?? false)
      })
    },
    stop: () => running.stop().finally(() => rmSync(dataDir, { recursive: true, force: true })),
  }
}

/** Creates a directory inside another that belongs to the account of the cluster. */
function folderForAccount(dataDir: string, folder: string): void {
  mkdirSync(folder)
  giveToAccount(dataDir, folder)
}

function giveToAccount(dataDir: string, path: string): void {
  const { uid, gid } = statSync(clusterOf(dataDir))
  chownSync(path, uid, gid)
}

/** Appends to the settings that a cluster reads last. */
export function writeSettings(dataDir: string, settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
  appendFileSync(join(clusterOf(dataDir), 'postgresql.auto.conf'), lines.join(''))
}

async function asSuperuser<T>(url: string, work: (superuser: pg.Client) => Promise<T>): Promise<T> {
  const superuser = new pg.Client({ connectionString: url })
  await superuser.connect()
  try {
    return await work(superuser)
  } finally {
    await superuser.end()
  }
}

/** Copies with owners and modes, without files that disappear meanwhile, as those of a running database do. */
export function copyAll(from: string, to: string): void {
  spawnSync('cp', ['-a', `${from}/.`, to], { stdio: 'ignore' })
}

/** Copies the cluster's directory between start and stop of a backup, with its label. Returns the copy's path. */
export async function copyFolder({ superuserUrl }: EmbeddedDatabase, dataDir: string): Promise<string> {
  const copy = newFolder()
  const label = await asSuperuser(superuserUrl, async (superuser) => {
    await superuser.query(`select pg_backup_start('copy', fast => true)`)
    for (const name of ['database', 'database.json', 'database.complete'])
      spawnSync('cp', ['-a', join(dataDir, name), copy], { stdio: 'ignore' })
    const { rows } = await superuser.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    return rows[0]?.labelfile ?? ''
  })
  const [from, to] = [clusterOf(dataDir), clusterOf(copy)]
  // The log is copied last: it contains what was written while the rest was copied.
  rmSync(join(to, 'pg_wal'), { recursive: true })
  spawnSync('cp', ['-a', join(from, 'pg_wal'), to])
  rmSync(join(to, 'postmaster.pid'), { force: true })
  writeClusterFile(copy, 'backup_label', label)
  return copy
}

export function writeClusterFile(dataDir: string, name: string, content: string): void {
  const path = join(clusterOf(dataDir), name)
  writeFileSync(path, content)
  giveToAccount(dataDir, path)
}

/** Starts the copy of a directory unchanged. A copy can be started once. */
export async function startFolderCopy(
  copy: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RestoredDatabase> {
  writeSettings(copy, { archive_mode: 'off', ...settings })
  const running = await startDatabase({ dataDir: copy })
  return {
    url: running.serverUrl,
    ownerUrl: running.ownerUrl,
    stop: () => running.stop().finally(() => rmSync(copy, { recursive: true, force: true })),
  }
}

/** Starts the copy of a directory, and replays the archive of its origin to a named point. */
export async function startAtRestorePoint(
  copy: string,
  cluster: { readonly archive: string },
  name: string,
): Promise<RestoredDatabase> {
  writeClusterFile(copy, 'recovery.signal', '')
  const restored = await startFolderCopy(copy, {
    restore_command: `cp ${cluster.archive}/%f %p`,
    recovery_target_name: name,
    recovery_target_action: 'promote',
  })
  const pool = new pg.Client({ connectionString: restored.url })
  await pool.connect()
  await until(async () => {
    const { rows } = await pool.query<{ reading: boolean }>('select pg_is_in_recovery() as reading')
    return rows[0]?.reading === false
  })
  await pool.end()
  return restored
}

interface Table {
  readonly schema: string
  readonly name: string
}

/** A partitioned table is copied by its partitions. */
const tablesOf = `select schemaname as schema, tablename as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')
    and format('%I.%I', schemaname, tablename)::regclass not in (select partrelid from pg_partitioned_table) order by 1, 2`

const portalDatabaseUrl = (superuserUrl: string) => superuserUrl.replace(/\/postgres(\?|$)/, '/portal$1')

async function copyTables({ superuserUrl }: EmbeddedDatabase, dataDir: string): Promise<string> {
  const copy = newFolder()
  giveToAccount(dataDir, copy)
  await asSuperuser(portalDatabaseUrl(superuserUrl), async (superuser) => {
    await superuser.query('begin isolation level repeatable read')
    const { rows: tables } = await superuser.query<Table>(tablesOf)
    for (const { schema, name } of tables)
      await superuser.query(`copy "${schema}"."${name}" to '${join(copy, `${schema}.${name}`)}'`)
    const { rows: sequences } = await superuser.query(
      'select schemaname as schema, sequencename as name, last_value::text as last from pg_sequences where last_value is not null',
    )
    writeFileSync(join(copy, 'sequences.json'), JSON.stringify(sequences))
    await superuser.query('commit')
  })
  return copy
}

/** Creates a new database of the tests' cluster with the tables of a copy. */
export async function startTablesCopy(copy: string, superuserUrl: string): Promise<RestoredDatabase> {
  const database = await testDatabase()
  const name = new URL(database.url).pathname.slice(1)
  await asSuperuser(superuserUrl.replace(/\/postgres(\?|$)/, `/${name}$1`), (superuser) => loadTables(superuser, copy))
  return { ...database, stop: () => Promise.resolve() }
}

async function loadTables(superuser: pg.Client, copy: string): Promise<void> {
  // Without foreign keys and triggers, because all rows were written before.
  await superuser.query('set session_replication_role = replica')
  const { rows: tables } = await superuser.query<Table>(tablesOf)
  const quoted = tables.map((table) => `"${table.schema}"."${table.name}"`)
  await superuser.query(`truncate ${quoted.join(', ')} cascade`)
  for (const { schema, name } of tables)
    await superuser.query(`copy "${schema}"."${name}" from '${join(copy, `${schema}.${name}`)}'`)
  const sequences = JSON.parse(readFileSync(join(copy, 'sequences.json'), 'utf8')) as (Table & { last: string })[]
  for (const { schema, name, last } of sequences)
    await superuser.query('select setval($1::regclass, $2)', [`"${schema}"."${name}"`, last])
}
