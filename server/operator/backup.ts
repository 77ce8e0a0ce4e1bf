/** `operator backup`: PostgreSQL's own base backup with its log, followed by the files of clients (ADR 194). */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { connectionTo } from '../db/connection-config.ts'
import type { Config } from '../config/config.ts'
import { assertDatabaseReachable } from '../db/database.ts'
import { productVersion } from '../log/log.ts'
import { copyFolder, backupPaths, hashOfFile, prepareEmptyFolder, type BackupDescription } from './backup-folder.ts'
import type { Print } from './command-line.ts'
import { CommandError } from './context.ts'

/** Writes a backup into an empty directory. Throws a sentence if it cannot; then there is no backup.json. */
export async function backUp(config: Config, to: string, print: Print): Promise<boolean> {
  if (to === '') throw new CommandError('Enter an empty or a new folder for the backup.')
  const ownerUrl = config.database?.ownerUrl ?? null
  if (ownerUrl === null)
    throw new CommandError(
      'Set DATABASE_OWNER_URL. The backup runs under that role, which needs the REPLICATION attribute.',
    )
  await assertDatabaseReachable(ownerUrl, 'DATABASE_OWNER_URL')
  const postgres = await assertBackupPossible(ownerUrl)
  const folder = resolve(to)
  const parts = backupPaths(folder)
  await prepareEmptyFolder(folder)
  const startedAt = new Date().toISOString()
  await runBaseBackup(ownerUrl, parts.cluster)
  print(`Database: copied with its log, PostgreSQL ${postgres}.`)
  await mkdir(parts.files, { mode: 0o700 })
  const source = join(config.dataDir, 'files')
  // Incomplete files have no record yet.
  const sums = (await fileExists(source))
    ? await copyFolder(source, parts.files, (path) => !path.endsWith('.part'))
    : new Map<string, string>()
  await writeFile(parts.fileSums, [...sums].map(([path, sum]) => `${sum}  ${path}\n`).join(''), { mode: 0o600 })
  const description: BackupDescription = {
    id: randomUUID(),
    product: productVersion,
    postgres,
    startedAt,
    endedAt: new Date().toISOString(),
    files: sums.size,
    clusterManifest: await hashOfFile(parts.clusterManifest),
    fileSums: await hashOfFile(parts.fileSums),
  }
  await writeFile(`${parts.description}.part`, JSON.stringify(description, null, 2), { mode: 0o600 })
  await rename(`${parts.description}.part`, parts.description)
  print(`Files: ${sums.size} copied from ${source}.`)
  print(`The backup in ${folder} is complete. The master key is not in it: keep ${config.masterKeyFile} elsewhere.`)
  return true
}

function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

const installed = 'Install the client programs of PostgreSQL'

/** Throws a sentence if pg_basebackup is missing or of another version, or cannot copy the cluster into a directory. */
async function assertBackupPossible(url: string): Promise<string> {
  const client = new pg.Client(connectionTo(url))
  await client.connect()
  const { rows } = await client
    .query<{ version: string; major: number; elsewhere: boolean }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
         exists (select from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as elsewhere`,
    )
    .finally(() => client.end())
  const { version = '', major = 0, elsewhere = false } = rows[0] ?? {}
  if (elsewhere)
    throw new CommandError(
      'The database has additional tablespaces, which this command does not copy. Run pg_basebackup with --tablespace-mapping, then copy DATA_DIR/files.',
    )
  const output = await execPgBaseBackup(['--version']).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new CommandError(
      `pg_basebackup is not on this machine. ${installed} ${major} (Debian: postgresql-client-${major}), then repeat the command.`,
    )
  })
  const own = Number(/\) (\d+)/.exec(output)?.[1] ?? 0)
  if (own !== major)
    throw new CommandError(
      `pg_basebackup is version ${own}, but the database is PostgreSQL ${major}. ${installed} ${major} and put their folder first in PATH, then repeat the command.`,
    )
  return version
}

async function runBaseBackup(ownerUrl: string, cluster: string): Promise<void> {
  const url = new URL(ownerUrl)
  const password = decodeURIComponent(url.password)
  // Every user of the machine can read the arguments of a process.
  url.password = ''
  const how = ['--format=plain', '--wal-method=stream', '--checkpoint=fast', '--manifest-checksums=SHA256']
  await execPgBaseBackup(['--pgdata', cluster, ...how, '--no-password', '--dbname', url.href], {
    PGPASSWORD: password,
  }).catch((error: Error & { stderr?: string }) => {
    const printed = (error.stderr ?? '').trim()
    const cause = (printed.split('\n').at(-1) ?? '')
      .replace(/^(pg_basebackup: )?(error|DETAIL): +/, '')
      .replace(/\.$/, '')
    const remedy = /WAL ?sender|REPLICATION|pg_hba\.conf/i.test(printed)
      ? 'The role of DATABASE_OWNER_URL needs the REPLICATION attribute, and pg_hba.conf needs an entry that allows it to connect to "replication".'
      : 'Resolve the cause, then repeat the command with an empty folder.'
    throw new CommandError(`pg_basebackup failed: ${cause || error.message}. ${remedy}`)
  })
}

function execPgBaseBackup(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((done, failed) => {
    execFile('pg_basebackup', args, { env: { ...process.env, LC_ALL: 'C', ...env } }, (error, stdout, stderr) => {
      if (error) failed(Object.assign(error, { stderr }))
      else done(stdout)
    })
  })
}
