/**
 * Handles what an earlier start left on a cluster: nothing, a PostgreSQL whose starter is alive ("already running"), an
 * orphan that is stopped, or a stale postmaster.pid that is removed (docs/architecture.md, section 5).
 */
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isAlive } from './is-alive.ts'

interface PostmasterFile {
  readonly pid: number
  readonly port: number
  /** The socket's directory, empty on Windows. */
  readonly socketFolder: string
}

const patienceMs = 10_000
/** A starter that is just ending still holds its lock for a moment. */
const ownedPatienceMs = 2_000

/**
 * Returns once no PostgreSQL runs on the cluster. `password` is the superuser's, null if none is known any more;
 * `keptFolder` is the socket's directory of a starter that restarts after a crash. Throws a sentence if the cluster's
 * starter is alive, or if an orphan does not end.
 */
export async function stopOrphanedDatabase(
  cluster: string,
  password: string | null,
  ownerLock: bigint,
  keptFolder: string | null = null,
): Promise<void> {
  const begun = Date.now()
  for (;;) {
    const found = readPostmasterFile(cluster)
    if (found === null) return
    if (!isAlive(found.pid)) return removeLeftovers(cluster, found, keptFolder)
    const waitedMs = Date.now() - begun
    const state = await queryState(cluster, found, password, ownerLock)
    if (state === 'silent' && !isOnCluster(found.pid, cluster, waitedMs))
      return removeLeftovers(cluster, found, keptFolder)
    if (state === 'owned' && waitedMs > ownedPatienceMs)
      throw new Error(`The product is already running on this DATA_DIR (its database is process ${found.pid}).`)
    if (state === 'orphan' || (state === 'silent' && password === null)) {
      await stop(found.pid)
      return removeLeftovers(cluster, found, keptFolder)
    }
    if (waitedMs > patienceMs)
      throw new Error(`Process ${found.pid} is using the database in ${cluster} and does not respond. Stop it first.`)
    await wait(100)
  }
}

function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    const [pid, , , port, socketFolder] = readFileSync(`${cluster}/postmaster.pid`, 'utf8').split('\n')
    return { pid: Math.abs(Number(pid)), port: Number(port), socketFolder: socketFolder ?? '' }
  } catch {
    return null
  }
}

function removeLeftovers(cluster: string, found: PostmasterFile, keptFolder: string | null): void {
  rmSync(`${cluster}/postmaster.pid`, { force: true })
  if (basename(found.socketFolder).startsWith('portal-database-') && found.socketFolder !== keptFolder)
    rmSync(found.socketFolder, { recursive: true, force: true })
}

/** `silent`: nothing responds, or a process that is not ours, or it is just starting or ending. */
async function queryState(
  cluster: string,
  found: PostmasterFile,
  password: string | null,
  ownerLock: bigint,
): Promise<'owned' | 'orphan' | 'silent'> {
  if (password === null) return 'silent'
  const client = new pg.Client({
    host: found.socketFolder === '' ? '127.0.0.1' : found.socketFolder,
    port: found.port,
    user: 'postgres',
    database: 'postgres',
    password,
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const folder = await client.query<{ data_directory: string }>('show data_directory')
    if (realpathSync(folder.rows[0]?.data_directory ?? '') !== realpathSync(cluster)) return 'silent'
    const lock = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [ownerLock])
    return lock.rows[0]?.free ? 'orphan' : 'owned'
  } catch {
    return 'silent'
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns whether a silent process is PostgreSQL on this cluster; without /proc it has several seconds to respond. */
function isOnCluster(pid: number, cluster: string, waitedMs: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
  } catch {
    return waitedMs < 3_000
  }
}

async function stop(pid: number): Promise<void> {
  const until = Date.now() + patienceMs
  process.kill(pid, 'SIGINT')
  while (isAlive(pid)) {
    if (Date.now() > until)
      throw new Error(`Process ${pid}, the database of an earlier start, does not stop. Stop it first.`)
    await wait(20)
  }
}
