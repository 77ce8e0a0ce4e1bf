/**
 * The default database: an embedded PostgreSQL 18 from npm, started and stopped by us (docs/architecture.md, section
 * 5). It listens on a socket in a private directory, and its data survive any crash of ours: the next start finds the
 * orphan, stops it, and continues.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, openSync, closeSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { spawnOptionsFor } from './database-binaries.ts'
import { stopOrphanedDatabase } from './orphaned-database.ts'
import {
  type Secrets,
  type ClusterPaths,
  prepareCluster,
  readSecrets,
  makeCluster,
  privateFolder,
  syncCluster,
} from './database-cluster.ts'

export interface EmbeddedDatabase {
  /** The role that owns the tables and migrates. */
  readonly ownerUrl: string
  /** The server's own role, which cannot alter tables or append-only rows (requirements 22.3). */
  readonly serverUrl: string
  /** The cluster's superuser, on the database `postgres`: the tests create their databases with it. */
  readonly superuserUrl: string
  /** Resolves once a new cluster is on disk; until then the next start would replace it. */
  readonly durable: Promise<void>
  /** A PostgreSQL that crashes is restarted at the same address; resolves with a sentence if that fails. */
  readonly died: Promise<string>
  /** Ends sessions, then PostgreSQL itself. Close your own pools before. */
  stop(): Promise<void>
}

/** The connection data of one running PostgreSQL. */
interface ConnectionAddress {
  readonly host: string
  readonly port: number
}

const startMs = 60_000
const retryMs = 10_000
const stopMs = 20_000
/** The session lock of the process that started the cluster: "portal" in ASCII. */
const ownerLock = 0x706f7274616cn

/**
 * Starts the database of `dataDir`, and creates it first if there is none. `throwaway` is for tests: nothing is synced
 * to disk, and stop() removes everything. With `early` a new database can be used before it is on disk. Throws a
 * sentence for the operator: already running, no permission for the directory, PostgreSQL's own last messages.
 */
export async function startDatabase(options: {
  dataDir: string
  throwaway?: boolean
  early?: boolean
}): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir)
  const throwaway = options.throwaway ?? false
  const place = prepareCluster(dataDir)
  await stopOrphanedDatabase(place.cluster, readSecrets(place)?.superuser ?? null, ownerLock)
  const complete = existsSync(place.completeFile)
  const secrets = complete ? readSecrets(place) : null
  const kept = secrets ?? (await makeCluster(place))
  const synced = secrets !== null || throwaway ? Promise.resolve() : syncCluster(place)
  // Handled where `durable` is awaited.
  synced.catch(() => undefined)

  const socketFolder = privateFolder(place.account)
  const removeSocket = () => rmSync(socketFolder, { recursive: true, force: true })
  process.once('exit', removeSocket)
  const reach =
    process.platform === 'win32' ? { host: '127.0.0.1', port: await freePort() } : socketAddress(socketFolder)
  let running = await startAndLock(place, kept, reach, throwaway)
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await running.lock.end().catch(() => undefined)
    await stopPostgres(place, running.child, throwaway)
    process.removeListener('exit', removeSocket)
    removeSocket()
    if (throwaway) for (const folder of place.folders) rmSync(folder, { recursive: true, force: true })
  }
  let durable = synced
  try {
    if (secrets === null) {
      await makeRoles(running.lock, kept)
      durable = synced.then(() => writeFileSync(place.completeFile, ''))
      durable.catch(() => undefined)
    }
    if (!options.early) await durable
  } catch (error) {
    // The caller gets nothing that could be stopped.
    await stop()
    throw error
  }

  const died = new Promise<string>((tell) => {
    const watch = () => running.child.once('exit', () => void revive())
    const revive = async () => {
      if (stopping) return
      try {
        running = await startAndLock(place, kept, reach, throwaway)
        watch()
      } catch (error) {
        tell((error as Error).message)
      }
    }
    watch()
  })
  return {
    ownerUrl: databaseUrl('portal_owner', kept.owner, reach, 'portal'),
    serverUrl: databaseUrl('portal_app', kept.server, reach, 'portal'),
    superuserUrl: databaseUrl('postgres', kept.superuser, reach, 'postgres'),
    durable,
    died,
    stop,
  }
}

/** The owner creates and alters tables; the server's role gets its privileges from the migrations. */
async function makeRoles(superuser: pg.Client, secrets: Secrets): Promise<void> {
  const made = await superuser.query('select 1 from pg_roles where rolname = $1', ['portal_owner'])
  if (made.rowCount === 0) {
    await superuser.query(`create role portal_owner login password ${superuser.escapeLiteral(secrets.owner)}`)
    await superuser.query(`create role portal_app login password ${superuser.escapeLiteral(secrets.server)}`)
  }
  const database = await superuser.query('select 1 from pg_database where datname = $1', ['portal'])
  if (database.rowCount === 0) await superuser.query('create database portal owner portal_owner')
}

/** Starts PostgreSQL and takes the owner's lock; retries while a predecessor's last processes end. */
async function startAndLock(place: ClusterPaths, secrets: Secrets, reach: ConnectionAddress, throwaway: boolean) {
  const until = Date.now() + retryMs
  for (;;) {
    const child = spawnPostgres(place, reach, throwaway)
    const lock = await connectWhenReady(child, databaseUrl('postgres', secrets.superuser, reach, 'postgres'))
    if (lock !== null) {
      const locked = await lock.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [ownerLock])
      if (locked.rows[0]?.mine) return { child, lock }
    }
    child.kill('SIGINT')
    if (Date.now() > until) throw new Error(`The database did not start. ${logTail(place.log)}`)
    await wait(200)
    await stopOrphanedDatabase(place.cluster, secrets.superuser, ownerLock, reach.host)
  }
}

function spawnPostgres(place: ClusterPaths, reach: ConnectionAddress, throwaway: boolean): ChildProcess {
  const settings = {
    listen_addresses: reach.host.startsWith('/') ? '' : reach.host,
    port: String(reach.port),
    unix_socket_directories: reach.host.startsWith('/') ? reach.host : '',
    unix_socket_permissions: '0700',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Otherwise it logs the values of every rejected row (ASVS 16.2.5).
    log_error_verbosity: 'terse',
    jit: 'off',
    ...(throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' } : {}),
  }
  const log = openSync(place.log, isLogTooLong(place.log) ? 'w' : 'a', 0o600)
  const child = spawn(
    join(place.binaries, 'postgres'),
    ['-D', place.cluster, ...Object.entries(settings).flatMap(([name, setting]) => ['-c', `${name}=${setting}`])],
    // Detached: Ctrl-C must not reach it before the server has drained.
    {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, LC_ALL: 'C' },
      ...spawnOptionsFor(place.account),
    },
  )
  closeSync(log)
  child.on('error', () => undefined)
  // However early or suddenly we end, it ends after us.
  const endWithUs = () => child.kill(throwaway ? 'SIGQUIT' : 'SIGINT')
  process.once('exit', endWithUs)
  child.once('exit', () => process.removeListener('exit', endWithUs))
  return child
}

/** Returns a superuser's session once PostgreSQL accepts one, or null if it ended before. */
async function connectWhenReady(child: ChildProcess, superuserUrl: string): Promise<pg.Client | null> {
  const until = Date.now() + startMs
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined && Date.now() < until) {
    const client = new pg.Client({ connectionString: superuserUrl, application_name: 'owner of the cluster' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch {
      await wait(25)
    }
  }
  return null
}

/** Fast shutdown: sessions are ended, committed data are on disk. */
async function stopPostgres(place: ClusterPaths, child: ChildProcess, throwaway: boolean): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  if (process.platform === 'win32') {
    spawnSync(join(place.binaries, 'pg_ctl'), ['stop', '-D', place.cluster, '-m', throwaway ? 'immediate' : 'fast'])
  } else child.kill(throwaway ? 'SIGQUIT' : 'SIGINT')
  const late = setTimeout(() => child.kill('SIGQUIT'), stopMs)
  await ended
  clearTimeout(late)
}

function socketAddress(socketFolder: string): ConnectionAddress {
  return { host: socketFolder, port: 5432 }
}

function databaseUrl(user: string, password: string, reach: ConnectionAddress, database: string): string {
  if (!reach.host.startsWith('/')) return `postgres://${user}:${password}@${reach.host}:${reach.port}/${database}`
  return `postgres://${user}:${password}@localhost:${reach.port}/${database}?host=${encodeURIComponent(reach.host)}`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

function isLogTooLong(log: string): boolean {
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000
}

function logTail(log: string): string {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []
  return `Its last words:\n${lines.slice(-8).join('\n')}`
}
