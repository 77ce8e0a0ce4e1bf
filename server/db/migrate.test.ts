/** Migrations separate from the servers: servers that respond to requests do not need the owner's address (13.2.1). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import type { Environment } from '#server/config/read-variable.ts'
import { startServer } from '#server/main.ts'
import { operate } from '#server/operator/commands.ts'
import { emptyDatabase, testDatabase, type TestDatabase } from '#tests/database.ts'

async function withEnv(database: TestDatabase, work: (env: Environment) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-migrate-'))
  const env = { NODE_ENV: 'test', DEMO: 'off', DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'silent' }
  await work(env).finally(() => rmSync(dataDir, { recursive: true, force: true }))
}

const start = (env: Environment) =>
  startServer({ ...readConfig(env), port: 0, mayMakeMasterKey: true }, { workers: false })

async function migrate(env: Environment): Promise<{ succeeded: boolean; text: string }> {
  const lines: string[] = []
  const succeeded = await operate(readConfig(env), ['migrate'], (line) => lines.push(line))
  return { succeeded, text: lines.join('\n') }
}

test('a server with only its own role does not start on an older database until the operator has migrated it', async () => {
  const database = await emptyDatabase()
  await withEnv(database, async (env) => {
    await expect(start(env)).rejects.toThrow(
      /The database is older than this program\. Migrations to apply: \d+, starting with 0001/,
    )
    expect((await migrate(env)).text).toContain('Set DATABASE_OWNER_URL')
    const owner = { ...env, DATABASE_OWNER_URL: database.ownerUrl }
    expect((await migrate(owner)).text).toContain('0001-foundation.sql: applied.')
    expect(await migrate(owner)).toMatchObject({
      succeeded: true,
      text: expect.stringContaining('No migrations to apply') as string,
    })
    const server = await start(env)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await server.stop()
  })
})

test('a server does not start on a newer database or on one whose migrations differ from its own', async () => {
  const database = await testDatabase()
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await withEnv(database, async (env) => {
    await owner.query(`insert into migrations (name, hash) values ('9999-later.sql', 'x')`)
    await expect(start(env)).rejects.toThrow(
      'The database is newer than this program: it has migration 9999-later.sql.',
    )
    await owner.query(`delete from migrations where name = '9999-later.sql'`)
    await owner.query(`update migrations set hash = 'x' where name = '0001-foundation.sql'`)
    await expect(start(env)).rejects.toThrow('Migration 0001-foundation.sql has been changed since it was applied.')
  })
  await owner.end()
})
