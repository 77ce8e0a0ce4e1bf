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
import { compareAll } from '#server/features/reconciliation/compare.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { startSimulator } from '#server/integrations/start-simulator.ts'
import { readPlatforms } from '#server/jobs/platform-days.ts'
import { openBenchContext, type BenchContext } from './context.ts'
import { makeClients } from './users.ts'
import { atMost, type Result } from './results.ts'

/** Requirements 24.19 and 25.14. */
const callsASecondMax = 2
const watchedCallsASecondMax = 1
const watched = 1_000
/** As in `liveFigureTasks`. */
const watchedEverySeconds = 12
const hourSeconds = 3_600
const minutes = 60
const firstLogin = 5_200_000
const group = 'real\\standard-EUR'

/**
 * Counts the calls of an hour with the nightly tasks and the daily comparison, and of one reading of the watched
 * accounts.
 */
export async function benchPlatform(accounts: number): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-mt5-'))
  writeFileSync(join(folder, 'state.jsonl'), simulatorAccounts(accounts))
  const simulator = await startSimulator('mt5', {}, folder)
  const context = await openBenchContext({
    MT5_URL: `http://127.0.0.1:${simulator.port}`,
    MT5_LOGIN: '1000',
    MT5_PASSWORD: 'Simulator-1',
  })
  try {
    // Calls are counted, not timed, so commits need not wait for the disk.
    await context.superuser.query('alter system set synchronous_commit = off')
    await context.superuser.query('select pg_reload_conf()')
    await makeAccounts(context.superuser, accounts)
    const calls = await callsOf(simulator.port, () => busiestHour(context))
    const sums = calls.filter((path) => path.startsWith('/api/user/check_balance')).length
    await watchAccounts(context.superuser)
    const [readWatched] = liveFigureTasks(context.server.dependencies)
    const turn = await callsOf(simulator.port, async () => readWatched?.run(new Date()))
    const of = `of ${accounts.toLocaleString('en-GB')} accounts`
    return [
      atMost(`calls in the busiest hour ${of}`, (calls.length - sums) / hourSeconds, callsASecondMax, 'a second'),
      atMost('  comparison of sums by night', sums / hourSeconds, callsASecondMax, 'a second'),
      atMost(
        `calls for ${watched.toLocaleString('en-GB')} accounts that are watched`,
        turn.length / watchedEverySeconds,
        watchedCallsASecondMax,
        'a second',
      ),
    ]
  } finally {
    await context.stop()
    await simulator.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the hour after the platform's midnight: day ends are stored, sums compared, and all accounts reconciled. */
async function busiestHour({ server, superuser }: BenchContext): Promise<void> {
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
async function callsOf(port: number, work: () => Promise<unknown>): Promise<string[]> {
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
function simulatorAccounts(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const login = String(firstLogin + index)
    const account = {
      login,
      group,
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
async function makeAccounts(superuser: pg.Client, count: number): Promise<void> {
  await makeClients(superuser, 1)
  await superuser.query({
    text: `insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login,
        requested_at, group_name)
      select c.id, 'live', 'MT5', 'Standard', 'EUR', 30, 'approved', ($1::int + n)::text, now(), $3
        from clients c, generate_series(0, $2::int - 1) n where c.email = 'bench-1@example.com'`,
    values: [firstLogin, count, group],
  })
  await superuser.query({
    text: `insert into account_histories (account_id, unread, group_name, read_at)
      select id, false, $1, now() from trading_accounts`,
    values: [group],
  })
  await superuser.query('vacuum analyze')
}

async function watchAccounts(superuser: pg.Client): Promise<void> {
  await superuser.query({
    text: `insert into watched_accounts (account_id, platform, watched_until)
      select id, 'MT5', now() + interval '1 hour' from trading_accounts order by id limit $1`,
    values: [watched],
  })
}
