/**
 * Vitest's global set-up where tests need a database: a throwaway cluster with one migrated template, which each test
 * file copies (tests/database.ts).
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { startDatabase } from './embedded-database.ts'
import { isAlive } from './is-alive.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the template; the superuser's is on the database `postgres`. */
    cluster: { superuserUrl: string; ownerUrl: string; serverUrl: string; template: string }
  }
}

const prefix = 'portal-test-'

/** Starts the cluster, tells the tests where it is, and answers how it is taken down. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await sweep()
  const dataDir = mkdtempSync(join(hasRoomInMemory() ? inMemory : tmpdir(), `${prefix}${process.pid}-`))
  // Open to the database's account, so that all of it lies in this one folder.
  chmodSync(dataDir, 0o711)
  const database = await startDatabase({ dataDir, throwaway: true })
  await migrate(database.ownerUrl)
  const superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  // A template that no one can enter is never busy when it is copied.
  await superuser.query('alter database portal with is_template true allow_connections false')
  await superuser.end()
  const { superuserUrl, ownerUrl, serverUrl } = database
  project.provide('cluster', { superuserUrl, ownerUrl, serverUrl, template: 'portal' })
  return () => database.stop()
}

const inMemory = '/dev/shm'
/** Twice what the databases of all test files take. */
const roomBytes = 8 * 2 ** 30

/** Returns whether the cluster can lie in memory: to make and remove so many files keeps a busy disk busy for minutes. */
function hasRoomInMemory(): boolean {
  if (!existsSync(inMemory)) return false
  const { bavail, bsize } = statfsSync(inMemory)
  return Math.min(bavail * bsize, freemem()) >= roomBytes
}

/** Clusters whose test run was killed: stops and removes them. */
async function sweep(): Promise<void> {
  const folders = [tmpdir(), inMemory].filter((folder) => existsSync(folder))
  const left = folders.flatMap((folder) => readdirSync(folder).map((name) => ({ name, dataDir: join(folder, name) })))
  for (const { name, dataDir } of left.filter((entry) => entry.name.startsWith(prefix))) {
    if (isAlive(Number(name.slice(prefix.length).split('-')[0]))) continue
    try {
      const running = await startDatabase({ dataDir, throwaway: true })
      await running.stop()
    } catch {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}
