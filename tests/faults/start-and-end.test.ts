/** How a server begins where something is missing, and how it ends after an error that no one caught. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLanguage } from '#contract/users-session.ts'
import { row, run, sql } from '#server/db/sql.ts'
import { transaction } from '#server/db/transaction.ts'
import { call, makeClient, startTestServer, type TestServer } from '../factories.ts'
import { until } from '../until.ts'
import { startKillableServer } from './killable-server.ts'

let observer: TestServer
beforeAll(async () => {
  observer = await startTestServer({ now: new Date() })
})
afterAll(() => observer.stop())

/** Returns what the start says on its way to failing, and its exit code. */
async function failedStart(changes: Record<string, string>): Promise<{ code: number; told: string }> {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'serve.ts')
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env['PATH'], ...observer.env, NODE_ENV: 'test', ...changes },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, told: told.trim() }
}

test('a database that is not there is told in one sentence, without a stack', async () => {
  for (const variable of ['DATABASE_URL', 'DATABASE_OWNER_URL']) {
    const { code, told } = await failedStart({ [variable]: 'postgres://portal_app:secret@127.0.0.1:1/portal' })
    expect(code).toBe(1)
    expect(told).toBe(`PostgreSQL at 127.0.0.1:1 does not answer (ECONNREFUSED): start it, or look at ${variable}.`)
  }
})

test('a database that refuses the password is told in one sentence, without the password', async () => {
  const url = new URL(observer.database.url)
  url.password = 'not-the-password'
  const { code, told } = await failedStart({ DATABASE_URL: url.href })
  expect(code).toBe(1)
  expect(told).toMatch(
    /^PostgreSQL at .* does not let us in: password authentication failed .*\. Look at DATABASE_URL\.$/,
  )
  expect(told).not.toContain('not-the-password')
})

test('after an error that no one caught, what is under way is answered and the process ends with 1', async () => {
  const planted = 'process.on("SIGUSR2", () => setTimeout(() => { throw new Error("planted") }))'
  const server = await startKillableServer({
    ...observer.env,
    NODE_ENV: 'test',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(planted)}`,
  })
  const client = await makeClient(observer)
  let underWay: ReturnType<typeof call<typeof setLanguage>> | undefined
  await transaction(observer.dependencies.pool, async (tx) => {
    await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
    underWay = call(server, setLanguage, { as: client, body: { language: 'de' } })
    await until(waitsForLock)
    server.signal('SIGUSR2')
    await until(async () => !(await takesCalls(server.url)))
  })
  expect((await underWay)?.status).toBe(200)
  expect(await server.ended()).toBe(1)
})

async function waitsForLock(): Promise<boolean> {
  const found = await row<{ waits: boolean }>(
    observer.dependencies.jobs,
    sql`select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
  )
  return found?.waits ?? false
}

async function takesCalls(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
