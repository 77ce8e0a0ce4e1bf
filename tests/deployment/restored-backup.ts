/**
 * The second half of the drill: docs/operations.md, Backup and restore, with PostgreSQL 18's own `pg_basebackup`. It is
 * only in Debian's testing suite, so it is run with the C library of that suite.
 */
import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { databaseAccount } from '#scripts/database-binaries.ts'
import { until } from '../until.ts'

const testing = '/opt/debian-testing'
const clients = '/usr/lib/postgresql/18/bin'
const asPortal = 'setpriv --reuid portal --regid portal --clear-groups'

export interface DrilledMachine {
  /** The directory of the Debian on which the first day was followed. */
  readonly machine: string
  /** An archive of Debian with PostgreSQL 18's client programs. */
  readonly clientsArchive: string
  readonly superuserUrl: string
  /** The block of the document that starts the servers. */
  readonly startServers: string
  stopPostgres(): Promise<void>
  startPostgres(cluster: string): Promise<void>
}

/** Runs a script on that machine, in the server's environment; returns whether it succeeded, and its output. */
function runOnMachine(machine: string, script: string, path = ''): Promise<{ succeeded: boolean; output: string }> {
  const lines = ['set -eu', 'cd /opt/client-portal', 'set -a', '. /etc/client-portal/production.env', script]
  const env = { PATH: `${path}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: '/root' }
  return new Promise((done) => {
    execFile('chroot', [machine, '/bin/sh', '-c', lines.join('\n')], { env }, (error, stdout, stderr) =>
      done({ succeeded: error === null, output: `${stdout}${stderr}`.trim() }),
    )
  })
}

function assertAndReport(isSo: boolean, sentence: string, output: string): void {
  if (!isSo) throw new Error(`Not so: ${sentence}\n${output}`)
  console.log(`✓ ${sentence}`)
}

/** Installs the client programs of PostgreSQL 18 in the paths of Debian's own package. */
function installClients({ machine, clientsArchive }: DrilledMachine): void {
  mkdirSync(join(machine, testing))
  execFileSync('tar', ['-xf', clientsArchive, '-C', join(machine, testing), './usr/lib'])
  mkdirSync(join(machine, clients), { recursive: true })
  const program = join(machine, clients, 'pg_basebackup')
  const lines = [
    '#!/bin/sh',
    `libraries=$(echo ${testing}/usr/lib/*-linux-gnu)`,
    `exec "$libraries"/ld-linux-*.so.* --library-path "$libraries" ${testing}${clients}/pg_basebackup "$@"`,
  ]
  writeFileSync(program, `${lines.join('\n')}\n`)
  chmodSync(program, 0o755)
}

/** Returns the document's servers; this process namespace has no others. */
function serverPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes('scripts/serve.mjs'))
    .map(Number)
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch (error) {
    // The process ended meanwhile: no file, or one without a process.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''
    throw error
  }
}

/** Returns the data that must be restored: the ledger, and the clients' notices. */
async function recordsToRestore(superuserUrl: string): Promise<string> {
  const client = new pg.Client(superuserUrl)
  await client.connect()
  const { rows } = await client
    .query(
      `select (select count(*) from postings)::int as postings,
         (select string_agg(state, ' ') from deposits) as deposits, (select string_agg(state, ' ') from withdrawals) as withdrawals`,
    )
    .finally(() => client.end())
  return JSON.stringify(rows[0])
}

async function allowReplication(superuserUrl: string): Promise<void> {
  const client = new pg.Client(superuserUrl)
  await client.connect()
  await client.query('alter role portal_owner replication').finally(() => client.end())
}

/** Takes a backup while servers run, loses database and files, restores both, and starts again. */
export async function backUpAndRestore(drilled: DrilledMachine): Promise<void> {
  const { machine, superuserUrl } = drilled
  await allowReplication(superuserUrl)
  const owner =
    'DATABASE_OWNER_URL="postgres://portal_owner:$(cat /etc/client-portal/database_owner)@127.0.0.1:5432/portal"'
  const operator = (words: string) => `${owner} ${asPortal} node scripts/operator.ts ${words}`
  const backUp = `install -d -o portal -g portal -m 700 /var/backups/portal\n${operator('backup /var/backups/portal/first')}`

  const older = await runOnMachine(machine, backUp)
  assertAndReport(
    !older.succeeded && older.output.includes('pg_basebackup is version 15, but the database is PostgreSQL 18.'),
    "With Debian 12's pg_basebackup the backup is refused in a sentence.",
    older.output,
  )
  installClients(drilled)
  const { succeeded, output } = await runOnMachine(machine, backUp, `${clients}:`)
  assertAndReport(
    succeeded && output.includes('is complete'),
    `${output.split('\n')[0]} The backup is complete.`,
    output,
  )

  const before = await recordsToRestore(superuserUrl)
  for (const pid of serverPids()) process.kill(pid, 'SIGTERM')
  await until(() => serverPids().length === 0)
  await drilled.stopPostgres()
  const files = join(machine, 'var', 'lib', 'client-portal', 'files')
  if (existsSync(files)) renameSync(files, `${files}.lost`)
  await restoreAndStart(drilled, before)
}

async function restoreAndStart(drilled: DrilledMachine, before: string): Promise<void> {
  const { machine, superuserUrl } = drilled
  const cluster = '/var/lib/postgresql-restored'
  mkdirSync(join(machine, cluster), { mode: 0o700 })
  const account = databaseAccount()
  if (account) chownSync(join(machine, cluster), account.uid, account.gid)
  const restored = await runOnMachine(machine, `node scripts/operator.ts restore /var/backups/portal/first ${cluster}`)
  assertAndReport(
    restored.succeeded && restored.output.includes('every checksum matches'),
    'Restored, and every checksum matches.',
    restored.output,
  )
  const folders = ['/var/lib/client-portal', '/var/lib/client-portal/files'].map((path) =>
    statSync(join(machine, path)),
  )
  assertAndReport(folders[0]?.uid === folders[1]?.uid, 'The restored files belong to the account of the server.', '')
  await drilled.startPostgres(join(machine, cluster))
  const refused = await runOnMachine(machine, `ROLE=jobs PORT=3003 ${asPortal} node scripts/serve.mjs`)
  assertAndReport(
    !refused.succeeded && refused.output.includes('This database was restored from a backup'),
    'No server starts on it before operator restored.',
    refused.output,
  )
  const marked = await runOnMachine(machine, `${asPortal} node scripts/operator.ts restored --yes`)
  assertAndReport(marked.succeeded, 'operator restored has run.', marked.output)
  const started = await runOnMachine(machine, drilled.startServers)
  assertAndReport(started.succeeded, 'Then three servers are ready.', started.output)
  const after = await recordsToRestore(superuserUrl)
  assertAndReport(after === before, `As before: ${after}.`, `It was ${before}.`)
  const verified = await runOnMachine(machine, `${asPortal} node scripts/operator.ts verify`)
  assertAndReport(verified.succeeded, 'operator verify finds the records whole.', verified.output)
}
