/**
 * Forward-only migrations: plain SQL files, one transaction each, under a lock for several servers that start at the
 * same time.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { connectionTo } from './connection-config.ts'
import type { Config } from '../config/config.ts'
import { BadConfig } from '../config/read-variable.ts'
import { assertDatabaseReachable } from './database.ts'

const lockKey = 7_420_001
const folder = new URL('./migrations/', import.meta.url)

/**
 * Migrates if the owner's address is configured; otherwise checks with the server's own role that the schema is
 * current.
 */
export async function migrateOrCheckSchema({ url, ownerUrl }: NonNullable<Config['database']>): Promise<void> {
  if (ownerUrl !== null) {
    await assertDatabaseReachable(ownerUrl, 'DATABASE_OWNER_URL')
    await migrate(ownerUrl)
    return
  }
  await assertDatabaseReachable(url, 'DATABASE_URL')
  await assertSchemaVersion(url)
}

/**
 * Migrates the database at `ownerUrl` to this version's schema and returns the names of the applied files. Throws if an
 * applied file was changed since, or if the database is newer than this program.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const connection = new pg.Client({ ...connectionTo(ownerUrl), application_name: 'portal-migrations' })
  await connection.connect()
  try {
    await connection.query('select pg_advisory_lock($1)', [lockKey])
    const applied = await applyMissingMigrations(connection)
    const pgPool = new pg.Pool({ ...connectionTo(ownerUrl), max: 1 })
    // A lost connection fails the statement that runs on it, and the operator sees that error.
    pgPool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
    await runMigrations({ pgPool }).finally(() => pgPool.end())
    await connection.query(queueGrants)
    return applied
  } finally {
    await connection.end()
  }
}

// The queue's tables have row level security without a policy: without these grants and policies the server's own role
// sees no job.
const queueGrants = `
  grant usage on schema graphile_worker to portal_app;
  grant select, insert, update, delete on all tables in schema graphile_worker to portal_app;
  grant usage on all sequences in schema graphile_worker to portal_app;
  do $$ declare t text; begin
    for t in select tablename from pg_tables where schemaname = 'graphile_worker' and rowsecurity loop
      if not exists (select from pg_policies where schemaname = 'graphile_worker' and tablename = t and policyname = 'portal_app') then
        execute format('create policy portal_app on graphile_worker.%I to portal_app using (true) with check (true)', t);
      end if;
    end loop;
  end $$;
`

/** Throws if the schema is not exactly this program's. For servers without the owner's address. */
async function assertSchemaVersion(url: string): Promise<void> {
  const waiting = await waitingMigrations(url)
  if (waiting.length === 0) return
  throw new BadConfig(
    `The database is older than this program. Migrations to apply: ${waiting.length}, starting with ${waiting[0]}. Run 'operator migrate' with DATABASE_OWNER_URL first.`,
  )
}

/**
 * Returns the migrations that are missing in a database; any of our roles can read them. Throws if the database is
 * newer or a migration was changed.
 */
export async function waitingMigrations(url: string): Promise<string[]> {
  const connection = new pg.Client({ ...connectionTo(url), application_name: 'portal-migrations' })
  await connection.connect()
  try {
    const { rows } = await connection.query<{ there: boolean }>(`select to_regclass('migrations') is not null as there`)
    if (!rows[0]?.there) return (await migrationFiles()).map(({ name }) => name)
    return (await missingMigrations(connection)).map(({ name }) => name)
  } finally {
    await connection.end()
  }
}

interface Migration {
  readonly name: string
  readonly text: string
  readonly hash: string
}

async function migrationFiles(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function missingMigrations(connection: pg.Client): Promise<Migration[]> {
  const { rows } = await connection.query<{ name: string; hash: string }>('select name, hash from migrations')
  const applied = new Map(rows.map((row) => [row.name, row.hash]))
  const files = await migrationFiles()
  for (const name of applied.keys()) {
    if (!files.some((file) => file.name === name))
      throw new BadConfig(
        `The database is newer than this program: it has migration ${name}. Start the version that it belongs to, or a newer one.`,
      )
  }
  for (const { name, hash } of files) {
    if ((applied.get(name) ?? hash) !== hash)
      throw new BadConfig(
        `Migration ${name} has been changed since it was applied. Start the product from an unchanged checkout or image.`,
      )
  }
  return files.filter(({ name }) => !applied.has(name))
}

async function applyMissingMigrations(connection: pg.Client): Promise<string[]> {
  await connection.query(
    'create table if not exists migrations (name text primary key, hash text not null, at timestamptz not null default now())',
  )
  const waiting = await missingMigrations(connection)
  for (const migration of waiting) await applyMigration(connection, migration)
  return waiting.map(({ name }) => name)
}

async function applyMigration(connection: pg.Client, { name, text, hash }: Migration): Promise<void> {
  await connection.query('begin')
  try {
    await connection.query(text)
    await connection.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
