/**
 * Throwaway clusters with a migrated database. Vitest's global set-up makes one whose database is the template that
 * each test file copies (tests/database.ts).
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openKeys, readMasterKey } from '#server/crypto/keys.ts'
import { migrate } from '#server/db/migrate.ts'
import { startDatabase, type EmbeddedDatabase } from './embedded-database.ts'
import { isAlive } from './is-alive.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the template; the superuser's is on the database `postgres`. */
    cluster: { superuserUrl: string; ownerUrl: string; serverUrl: string; template: string; masterKeyFile: string }
  }
}

const prefix = 'portal-test-'

/** Starts the cluster, provides its addresses to the tests, and returns a function that removes it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const database = await startTestCluster()
  const masterKeyFile = await makeKeys(database.serverUrl)
  const superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  // A template that accepts no connections is never busy when it is copied.
  await superuser.query('alter database portal with is_template true allow_connections false')
  await superuser.end()
  const { superuserUrl, ownerUrl, serverUrl } = database
  project.provide('cluster', { superuserUrl, ownerUrl, serverUrl, template: 'portal', masterKeyFile })
  return async () => {
    await database.stop()
    rmSync(dirname(masterKeyFile), { recursive: true, force: true })
  }
}

/**
 * Makes the keys of all copies: an RSA key takes longer than the rest of a server's start. Returns the master key's
 * file.
 */
async function makeKeys(serverUrl: string): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'portal-keys-')), 'master.key')
  const pool = new pg.Pool({ connectionString: serverUrl })
  await openKeys(pool, await readMasterKey(pool, file, true))
  await pool.end()
  return file
}

/** Starts a cluster with a migrated database, and removes those that killed test runs have left. */
export async function startTestCluster(): Promise<EmbeddedDatabase> {
  await removeDeadClusters()
  const dataDir = mkdtempSync(join(hasRoomInMemory() ? memoryFolder : tmpdir(), `${prefix}${process.pid}-`))
  // Readable for the database's account, so that everything is in this one directory.
  chmodSync(dataDir, 0o711)
  const database = await startDatabase({ dataDir, throwaway: true })
  await migrate(database.ownerUrl)
  return database
}

const memoryFolder = '/dev/shm'
/** Twice the size of the databases of all test files. */
const neededMemoryBytes = 8 * 2 ** 30

/**
 * Returns whether the cluster fits into memory: creating and removing so many files keeps a busy disk busy for minutes.
 */
function hasRoomInMemory(): boolean {
  if (!existsSync(memoryFolder)) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return Math.min(bavail * bsize, freemem()) >= neededMemoryBytes
}

/** Stops and removes clusters whose test run was killed. */
async function removeDeadClusters(): Promise<void> {
  const folders = [tmpdir(), memoryFolder].filter((folder) => existsSync(folder))
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
