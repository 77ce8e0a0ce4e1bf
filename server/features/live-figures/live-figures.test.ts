/** Balances pushed to open pages, and the number of platform calls this needs (requirements 24.12). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { getLiveAccounts } from '#contract/accounts.ts'
import { liveAccountsPath, liveFiguresEvent, type LiveFigures, type LiveTrades } from '#contract/live-figures.ts'
import { getOfficePositions } from '#contract/office/trading-accounts.ts'
import { getOpenPositions, getTradingAccount } from '#contract/trading-history.ts'
import { getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { logout } from '#contract/users-session.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { row, run, rows, sql, transaction } from '#server/db/sql.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { offsetBetween } from '#server/integrations/trading-platform/server-clock.ts'
import { endRecovery } from '../../../tests/end-recovery.ts'
import { openEventStream, type EventStream } from '../../../tests/event-stream.ts'
import {
  call,
  makeAccount,
  makeClient,
  makeStaff,
  startTestServer,
  type MadeClient,
  type TestServer,
} from '../../../tests/factories.ts'
import {
  makeApprovedBank,
  makeBalancesDisagree,
  makeFundedAccount,
  startServerWithPlatform,
  withdrawalBody,
  type ServerWithPlatform,
} from '../../../tests/funded-account.ts'
import { platformAccount } from '../../../tests/platform-account.ts'
import { until as untilSo } from '../../../tests/until.ts'
import { liveFigureTasks } from './jobs.ts'
import { oldMs, readEveryMs } from './times.ts'

let started: ServerWithPlatform
let server: TestServer
let others: TestServer[]
beforeAll(async () => {
  started = await startServerWithPlatform()
  server = started.server
  others = [await startTestServer({ beside: server }), await startTestServer({ beside: server })]
})
afterAll(async () => {
  for (const other of others) await other.stop()
  await started.stop()
})

const open = (at: TestServer, client: { token: string }, ...ids: string[]): Promise<EventStream> =>
  openEventStream(new URL(`${liveAccountsPath}?ids=${ids.join(',')}`, at.url), client.token)

async function nextFigures(stream: EventStream): Promise<LiveFigures[]> {
  return z.decode(liveFiguresEvent, JSON.parse(await stream.next()) as never).accounts
}

const openWithTrades = (client: { token: string }, id: string): Promise<EventStream> =>
  openEventStream(new URL(`${liveAccountsPath}?ids=${id}&trades=1`, server.url), client.token)

async function waitForTrades(stream: EventStream, are: (one: LiveTrades) => boolean): Promise<LiveTrades> {
  for (;;) {
    const { trades = [] } = z.decode(liveFiguresEvent, JSON.parse(await stream.next()) as never)
    const found = trades.find(are)
    if (found) return found
  }
}

/** Waits for the first event with the expected balances; earlier events show a previous state. */
async function waitForFigures(stream: EventStream, are: (one: LiveFigures) => boolean): Promise<LiveFigures> {
  for (;;) {
    const found = (await nextFigures(stream)).find(are)
    if (found) return found
  }
}

/** Runs one turn on every server; in production each server has its own clock. */
async function runTurn(): Promise<void> {
  server.clock.turn(12)
  for (const one of [server, ...others])
    for (const task of liveFigureTasks(one.dependencies)) await task.run(server.clock.now())
}

/** Waits until the servers have renewed their watches, which they do on real timers. */
async function waitForRenewedWatches(accounts: number): Promise<void> {
  const until = new Date(server.clock.now().getTime() + 20_000)
  const watched = sql`select count(*)::int as n from watched_accounts where watched_until >= ${until}`
  await untilSo(async () => (await row<{ n: number }>(server.dependencies.pool, watched))?.n === accounts)
}

async function client(): Promise<MadeClient> {
  return makeClient(server)
}

describe('the stream of live balances', () => {
  test('sends the balances immediately and pushes changes to every page on every server', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 100_000n)
    const pages = [await open(server, owner, account.id), await open(others[0] ?? server, owner, account.id)]
    for (const page of pages)
      expect(await nextFigures(page)).toEqual([
        expect.objectContaining({ _id: account.id, balance: 100_000n, equity: 100_000n, openPositions: 0 }),
      ])
    await started.platform.turn('market/open', { login: account.login, lots: 0.1, profit: '25.00' })
    await runTurn()
    for (const page of pages) {
      const moved = await waitForFigures(page, ({ equity }) => equity !== 100_000n)
      expect(moved).toMatchObject({ balance: 100_000n, equity: 102_500n, openPositions: 1, figuresOld: false })
      expect(moved.figuresAt).toEqual(server.clock.now())
      page.close()
    }
  })

  test('sends open positions and orders of the same reading if requested, and they are deleted once no page is open', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 100_000n)
    await started.platform.turn('market/open', { login: account.login, symbol: 'XAUUSD', lots: 0.1, profit: '25.00' })
    await started.platform.turn('market/order', { login: account.login, kind: 'sell-stop', price: 1.05 })
    const [page, without] = [await openWithTrades(owner, account.id), await open(server, owner, account.id)]
    await runTurn()
    const shown = await waitForTrades(page, ({ readAt }) => isNow(readAt))
    expect(shown).toMatchObject({
      _id: account.id,
      positions: [{ symbol: 'XAUUSD', profit: 2_500n }],
      orders: [{ kind: 'sell-stop', price: '1.05000' }],
      totals: { swap: 0n, profit: 2_500n },
    })
    await started.platform.turn('market/move', { login: account.login, profit: '-3.10', storage: '-0.40' })
    await runTurn()
    expect((await waitForTrades(page, ({ readAt }) => isNow(readAt))).totals).toEqual({ swap: -40n, profit: -310n })
    for (;;) {
      const event = z.decode(liveFiguresEvent, JSON.parse(await without.next()) as never)
      expect(event.trades).toBeUndefined()
      if (event.accounts.some(({ equity }) => equity === 99_650n)) break
    }
    page.close()
    without.close()
    for (let round = 0; round < 4; round += 1) await runTurn()
    const kept = await rows(
      server.dependencies.pool,
      sql`select account_id from watched_accounts where account_id = ${account.id}`,
    )
    expect(kept).toEqual([])
  })

  test('covers only the client’s own accounts and is closed to visitors and clients who are not approved', async () => {
    const [owner, other] = [await client(), await client()]
    const account = await makeFundedAccount(server, owner, 5_000n)
    const foreign = await makeFundedAccount(server, other, 7_000n)
    const page = await open(server, owner, foreign.id, account.id)
    expect((await nextFigures(page)).map(({ _id }) => _id)).toEqual([account.id])
    page.close()
    const watched = await rows<{ id: string }>(
      server.dependencies.pool,
      sql`select account_id as id from watched_accounts where account_id = ${foreign.id}`,
    )
    expect(watched).toEqual([])
    const waiting = await makeClient(server, { state: 'pending' })
    const statuses = await Promise.all([
      openEventStream(new URL(`${liveAccountsPath}?ids=${account.id}`, server.url), null),
      open(server, waiting, account.id),
      open(server, owner),
      open(server, owner, 'x'),
      open(server, owner, ...Array.from({ length: 101 }, () => randomUUID())),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([401, 403, 400, 400, 400])
  })

  test('ends with the session, when the client is suspended, and for an older one when a sixth is opened', async () => {
    const [owner, suspended] = [await client(), await client()]
    const account = await makeFundedAccount(server, owner, 0n)
    const own = await makeFundedAccount(server, suspended, 0n)
    const pages: EventStream[] = []
    // Two on each of three servers.
    const at = (place: number) => [server, ...others][place % 3] ?? server
    for (let page = 0; page < 6; page += 1) pages.push(await open(at(page), owner, account.id))
    // The database orders the announcements of the streams, which can overtake each other.
    const closed = await Promise.race(pages.slice(0, -1).map(async (page) => (await page.ended, page)))
    for (const page of pages) if (page !== closed) await nextFigures(page)
    const held = await open(server, suspended, own.id)
    await call(server, logout, { as: owner })
    await run(server.dependencies.pool, sql`update clients set state = 'suspended' where id = ${suspended.id}`)
    await Promise.all([...pages, held].map(({ ended }) => ended))
  })

  test('does not extend the session’s idle time and ends when the session expires', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 5_000n)
    const { pool } = server.dependencies
    const session = sql`select last_seen_at as seen, idle_seconds as idle from sessions where client_id = ${owner.id}`
    const seen = () => row<{ seen: Date; idle: number }>(pool, session)
    const before = await seen()
    const page = await open(server, owner, account.id)
    server.clock.turn(600)
    const later = await open(server, owner, account.id)
    await nextFigures(later)
    await waitForRenewedWatches(1)
    expect(await seen()).toEqual(before)
    server.clock.turn((before?.idle ?? 0) - 599)
    await Promise.all([page.ended, later.ended])
    expect(await seen()).toEqual(before)
  })

  test('marks balances as old after a pause without viewers only once a reading is overdue', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 5_000n)
    server.clock.turn(600)
    const page = await open(server, owner, account.id)
    expect(await nextFigures(page)).toMatchObject([{ balance: 5_000n, figuresOld: false, figuresHeld: null }])
    await started.platform.turn('refuse', { path: '/api/user/account/get_batch', count: 2, retcode: 10 })
    await runTurn()
    await runTurn()
    expect(await waitForFigures(page, ({ figuresOld }) => figuresOld)).toMatchObject({
      balance: 5_000n,
      figuresHeld: null,
    })
    page.close()
  })

  test.each([
    ['from this moment', 0],
    ['from before a pause without a page', 600],
  ])('opened with a reading %s marks it as old after 15 seconds', async (_, agedSeconds) => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 5_000n)
    server.clock.turn(agedSeconds)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const page = await open(server, owner, account.id)
    expect(await nextFigures(page)).toMatchObject([{ balance: 5_000n, figuresOld: false }])
    const due = timers.mock.calls.filter(([, ms]) => ms === oldMs)
    timers.mockRestore()
    expect(due).toHaveLength(1)
    server.clock.turn(oldMs / 1000)
    for (const [tell] of due) tell()
    expect(await waitForFigures(page, ({ figuresOld }) => figuresOld)).toMatchObject({ balance: 5_000n })
    page.close()
  })

  test('marks balances as old while the platform does not respond', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 5_000n)
    const page = await open(server, owner, account.id)
    await started.platform.turn('refuse', { path: '/api/user/account/get_batch', count: 2, retcode: 10 })
    await runTurn()
    await runTurn()
    expect(await waitForFigures(page, ({ figuresOld }) => figuresOld)).toMatchObject({ balance: 5_000n })
    // While an account is watched, pages cause no calls in addition to the turns.
    const before = (await started.platform.read<unknown[]>('calls')).length
    const params = { platform: 'MT5', number: account.login } as const
    for (let again = 0; again < 3; again += 1)
      expect((await call(server, getTradingAccount, { as: owner, params })).answer.account.balance).toBe(5_000n)
    expect(await started.platform.read<unknown[]>('calls')).toHaveLength(before)
    await runTurn()
    expect(await waitForFigures(page, ({ figuresOld }) => !figuresOld)).toMatchObject({ balance: 5_000n })
    page.close()
  })
})

describe('a reading for the stream', () => {
  const kept = (account: { id: string }) =>
    row<{ balance: bigint; at: Date }>(
      server.dependencies.pool,
      sql`select balance_minor as balance, read_at as at from platform_figures where account_id = ${account.id}`,
    )

  test('books the result of a closed trade, as every reading does', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 100_000n)
    const page = await open(server, owner, account.id)
    await started.platform.turn('market/open', { login: account.login, lots: 0.1, profit: '-12.50' })
    await started.platform.turn('market/close', { login: account.login })
    await runTurn()
    expect(await waitForFigures(page, ({ balance }) => balance !== 100_000n)).toMatchObject({ balance: 98_750n })
    const booked = await row<{ owed: bigint }>(
      server.dependencies.pool,
      sql`select -sum(balance_minor)::bigint as owed from ledger_accounts
            where kind = 'client' and trading_account = ${account.id}`,
    )
    expect(booked?.owed).toBe(98_750n)
    page.close()
  })

  test('is not stored while an operation of the account is pending', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 100_000n)
    const page = await open(server, owner, account.id)
    const agree = await makeBalancesDisagree(server, account, 40_000)
    await runTurn()
    expect((await kept(account))?.balance).toBe(140_000n)
    await agree()
    await runTurn()
    expect(await kept(account)).toEqual({ balance: 100_000n, at: server.clock.now() })
    page.close()
  })

  test('that is not stored names the cause and does not report the platform as unresponsive', async () => {
    // By now the watches of the previous tests' pages have expired.
    server.clock.turn(60)
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 100_000n)
    await started.platform.turn('market/open', { login: account.login, lots: 0.1, profit: '25.00' })
    const page = await openWithTrades(owner, account.id)
    const twoTurns = async () => {
      await waitForRenewedWatches(1)
      await runTurn()
      await runTurn()
    }
    const agree = await makeBalancesDisagree(server, account, 0)
    await twoTurns()
    const held = { equity: 100_000n, figuresOld: true, figuresHeld: 'booking' }
    expect(await waitForFigures(page, ({ figuresOld }) => figuresOld)).toMatchObject(held)
    await waitForRenewedWatches(1)
    await runTurn()
    // The open positions are current.
    expect((await waitForTrades(page, ({ readAt }) => isNow(readAt))).totals).toEqual({ swap: 0n, profit: 2_500n })
    const params = { platform: 'MT5', number: account.login } as const
    const { jobs, pool } = server.dependencies
    const tenMinutesOld = sql`update platform_figures set read_at = read_at - interval '10 minutes'
        where account_id = ${account.id}`
    await run(pool, tenMinutesOld)
    const shown = async () => (await call(server, getTradingAccount, { as: owner, params })).answer.account
    expect(await shown()).toMatchObject(held)
    await agree()
    await twoTurns()
    expect(await waitForFigures(page, ({ figuresOld }) => !figuresOld)).toMatchObject({ equity: 102_500n })
    const now = server.clock.now()
    await transaction(jobs, (tx) => openRecovery(tx, { sign: 'lost-event', since: now, now }))
    await twoTurns()
    expect(await waitForFigures(page, ({ figuresOld }) => figuresOld)).toMatchObject({ figuresHeld: 'checking' })
    await endRecovery(server, [])
    await started.platform.turn('refuse', { path: '/api/user/account/get_batch', count: 2, retcode: 10 })
    await twoTurns()
    expect(await waitForFigures(page, ({ figuresHeld }) => figuresHeld === null)).toMatchObject({ figuresOld: true })
    page.close()
  })

  test('includes the balances if the platform denies access to orders', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 100_000n)
    await started.platform.turn('market/open', { login: account.login, lots: 0.1, profit: '25.00' })
    const page = await openWithTrades(owner, account.id)
    // The client repeats the call in a new session; the second response counts.
    await started.platform.turn('forbid', { path: '/api/order/get_batch', count: 2 })
    await runTurn()
    expect(await waitForFigures(page, ({ equity }) => equity === 102_500n)).toMatchObject({
      openPositions: 1,
      figuresAt: server.clock.now(),
    })
    await runTurn()
    expect((await waitForTrades(page, ({ readAt }) => isNow(readAt))).positions).toHaveLength(1)
    page.close()
  })

  test('gives no number of positions while the account of one position is unreadable', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 100_000n)
    const { position } = await started.platform.turn('market/open', { login: account.login, profit: '25.00' })
    await started.platform.turn('market/open', { login: account.login, profit: '1.00' })
    const page = await open(server, owner, account.id)
    await runTurn()
    expect(await waitForFigures(page, ({ equity }) => equity === 102_600n)).toMatchObject({ openPositions: 2 })
    await started.platform.turn('positions/garble', { position, fields: { Login: 'n/a' } })
    await started.platform.turn('market/move', { position, profit: '30.00' })
    await waitForRenewedWatches(1)
    await runTurn()
    // Its balances are known nevertheless.
    const pushed = await waitForFigures(page, ({ equity }) => equity === 103_100n)
    expect(pushed).toMatchObject({ openPositions: null, freeMargin: expect.any(BigInt) as bigint })
    page.close()
    const bankId = await makeApprovedBank(server, owner)
    const body = withdrawalBody(account, bankId, '50.00')
    const { id } = (await call(server, requestWithdrawal, { as: owner, body })).answer
    const as = await makeStaff(server, ['finance'])
    const { money } = (await call(server, getOfficeWithdrawal, { as, params: { id } })).answer.withdrawal
    expect(money).toMatchObject({ openPositions: null, floating: { amount: 3_100n } })
    await started.platform.turn('reset')
  })

  test('deletes accounts that are no longer watched', async () => {
    const owner = await client()
    const account = await makeFundedAccount(server, owner, 0n)
    const page = await open(server, owner, account.id)
    page.close()
    for (let round = 0; round < 4; round += 1) await runTurn()
    expect(
      await rows(server.dependencies.pool, sql`select from watched_accounts where account_id = ${account.id}`),
    ).toEqual([])
  })
})

interface Viewer {
  readonly owner: MadeClient
  readonly id: string
  readonly login: string
}

/** The maximum number of streams of a session. */
const pagesOfOne = 5

/** Makes accounts on the platform, every second one with a position and every fifth with a pending order. */
async function makeViewers(accounts: number): Promise<Viewer[]> {
  const platform = server.dependencies.platforms.MT5
  const one = async (owner: MadeClient, place: number): Promise<Viewer> => {
    const { login } = await platform.createAccount(
      platformAccount(randomUUID().replaceAll('-', '').slice(0, 26), 'real\\standard-EUR', { email: owner.email }),
    )
    const { id } = await makeAccount(server, owner, { login, balanceMinor: 0n })
    if (place % 2 === 0) await started.platform.turn('market/open', { login, lots: 0.01, profit: '1.00' })
    if (place % 5 === 0) await started.platform.turn('market/order', { login })
    return { owner, id, login }
  }
  const made: Viewer[] = []
  while (made.length < accounts) {
    const [owner, first] = [await client(), made.length]
    made.push(...(await Promise.all(Array.from({ length: pagesOfOne }, (_, place) => one(owner, first + place)))))
  }
  return made
}

/** Reads the data of an opened page, for its client and for a clerk who views the same account. */
async function openPage({ owner, login }: { owner: MadeClient; login: string }, clerk: string): Promise<void> {
  const params = { platform: 'MT5', number: login } as const
  await call(server, getLiveAccounts, { as: owner, params: { a: 'all', b: 'all' } })
  await call(server, getTradingAccount, { as: owner, params })
  for (const [endpoint, as] of [
    [getOpenPositions, owner.token],
    [getOfficePositions, clerk],
  ] as const)
    expect((await call(server, endpoint, { as, params })).answer).toMatchObject({
      readAt: server.clock.now(),
      positions: [{ symbol: 'EURUSD' }],
      orders: [{ kind: 'buy-limit' }],
    })
}

/** Returns how many of the accounts have current figures. */
async function countCurrentFigures(viewers: readonly Viewer[]): Promise<number> {
  const found = await row<{ count: number }>(
    server.dependencies.pool,
    sql`select count(*)::int as count from platform_figures where read_at = ${server.clock.now()}
          and account_id = any (${viewers.map(({ id }) => id)}::uuid[])`,
  )
  return found?.count ?? 0
}

test('the interval between readings leaves enough of the 15 seconds for reading and sending', () => {
  expect(oldMs).toBe(15_000)
  for (const task of liveFigureTasks(server.dependencies)) {
    expect(task).toMatchObject({ everyMs: readEveryMs, fromBegin: true })
    // Ten calls of a quarter of a second each, and half a second for storing and sending.
    expect(task.everyMs + 10 * 250 + 500).toBeLessThanOrEqual(oldMs)
  }
})

test('1,000 viewers of 1,000 accounts on three servers need less than one platform call a second', async () => {
  const viewers = await makeViewers(1_000)
  const clerk = (await makeStaff(server, ['operations'])).token
  const pages = await Promise.all(
    viewers.map(({ owner, id }, place) =>
      openEventStream(
        new URL(`${liveAccountsPath}?ids=${id}&trades=1`, ([server, ...others][place % 3] ?? server).url),
        owner.token,
      ),
    ),
  )
  await Promise.all(pages.map(nextFigures))
  // The offset between the simulator's clock, which is the real one, and the test's is more than that of a time zone.
  const offsetSeconds = offsetBetween(Date.now(), server.clock.now().getTime()) / 1000
  await run(
    server.dependencies.pool,
    sql`insert into platform_days (platform, day, offset_seconds, missing_rights, read_at)
      values ('MT5', ${new Date().toISOString().slice(0, 10)}, ${offsetSeconds}, '{}', ${server.clock.now()})`,
  )
  const [first] = viewers
  if (!first) throw new Error('there is no viewer')
  for (let round = 0; round < 3; round += 1) {
    // Clients close positions on 150 accounts and then on three, so that the same turn reads their deals too.
    const [from, to] = round === 0 ? [400, 700] : [100 + round * 6, 106 + round * 6]
    for (const { login } of viewers.slice(from, to)) await started.platform.turn('market/close', { login })
    await started.platform.turn('reset', {})
    await runTurn()
    expect(await countCurrentFigures(viewers)).toBe(viewers.length)
    await Promise.all(pages.map((page) => waitForFigures(page, ({ figuresAt }) => isNow(figuresAt))))
    await openPage(first, clerk)
    await waitForRenewedWatches(viewers.length)
    const calls = (await started.platform.read<{ path: string }[]>('calls')).map(({ path }) => path)
    // Once a minute the turn also reads whether the accounts with a state are enabled.
    const withRecords = server.clock.now().getTime() % 60_000 < 12_000
    // States and users in batches of 500, positions and orders in batches of 1,000, for all; then the changed accounts.
    expect(Object.fromEntries([...Map.groupBy(calls, (path) => path)].map(([path, of]) => [path, of.length]))).toEqual({
      '/api/user/account/get_batch': 2 + 1,
      '/api/user/get_batch': (withRecords ? 2 : 1) + 1,
      '/api/position/get_batch': 1 + 1,
      '/api/order/get_batch': 1,
      '/api/time/server': 1,
      '/api/deal/get_batch': 1,
    })
    expect(calls.length).toBeLessThanOrEqual(12)
  }
  for (const page of pages) page.close()
})

const isNow = (at: Date | null) => at?.getTime() === server.clock.now().getTime()
