/** The start of a server if something is missing, and its end after an uncaught error. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLanguage } from '#contract/users-session.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { productVersion } from '#server/log/log.ts'
import { ipLocationTable } from '#scripts/ip-location-table.ts'
import { usablePort } from '#scripts/simulators.ts'
import { call, makeClient, makeStaff, startTestServer, type TestServer } from '../factories.ts'
import { until } from '../until.ts'
import { startKillableServer } from './killable-server.ts'

let observer: TestServer
beforeAll(async () => {
  observer = await startTestServer({ now: new Date() })
})
afterAll(() => observer.stop())

const root = join(import.meta.dirname, '..', '..')
/** From our environment: the path of programs, and the cache of compiled code. */
const { PATH, NODE_COMPILE_CACHE } = process.env

/** Returns the output of a start that fails, and its exit code. */
async function failedStart(
  changes: Record<string, string>,
  args: readonly string[] = [join(root, 'scripts', 'serve.mjs')],
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, {
    env: { PATH, NODE_COMPILE_CACHE, ...observer.env, NODE_ENV: 'test', ...changes },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output: output.trim() }
}

/** Returns the variables that production requires, in addition to the database and the files of the test. */
function production(): Record<string, string> {
  return {
    NODE_ENV: 'production',
    PORTAL_URL: 'https://portal.example.com',
    OFFICE_URL: 'https://office.example.com',
    MASTER_KEY_FILE: join(observer.dependencies.config.dataDir, 'master.key'),
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'noreply@example.com',
    MT5_URL: 'https://mt5.example.com',
    MT5_LOGIN: '1000',
    MT5_PASSWORD: 'secret',
  }
}

/** Writes a file of the test, in a directory that is removed with it. */
function file(name: string, content: string | Buffer): string {
  const path = join(observer.dependencies.config.dataDir, name)
  writeFileSync(path, content)
  return path
}

test('a start with a DATA_DIR that does not exist or cannot be written fails with one sentence', async () => {
  expect(await failedStart({ ...production(), DATA_DIR: '/nowhere/data' })).toEqual({
    code: 1,
    output:
      "DATA_DIR is /nowhere/data, which does not exist. Create the folder for the server's account, or set DATA_DIR to another one.",
  })
  const inFile = join(file('no-folder', ''), 'data')
  expect(await failedStart({ DATA_DIR: inFile })).toEqual({
    code: 1,
    output: `DATA_DIR is ${inFile}, where the server cannot write (ENOTDIR). Give the folder to the server's account, or set DATA_DIR to another one.`,
  })
})

test.each([
  [
    'another key',
    randomBytes(32).toString('base64'),
    'is not the one that this database was written with. Put the right file there, or correct DATABASE_URL.',
  ],
  [
    'a key that is too short',
    'c2hvcnQ=',
    'is not 32 bytes in base64. Put the right file there; a new one is made by: openssl rand -base64 32',
  ],
])(
  'a start with %s instead of the master key fails with one sentence, without a stack trace',
  async (_, text, sentence) => {
    const path = file('other.key', text)
    expect(await failedStart({ MASTER_KEY_FILE: path })).toEqual({
      code: 1,
      output: `The master key in ${path} ${sentence}`,
    })
  },
)

test('a start with a folder as the master key fails with one sentence', async () => {
  const { dataDir } = observer.dependencies.config
  const { output } = await failedStart({ MASTER_KEY_FILE: dataDir })
  expect(output).toBe(
    `The master key ${dataDir} cannot be read (EISDIR). Let the server's account read it, and no one else.`,
  )
})

/** Starts in production from a folder with the code and these built apps. */
async function failedProductionStart(apps: readonly string[]): Promise<{ code: number; output: string }> {
  const checkout = mkdtempSync(join(tmpdir(), 'portal-checkout-'))
  for (const name of ['rules', 'contract', 'server', 'scripts', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(checkout, name))
  for (const app of apps) {
    mkdirSync(join(checkout, 'dist', app), { recursive: true })
    writeFileSync(join(checkout, 'dist', app, 'index.html'), '')
  }
  const args = ['--preserve-symlinks', '--preserve-symlinks-main', join(checkout, 'scripts', 'serve.mjs')]
  return failedStart(production(), args).finally(() => rmSync(checkout, { recursive: true }))
}

test('a start in production without the built apps fails with one sentence that names the command to run', async () => {
  expect(await failedProductionStart([])).toEqual({
    code: 1,
    output:
      "The pages of portal and back office are missing in dist/. Run 'npm run build' in this folder, or start the image.",
  })
})

test('a start in production on a database with demo data fails with one sentence', async () => {
  await makeStaff(observer, ['auditor'], { email: 'greta.lund@calder-row.example' })
  expect(await failedProductionStart(['portal', 'office'])).toEqual({
    code: 1,
    output:
      "The database in DATABASE_URL contains the demo's data, such as greta.lund@calder-row.example. The passwords of its people are public, so production does not start. The data cannot be removed: create an empty database, and set DATABASE_URL to it.",
  })
})

test('a start with an older Node fails with one sentence that names the required version', async () => {
  const older = 'Object.defineProperty(process, "version", { value: "v20.19.0" })'
  expect(await failedStart({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(older)}` })).toEqual({
    code: 1,
    output: 'Node 24.18 or newer of version 24 is required. This is v20.19.0. Install it, or start the image.',
  })
})

test('a start on a port in use fails with one sentence', async () => {
  const { port } = new URL(observer.url)
  expect(await failedStart({ PORT: port })).toEqual({
    code: 1,
    output: `The server cannot listen on 127.0.0.1:${port} (EADDRINUSE). Stop the program that uses this address, or change HOST and PORT.`,
  })
})

test('a start without a reachable database fails with one sentence, without a stack trace', async () => {
  for (const variable of ['DATABASE_URL', 'DATABASE_OWNER_URL']) {
    const { code, output } = await failedStart({ [variable]: 'postgres://portal_app:secret@127.0.0.1:1/portal' })
    expect(code).toBe(1)
    expect(output).toBe(`PostgreSQL at 127.0.0.1:1 is not responding (ECONNREFUSED). Start it, or check ${variable}.`)
  }
})

test('a start with a password that the database rejects fails with one sentence, without the password', async () => {
  const url = new URL(observer.database.url)
  url.password = 'not-the-password'
  const { code, output } = await failedStart({ DATABASE_URL: url.href })
  expect(code).toBe(1)
  expect(output).toMatch(
    /^PostgreSQL at .* rejected the sign-in: password authentication failed .*\. Check DATABASE_URL\.$/,
  )
  expect(output).not.toContain('not-the-password')
})

test('after an uncaught error, requests in progress are answered and the process exits with code 1', async () => {
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
    await until(isWaitingForLock)
    server.signal('SIGUSR2')
    await until(async () => !(await answersHealthz(server.url)))
  })
  expect((await underWay)?.status).toBe(200)
  expect(await server.ended()).toBe(1)
})

test('every output line of a jobs process is a log line of the product, including those of its job runner', async () => {
  const port = String(await usablePort(0))
  const child = spawn(process.execPath, [join(root, 'scripts', 'serve.mjs')], {
    env: { PATH, NODE_COMPILE_CACHE, ...observer.env, NODE_ENV: 'test', ROLE: 'jobs', PORT: port, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(() => output.includes('looking for jobs') || child.exitCode !== null)
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.filter(({ msg }) => String(msg).startsWith('queue: ')).length).toBeGreaterThan(0)
  for (const line of lines)
    expect(line).toMatchObject({ version: productVersion, role: 'jobs', host: hostname(), pid: child.pid })
})

async function isWaitingForLock(): Promise<boolean> {
  const found = await row<{ waits: boolean }>(
    observer.dependencies.jobs,
    sql`select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
  )
  return found?.waits ?? false
}

async function answersHealthz(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Returns the lines of the doctor that name a problem. */
async function problemsFound(changes: Record<string, string>): Promise<string[]> {
  const { output } = await failedStart(changes, [join(root, 'scripts', 'doctor.ts')])
  return output.split('\n').filter((line) => /^[✗!]/.test(line))
}

test('doctor names the cause and the next step of each problem, and each cause once', async () => {
  const key = file('open.key', randomBytes(32).toString('base64'))
  chmodSync(key, 0o644)
  const table = file('old.mmdb', ipLocationTable({}, { builtAt: new Date('2024-02-29T12:00:00Z') }))
  const sick = await problemsFound({
    DATABASE_URL: 'postgres://portal_app:secret@127.0.0.1:1/portal',
    DATA_DIR: join(file('no-folder', ''), 'data'),
    MASTER_KEY_FILE: key,
    IP_LOCATION_FILE: table,
    MT5_URL: 'http://127.0.0.1:1',
    MT5_LOGIN: '1000',
    MT5_PASSWORD: 'secret',
    SMTP_URL: 'smtp://127.0.0.1:1',
    CARD_KIND: 'worldline-direct',
    CARD_PRODUCTS: '114:1,119:3',
    CARD_URL: 'http://127.0.0.1:1',
    CARD_MERCHANT: '1234',
    CARD_KEY: 'key',
    CARD_SECRET: 'secret',
    CARD_WEBHOOK_KEY: 'hooks',
    CARD_WEBHOOK_SECRET: 'secret',
  })
  expect(sick.map((line) => line.split(':')[0])).toEqual([
    '✗ DATA_DIR',
    '✗ Master key',
    '! IP locations',
    '✗ Database',
    '✗ Mail server',
    '✗ MetaTrader 5',
    '✗ Card provider (worldline-direct)',
  ])
  const [folder, masterKey, locations, database, mail, platform, card] = sick
  expect(folder).toMatch(/cannot write \(ENOTDIR\)\. Give the folder to the server's account/)
  expect(masterKey).toBe(`✗ Master key: ${key} can be read by other accounts. Run: chmod 400 ${key}`)
  expect(locations).toMatch(
    /: table of 2024-02-29, \d+ days old\. .* Run geoipupdate, or put a newer table at .*old\.mmdb/,
  )
  expect(database).toBe(
    '✗ Database: PostgreSQL at 127.0.0.1:1 is not responding (ECONNREFUSED). Start it, or check DATABASE_URL. Roles, migrations and records were not checked.',
  )
  expect(mail).toMatch(/ECONNREFUSED.*\. Check SMTP_URL with its user and password/)
  expect(platform).toMatch(
    /\. Check MT5_URL and MT5_LOGIN, MT5_PASSWORD, and that the platform accepts this machine\.$/,
  )
  expect(card).toMatch(/\. Check CARD_KIND, CARD_URL, CARD_MERCHANT, CARD_KEY and CARD_SECRET\.$/)
})
