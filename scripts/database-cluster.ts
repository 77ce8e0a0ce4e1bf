/** The directory of an embedded database: its location, owner, passwords and the cluster that `initdb` creates. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  canEnter,
  databaseAccount,
  databaseBinaries,
  systemFolder,
  spawnOptionsFor,
  type Account,
} from './database-binaries.ts'

export interface Secrets {
  readonly superuser: string
  readonly owner: string
  readonly server: string
}

/** The paths of the parts of one embedded database. */
export interface ClusterPaths {
  readonly account: Account | null
  readonly binaries: string
  /** PGDATA. */
  readonly cluster: string
  readonly log: string
  readonly secretsFile: string
  /** Written last: without it the cluster is incomplete and is removed. */
  readonly completeFile: string
  /** All directories that a throwaway database removes. */
  readonly folders: readonly string[]
}

const socketPathMax = 90

/** Creates the directories, and finds one for the cluster that its account can reach. */
export function prepareCluster(dataDir: string): ClusterPaths {
  const account = databaseAccount()
  mkdirSync(dataDir, { recursive: true, mode: account === null ? 0o700 : 0o711 })
  const link = join(dataDir, 'database')
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) {
    if (canEnter(dataDir, account)) mkdirSync(link, { mode: 0o711 })
    else {
      // Named by the directory that it belongs to, so that it is found again after a lost link.
      const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
      mkdirSync(join(systemFolder, name), { recursive: true, mode: 0o711 })
      symlinkSync(join(systemFolder, name), link)
    }
  }
  mkdirSync(link, { recursive: true })
  const home = realpathSync(link)
  if (!canEnter(home, account))
    throw new Error(
      `The user ${account?.name} cannot access ${home}. Grant access to the folders above it, or move DATA_DIR.`,
    )
  const cluster = join(home, 'cluster')
  if (existsSync(cluster)) takeOwnership(cluster, account)
  return {
    account,
    binaries: databaseBinaries(account),
    cluster,
    log: join(dataDir, 'database.log'),
    secretsFile: join(dataDir, 'database.json'),
    completeFile: completeFileIn(dataDir),
    folders: [home, dataDir],
  }
}

/** Handles a cluster that another user created: root changes its owner, other users get an error. */
function takeOwnership(cluster: string, account: Account | null): void {
  const { uid } = statSync(cluster)
  const wanted = account?.uid ?? process.getuid?.()
  if (wanted === undefined || uid === wanted) return
  if (account === null)
    throw new Error(`${cluster} belongs to another user. Start as that user, or choose another DATA_DIR.`)
  spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, cluster])
}

/** Returns whether a directory has a complete cluster. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(completeFileIn(dataDir))
}

function completeFileIn(dataDir: string): string {
  return join(dataDir, 'database.complete')
}

export function readSecrets(place: ClusterPaths): Secrets | null {
  if (!existsSync(place.secretsFile)) return null
  return JSON.parse(readFileSync(place.secretsFile, 'utf8')) as Secrets
}

/** Creates a new cluster in place of an incomplete one; it is on disk only after `syncCluster`. */
export async function makeCluster(place: ClusterPaths): Promise<Secrets> {
  rmSync(place.cluster, { recursive: true, force: true })
  mkdirSync(place.cluster, { mode: 0o700 })
  giveToAccount(place.cluster, place.account)
  const secret = () => randomBytes(24).toString('base64url')
  const secrets: Secrets = { superuser: secret(), owner: secret(), server: secret() }
  rmSync(place.secretsFile, { force: true })
  writeFileSync(place.secretsFile, JSON.stringify(secrets), { mode: 0o600 })

  const folder = privateFolder(place.account)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, secrets.superuser, { mode: 0o600 })
  giveToAccount(passwordFile, place.account)
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', passwordFile]
  try {
    await initdb(place, [...access, '-E', 'UTF8', ...locale, '--data-checksums', '--no-sync'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return secrets
}

/**
 * Writes the files of a new cluster to disk. PostgreSQL may be running, and syncs what it changes.
 */
export function syncCluster(place: ClusterPaths): Promise<void> {
  return initdb(place, ['--sync-only'])
}

async function initdb(place: ClusterPaths, options: readonly string[]): Promise<void> {
  const running = promisify(execFile)(join(place.binaries, 'initdb'), ['-D', place.cluster, ...options], {
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C' },
    ...spawnOptionsFor(place.account),
  })
  const endWithUs = () => running.child.kill()
  process.once('exit', endWithUs)
  try {
    await running
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`The database could not be created.\n${stderr || message}`, { cause: error })
  } finally {
    process.removeListener('exit', endWithUs)
  }
}

/** Returns a directory that only we and the database's account can enter, with a path short enough for a socket. */
export function privateFolder(account: Account | null): string {
  const temporary = realpathSync(tmpdir())
  const usable = temporary.length < socketPathMax - 30 && canEnter(temporary, account)
  const folder = mkdtempSync(join(usable ? temporary : '/tmp', 'portal-database-'))
  chmodSync(folder, 0o700)
  giveToAccount(folder, account)
  return folder
}

function giveToAccount(path: string, account: Account | null): void {
  if (account !== null) chownSync(path, account.uid, account.gid)
}
