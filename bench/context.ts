/** The environment of a measurement: a separate database, durable as in production, and one server process on it. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '#server/config/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { startServer, type RunningServer } from '#server/main.ts'
import { startDatabase } from '#scripts/embedded-database.ts'

export interface BenchContext {
  readonly serverUrl: string
  readonly server: RunningServer
  /** The server's environment, for additional processes. */
  readonly env: Readonly<Record<string, string>>
  /** The superuser's connection, for bulk inserts and for EXPLAIN. */
  readonly superuser: pg.Client
  /** Returns the statements that the server's requests send while `work` runs, in their order. */
  statementsOf(work: () => Promise<unknown>): Promise<Statement[]>
  stop(): Promise<void>
}

export interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** Returns a directory that the database's own account can enter. */
export function makeBenchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Removes a DATA_DIR with its cluster, which may be elsewhere. */
export function removeDataDir(dataDir: string): void {
  rmSync(realpathSync(join(dataDir, 'database')), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

/**
 * Starts both, with additional variables for the server. Requests may use any source address, so that limits by address
 * do not affect the measurement.
 */
export async function openBenchContext(extraVariables: Readonly<Record<string, string>> = {}): Promise<BenchContext> {
  const dataDir = makeBenchFolder()
  const database = await startDatabase({ dataDir })
  await migrate(database.ownerUrl)
  const address = new URL(database.superuserUrl)
  address.pathname = '/portal'
  const superuser = new pg.Client({ connectionString: address.href })
  await superuser.connect()
  const env = {
    NODE_ENV: 'test',
    DEMO: 'off',
    DATA_DIR: dataDir,
    DATABASE_URL: database.serverUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    LOG_LEVEL: 'silent',
    PORTAL_URL: 'http://localhost:3000',
    TRUST_PROXY: '1',
    ...extraVariables,
  }
  const server = await startServer({ ...readConfig(env), port: 0 }, { workers: false, migrate: false })
  return {
    serverUrl: database.serverUrl,
    server,
    env,
    superuser,
    statementsOf,
    async stop() {
      await server.stop()
      await superuser.end()
      await database.stop()
      removeDataDir(dataDir)
    },
  }
}

/** On any connection; without those that are only a text, which begin and end transactions. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const { query } = pg.Client.prototype
  function listening(this: pg.Client, statement: Statement | string, ...more: unknown[]): unknown {
    if (typeof statement !== 'string') seen.push(statement)
    return Reflect.apply(query, this, [statement, ...more])
  }
  Object.assign(pg.Client.prototype, { query: listening })
  try {
    await work()
  } finally {
    Object.assign(pg.Client.prototype, { query })
  }
  return seen
}

/** Returns the buffers that a statement touches, measured by running it. */
export async function buffersOf(connection: pg.Client, { text, values }: Statement): Promise<number> {
  const explained = await connection.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
    text: `explain (analyze, buffers, format json) ${text}`,
    values,
  })
  const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan ?? {}
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

/**
 * Drops the indexes of the tables matching `tables` (a LIKE pattern), except those of constraints, and returns a
 * function that creates them again, which is far quicker once the tables are full.
 */
export async function dropIndexes(superuser: pg.Client, tables: string): Promise<() => Promise<void>> {
  const { rows: indexes } = await superuser.query<{ indexname: string; indexdef: string }>({
    text: `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename like $1
             and indexname not in (select conname from pg_constraint)`,
    values: [tables],
  })
  for (const { indexname } of indexes) await superuser.query(`drop index ${pg.escapeIdentifier(indexname)}`)
  await superuser.query(`set maintenance_work_mem = '512MB'`)
  return async () => {
    for (const { indexdef } of indexes) await superuser.query(indexdef)
  }
}
