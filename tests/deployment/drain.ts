/**
 * `npm run drain`: two servers in production behind nginx with our example, and their jobs process, are restarted three
 * times, one after the other, under 40 requests a second including payments. Nothing may be rejected (ADR 193), the
 * same key gets the same response afterwards, and queued work is done. With `--from=<folder>` they start as the version
 * in that directory (a checkout with its packages and built apps), and the database is migrated while it runs.
 */
import { execFileSync } from 'node:child_process'
import { request } from 'node:https'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { randomBytes, randomUUID } from 'node:crypto'
import { getLiveAccounts } from '#contract/accounts.ts'
import { liveAccountsPath } from '#contract/live-figures.ts'
import { requestWirePayment } from '#contract/deposits.ts'
import { profile } from '#contract/profile.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { decimalOf } from '#rules/money.ts'
import { row } from '#server/db/sql.ts'
import { buildApps } from '#scripts/build-apps.ts'
import { requireMachine } from '#scripts/deployment-checks.ts'
import { startDatabase } from '#scripts/embedded-database.ts'
import { usablePort } from '#scripts/simulators.ts'
import { readUsage } from '#scripts/usage.mjs'
import { call, type CallTarget, type Reply } from '../call.ts'
import { startTestServer, type TestServer } from '../factories.ts'
import { withdrawalBody } from '../funded-account.ts'
import { waitForEmptyBacklog, waitForUnlockedQueue } from '../faults/assertions.ts'
import { startMoneyLoad, type MoneyLoad } from '../faults/money-load.ts'
import { pauseBriefly, until } from '../until.ts'
import { startNginx, testNginx, writeNginx } from './nginx.ts'
import {
  makeCertificates,
  startProgram,
  startSurroundings,
  proxyTarget,
  type Program,
  type Surroundings,
} from './surroundings.ts'

readUsage('drain')
requireMachine('drain')

const restarts = 3
const requestsPerSecond = 40
/** The example allows one address 100 connections; the whole load comes from one. */
const inProgressMax = 80
const root = dirname(dirname(import.meta.dirname))
const oldVersionFolder = resolve(
  process.argv.find((word) => word.startsWith('--from='))?.slice('--from='.length) ?? root,
)

/** A payment request with a response: its sender, its key, and the response. */
interface AnsweredRequest {
  readonly send: () => Promise<Reply<never>>
  readonly json: unknown
}

interface Tally {
  answered: number
  readonly money: AnsweredRequest[]
  readonly refused: string[]
}

/** A server on its own port that can be restarted as this version. */
interface Restartable {
  restart(): Promise<void>
}

async function startServing(around: Surroundings, env: NodeJS.ProcessEnv, role: string): Promise<Restartable> {
  const begin = async (version: string): Promise<Program> => {
    const log = join(around.folder, `${role}-${env['PORT']}.log`)
    const program = startProgram(process.execPath, [join(version, 'scripts', 'serve.mjs')], {
      env: { ...env, ROLE: role },
      log,
      cwd: version,
    })
    const url = `http://127.0.0.1:${env['PORT']}`
    await until(() => {
      if (program.child.exitCode !== null) throw new Error(`A server ended immediately: see ${log}`)
      return fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
    return program
  }
  let running = await begin(oldVersionFolder)
  around.stops.push(() => running.stop())
  return {
    async restart() {
      const code = await running.stop()
      if (code !== 0) throw new Error(`The server ended with ${code}`)
      running = await begin(root)
    },
  }
}

/**
 * Returns the next request: of forty, one withdrawal, with its proof by password, and eight deposits; the rest are
 * reads. It can be sent again under its key.
 */
function nextRequest(turn: number, load: MoneyLoad, proxy: CallTarget): () => Promise<Reply<never>> {
  const actor = load.actors[turn % load.actors.length]
  if (!actor) throw new Error('no one acts')
  const headers = { 'idempotency-key': randomUUID() }
  const options = { as: actor.client, headers }
  const kind = turn % 10
  if (turn % 40 === 0) {
    const body = withdrawalBody(actor.account, actor.bankId, decimalOf(500n + BigInt(turn % 100)))
    return () => call(proxy, requestWithdrawal, { ...options, body }) as Promise<Reply<never>>
  }
  if (kind === 3 || kind === 6) {
    const body = {
      accountPlatform: 'MT5',
      accountNumber: actor.account.login,
      depositCurrency: 'EUR',
      depositAmountSent: decimalOf(2_000n + BigInt(turn % 100)),
      paymentGatewayService: 'bank',
      depositType: 'wire',
    }
    return () => call(proxy, requestWirePayment, { ...options, body }) as Promise<Reply<never>>
  }
  if (kind % 2 === 0) return () => call(proxy, profile, { ...options, body: {} }) as Promise<Reply<never>>
  return () => call(proxy, getLiveAccounts, { ...options, params: { a: 'all', b: 'all' } }) as Promise<Reply<never>>
}

/** Sends at a steady rate until aborted, and waits for requests in progress. */
async function sendLoad(load: MoneyLoad, proxy: CallTarget, ending: AbortSignal): Promise<Tally> {
  const tally: Tally = { answered: 0, money: [], refused: [] }
  const underWay = new Set<Promise<void>>()
  const begun = Date.now()
  for (let turn = 0; !ending.aborted; turn += 1) {
    while (Date.now() < begun + (turn * 1000) / requestsPerSecond || underWay.size >= inProgressMax)
      await pauseBriefly(5)
    const send = nextRequest(turn, load, proxy)
    const one = send().then(
      ({ status, bytes, json }) => {
        if (status >= 300) tally.refused.push(`${status} ${bytes.toString().slice(0, 160)}`)
        else tally.answered += 1
        if (status === 201) tally.money.push({ send, json })
      },
      (error: Error) => void tally.refused.push(error.message),
    )
    underWay.add(one)
    void one.finally(() => underWay.delete(one))
  }
  await Promise.all(underWay)
  return tally
}

/** How the streams of an open page ended while the servers restarted. */
interface StreamOutcome {
  /** Ended by a server, so that the page opened the next one. */
  ended: number
  readonly broken: string[]
}

/** Keeps a stream of balances open, like a page, until aborted. */
async function keepStreamOpen(proxy: CallTarget, token: string, ending: AbortSignal): Promise<StreamOutcome> {
  const followed: StreamOutcome = { ended: 0, broken: [] }
  const { agent } = proxy
  const url = new URL(`${liveAccountsPath}?ids=${randomUUID()}`, proxy.url)
  while (!ending.aborted) {
    const headers = { authorization: `Bearer ${token}`, 'x-background': '1' }
    const problem = await new Promise<string | null>((resolve) => {
      const asked = request(url, { headers, agent, signal: ending }, (answer) => {
        answer.resume().on('close', () => resolve(answer.complete ? null : 'a stream broke off'))
        if (answer.statusCode !== 200) resolve(`a stream was answered ${answer.statusCode}`)
      })
      asked.on('error', ({ message }) => resolve(message)).end()
    })
    if (ending.aborted) break
    if (problem === null) followed.ended += 1
    else followed.broken.push(problem)
    await pauseBriefly(1_000)
  }
  return followed
}

async function countMoneyRequests(observer: TestServer): Promise<number> {
  const found = await row<{ count: number }>(observer.dependencies.pool)`select
      (select count(*)::int from deposits) + (select count(*)::int from withdrawals) as count`
  return found?.count ?? 0
}

await buildApps()
const around = await startSurroundings()
try {
  const dataDir = join(around.folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  const database = await startDatabase({ dataDir, throwaway: true })
  around.stops.push(() => database.stop())
  const [plain, secure, first, second, third] = [
    await usablePort(0),
    await usablePort(0),
    await usablePort(0),
    await usablePort(0),
    await usablePort(0),
  ]
  const filesDir = join(around.folder, 'files')
  const masterKeyFile = join(around.folder, 'master.key')
  mkdirSync(filesDir, { mode: 0o700 })
  writeFileSync(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o400 })
  const env = {
    ...around.env,
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATABASE_URL: database.serverUrl,
    DATA_DIR: filesDir,
    MASTER_KEY_FILE: masterKeyFile,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
  }
  // As in the documents of the first day and of an upgrade: migrate, then restart one after the other.
  const migrate = (version: string) =>
    execFileSync(process.execPath, [join(version, 'scripts', 'operator.ts'), 'migrate'], {
      env: { ...env, DATABASE_OWNER_URL: database.ownerUrl },
      cwd: version,
    })
  migrate(oldVersionFolder)
  const servers = [
    await startServing(around, { ...env, PORT: String(first) }, 'web'),
    await startServing(around, { ...env, PORT: String(second) }, 'web'),
    await startServing(around, { ...env, PORT: String(third) }, 'jobs'),
  ]
  migrate(root)
  const { NODE_EXTRA_CA_CERTS: _, ...integrations } = around.env
  const observer = await startTestServer({
    now: new Date(),
    database: { url: database.serverUrl, ownerUrl: database.ownerUrl },
    env: {
      ...integrations,
      DATA_DIR: filesDir,
      MASTER_KEY_FILE: masterKeyFile,
      MT5_URL: `http://127.0.0.1:${around.platform.port}`,
      OFFICE_URL: '',
    },
  })
  around.stops.push(() => observer.stop())
  const home = writeNginx({ folder: around.folder, ports: { plain, secure }, upstreams: [first, second] })
  makeCertificates(join(home, 'certificates'))
  testNginx(home)
  const nginx = startNginx(home)
  around.stops.push(() => nginx.stop())
  const proxy = proxyTarget(join(home, 'certificates'), secure)
  around.stops.push(() => proxy.agent?.destroy())
  const load = await startMoneyLoad({ observer, server: proxy, clients: 5, patienceMs: 60_000 })
  await until(() =>
    call(proxy, profile, { as: load.actors[0]?.client ?? '', body: {} }).then(
      () => true,
      () => false,
    ),
  )
  const before = await countMoneyRequests(observer)
  const ending = new AbortController()
  const loaded = sendLoad(load, proxy, ending.signal)
  const following = keepStreamOpen(proxy, load.actors[0]?.client.token ?? '', ending.signal)
  for (let turn = 1; turn <= restarts; turn += 1) {
    for (const server of servers) await server.restart()
    console.log(`Restart ${turn} of two servers and their jobs process done.`)
  }
  ending.abort()
  const { answered, money, refused } = await loaded
  const streams = await following
  console.log(`A stream of balances was ended ${streams.ended} times and opened again, ${streams.broken.length} broke.`)
  const others: string[] = []
  for (const { send, json } of money) {
    const again = await send()
    if (!isDeepStrictEqual(again.json, json)) others.push(`${again.status} ${again.bytes.toString().slice(0, 160)}`)
  }
  const recorded = (await countMoneyRequests(observer)) - before
  console.log(
    `${answered + refused.length} requests, ${refused.length} rejected; ${money.length} requests for money answered, ${recorded} recorded; sent again under their keys, ${others.length} got another answer.`,
  )
  await waitForEmptyBacklog(observer, load.operations)
  await waitForUnlockedQueue(observer)
  console.log('What was queued is done.')
  for (const text of new Set([...refused, ...others, ...streams.broken])) console.log(`  ${text}`)
  if (refused.length > 0)
    console.log(
      readFileSync(join(home, 'log', 'error.log'), 'utf8')
        .split('\n')
        .filter((line) => !line.includes('connect() failed'))
        .join('\n'),
    )
  if (streams.ended === 0 || streams.broken.length > 0) process.exitCode = 1
  if (refused.length > 0 || others.length > 0 || money.length !== recorded || recorded === 0) process.exitCode = 1
} finally {
  await around.stop()
}
process.exit()
