/** A separate PostgreSQL that becomes unavailable for a while: it hangs, is shut down or killed, and comes back. */
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#server/db/migrate.ts'
import { startDatabase, type EmbeddedDatabase } from '#scripts/embedded-database.ts'
import type { TestDatabase } from '../database.ts'

export interface StoppableDatabase extends TestDatabase {
  /** Sends SIGSTOP to all of its processes: connections stay open without a response. */
  freeze(): void
  thaw(): void
  /** Does a fast shutdown, as in an update of PostgreSQL. */
  shutDown(): Promise<void>
  /** Sends SIGKILL to the postmaster: PostgreSQL finds a crash when it starts again. */
  kill(): Promise<void>
  comeBack(): Promise<void>
  stop(): Promise<void>
}

/** Starts it migrated, with the same address after each return. */
export async function startStoppableDatabase(): Promise<StoppableDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-outage-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  // Even if the test is interrupted, or the start fails.
  process.once('exit', remove)
  chmodSync(dataDir, 0o711)
  const address = join(dataDir, 'socket')
  let running = await startDatabase({ dataDir })
  linkSocketFolder(address, running)
  await migrate(running.ownerUrl)
  const postmaster = () =>
    Number(readFileSync(join(dataDir, 'database', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
  const all = (signal: NodeJS.Signals) => {
    const first = postmaster()
    for (const pid of [first, ...childrenOf(first)]) signalIfRunning(pid, signal)
  }
  return {
    url: withSocketHost(running.serverUrl, address),
    ownerUrl: withSocketHost(running.ownerUrl, address),
    freeze: () => all('SIGSTOP'),
    thaw: () => all('SIGCONT'),
    shutDown: () => running.stop(),
    async kill() {
      process.kill(postmaster(), 'SIGKILL')
      // Stopped immediately, so that this intended crash is not followed by an automatic restart.
      await running.stop()
    },
    async comeBack() {
      running = await startDatabase({ dataDir })
      linkSocketFolder(address, running)
    },
    async stop() {
      await running.stop()
      process.off('exit', remove)
      remove()
    },
  }
}

/** Each start has its own directory for its socket; ours links to the current one. */
export function linkSocketFolder(address: string, { serverUrl }: EmbeddedDatabase): void {
  rmSync(address, { force: true })
  symlinkSync(new URL(serverUrl).searchParams.get('host') ?? '', address)
}

export function withSocketHost(url: string, address: string): string {
  const moved = new URL(url)
  moved.searchParams.set('host', address)
  return moved.href
}

function childrenOf(pid: number): number[] {
  return globSync('/proc/[0-9]*/stat').flatMap((file) => {
    const [, parent] = /\) \S (\d+) /.exec(readIfExists(file)) ?? []
    return Number(parent) === pid ? [Number(file.split('/')[2])] : []
  })
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended on its own meanwhile.
  }
}
