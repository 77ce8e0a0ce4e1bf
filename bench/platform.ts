/**
 * Counts the calls of each kind that a large firm makes to its trading platform; the simulator is a separate process.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { liveFigureTasks } from '#server/features/live-figures/jobs.ts'
import { readEveryMs } from '#server/features/live-figures/times.ts'
import { compareAll } from '#server/features/reconciliation/compare.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { startSimulator } from '#tests/start-simulator.ts'
import { readPlatforms } from '#server/jobs/platform-days.ts'
import { openBenchContext, type BenchContext } from './context.ts'
import { makeClients } from './users.ts'
import { resultWithMaximum, type Result } from './results.ts'

/** Requirements 24.19 and 25.14. */
const callsASecondMax = 2
const watchedCallsASecondMax = 1
const watchedCount = 1_000
const hourSeconds = 3_600
const minutes = 60
const firstLogin = 5_200_000
const firstMt4Login = 410_000
const groups = { MT4: 'real-std-EUR', MT5: 'real\\standard-EUR' } as const
type Platform = keyof typeof groups

/**
 * Counts the calls of an hour with the nightly tasks and the daily comparison, and of one reading of the watched
 * accounts.
 */
export async function benchPlatform(accounts: number): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-mt5-'))
  writeFileSync(join(folder, 'state.jsonl'), simulatorAccounts('MT5', firstLogin, accounts))
  const gatewayFolder = mkdtempSync(join(tmpdir(), 'bench-mt4-'))
  writeFileSync(join(gatewayFolder, 'state.jsonl'), simulatorAccounts('MT4', firstMt4Login, watchedCount))
  const simulator = await startSimulator('mt5', {}, folder)
  const gateway = await startSimulator('mt4-gateway', {}, gatewayFolder)
  const context = await openBenchContext({
    MT5_URL: `http://127.0.0.1:${simulator.port}`,
    MT5_LOGIN: '1000',
    MT5_PASSWORD: 'Simulator-1',
    MT4_URL: `http://127.0.0.1:${gateway.port}`,
    MT4_KEY: 'portal',
    MT4_SECRET: 'simulator-gateway-secret',
  })
  try {
    // Calls are counted, not timed, so commits need not wait for the disk.
    await context.superuser.query('alter system set synchronous_commit = off')
    await context.superuser.query('select pg_reload_conf()')
    await makeClients(context.superuser, 1)
    await makeAccounts(context.superuser, 'MT5', firstLogin, accounts)
    const calls = await requestedPaths(simulator.port, () => runBusiestHour(context))
    const sums = calls.filter((path) => path.startsWith('/api/user/check_balance')).length
    await makeAccounts(context.superuser, 'MT4', firstMt4Login, watchedCount)
    const turns = [
      ['MT5', await callsOfOneReading(context, 'MT5', simulator.port)],
      ['MT4', await callsOfOneReading(context, 'MT4', gateway.port)],
    ] as const
    const of = `of ${accounts.toLocaleString('en-GB')} accounts`
    return [
      resultWithMaximum(
        `calls in the busiest hour ${of}`,
        (calls.length - sums) / hourSeconds,
        callsASecondMax,
        'a second',
      ),
      resultWithMaximum('  comparison of sums by night', sums / hourSeconds, callsASecondMax, 'a second'),
      ...turns.map(([platform, made]) =>
        resultWithMaximum(
          `calls for ${watchedCount.toLocaleString('en-GB')} accounts of ${platform} that are watched`,
          made / (readEveryMs / 1000),
          watchedCallsASecondMax,
          'a second',
        ),
      ),
    ]
  } finally {
    await context.stop()
    await simulator.stop()
    await gateway.stop()
    for (const made of [folder, gatewayFolder]) rmSync(made, { recursive: true, force: true })
  }
}

/** Runs the hour after the platform's midnight: day ends are stored, sums compared, and all accounts reconciled. */
async function runBusiestHour({ server, superuser }: BenchContext): Promise<void> {
  const { dependencies } = server
  for (let minute = 0; minute < minutes; minute += 1) {
    await superuser.query(`update deal_cursors set turn_at = turn_at - interval '1 minute'`)
    await readTrades(dependencies)
    if (minute % 15 === 0) await readPlatforms(dependencies)
  }
  const run = await compareAll(dependencies, { identity: { kind: 'clock' }, now: new Date() })
  if (run.unread > 0) throw new Error(`${run.unread} accounts were not read`)
}

/** Returns the paths that are requested from a port while `work` runs. */
async function requestedPaths(port: number, work: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = []
  const note = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    if (request.getHeader('host') === `127.0.0.1:${port}`) paths.push(request.path)
  }
  subscribe('http.client.request.start', note)
  try {
    await work()
  } finally {
    unsubscribe('http.client.request.start', note)
  }
  return paths
}

/** Returns a line for each account, in the format of the simulator's journal. */
function simulatorAccounts(platform: Platform, first: number, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const login = String(first + index)
    const account = {
      login,
      group: groups[platform],
      name: `Client ${index}`,
      email: `bench-${index}@example.com`,
      country: 'Germany',
      leverage: 30,
      rights: 483,
      comment: '',
      id: '',
      balance: 0,
      credit: 0,
      registeredAt: 1_700_000_000,
      passwords: {},
    }
    return JSON.stringify({ accounts: { [login]: account } })
  })
  return `${lines.join('\n')}\n`
}

/** Inserts accounts whose past has been read, and whose last day end has not been stored. */
async function makeAccounts(superuser: pg.Client, platform: Platform, first: number, count: number): Promise<void> {
  await superuser.query({
    text: `insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login,
        requested_at, group_name)
      select c.id, 'live', $4, 'Standard', 'EUR', 30, 'approved', ($1::int + n)::text, now(), $3
        from clients c, generate_series(0, $2::int - 1) n where c.email = 'bench-1@example.com'`,
    values: [first, count, groups[platform], platform],
  })
  await superuser.query({
    text: `insert into account_histories (account_id, unread, group_name, read_at)
      select id, false, $1, now() from trading_accounts where platform = $2`,
    values: [groups[platform], platform],
  })
  await superuser.query('vacuum analyze')
}

/** Returns the number of calls for one reading of the watched accounts of a platform. */
async function callsOfOneReading(
  { server, superuser }: BenchContext,
  platform: Platform,
  port: number,
): Promise<number> {
  await superuser.query({
    text: `insert into watched_accounts (account_id, platform, watched_until)
      select id, platform, now() + interval '1 hour' from trading_accounts where platform = $1 order by id limit $2`,
    values: [platform, watchedCount],
  })
  const task = liveFigureTasks(server.dependencies).find(({ name }) => name === `live-figures-${platform}`)
  if (!task) throw new Error(`no task reads ${platform}`)
  const calls = await requestedPaths(port, () => task.run(new Date()))
  const read = await superuser.query({
    text: `select from platform_figures f join trading_accounts a on a.id = f.account_id where a.platform = $1`,
    values: [platform],
  })
  if ((read.rowCount ?? 0) < watchedCount)
    throw new Error(`${watchedCount - (read.rowCount ?? 0)} accounts were not read`)
  return calls.length
}
