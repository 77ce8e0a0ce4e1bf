/** An account's trades, read from the simulated platform, whose clock differs from the firm's. */
import { beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/trading-history.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { money } from '#rules/money.ts'
import { weekdaysBetween } from '#rules/trading-days.ts'
import { call, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { creditAccount, makeFundedAccount } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { findStalled } from '../../operator/stalled.ts'
import { readTrades } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-06-01T08:00:00Z') })
beforeAll(async () => {
  await at('2026-06-01T08:00:00Z')
})

const zoneMinutes = 180

/** Sets both clocks: the platform's is three hours ahead of UTC. */
async function at(time: string): Promise<void> {
  place.server.clock.set(new Date(time))
  await place.platform.turn('clock', { at: Date.parse(time) / 1000 + zoneMinutes * 60, zoneMinutes })
}

interface Owner {
  readonly client: MadeClient
  readonly account: Awaited<ReturnType<typeof makeFundedAccount>>
}

async function makeOwner(minor = 1_000_000n): Promise<Owner> {
  const client = await makeClient(place.server)
  return { client, account: await makeFundedAccount(place.server, client, minor) }
}

async function open({ account }: Owner, fields: object): Promise<string> {
  const { position } = (await place.platform.turn('market/open', { login: account.login, ...fields })) as {
    position: string
  }
  return position
}

const turn = (name: string, fields: object) => place.platform.turn(name, fields)

/** Reads new deals and balances, as the server's tasks do. */
async function read({ account }: Owner): Promise<void> {
  place.server.clock.turn(60)
  await readTrades(place.server.dependencies)
  const { pool } = place.server.dependencies
  const login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
  await fetchSnapshot(pool, place.server.dependencies, login, place.server.clock.now())
}

const params = ({ account }: Owner) => ({ platform: 'MT5' as const, number: account.login })
/** Signs in now, because days pass between the calls. */
const now = (of: Owner) => clientTokenFor(place.server, of.client)
const tradesOf = async (of: Owner, query = {}) =>
  (await call(place.server, contract.getTrades, { as: await now(of), params: params(of), query })).answer
const curveOf = async (of: Owner, period: contract.CurvePeriod = '3m') =>
  (await call(place.server, contract.getAccountCurve, { as: await now(of), params: params(of), query: { period } }))
    .answer

test('a position closed in parts gives a trade per part, and the last one carries the remaining opening costs', async () => {
  const of = await makeOwner()
  const position = await open(of, { lots: 1, profit: '0', commission: '-7.01', stopLoss: 1.07, takeProfit: 1.1 })
  await turn('market/move', { position, profit: '90.00', storage: '-3.00' })
  await turn('market/close', { position, lots: 0.3, commission: '-1.00', fee: '-0.20' })
  await turn('market/close', { position, commission: '-2.00', reason: 4 })
  await read(of)
  const { history, trades, total, totals, symbols } = await tradesOf(of)
  expect({ history, total, symbols }).toEqual({ history: 'kept', total: 2, symbols: ['EURUSD'] })
  expect(
    trades.map(({ side, lots, openPrice, profit, swap, commission, fee, result }) => ({
      side,
      lots,
      openPrice,
      profit,
      swap,
      commission,
      fee,
      result,
    })),
  ).toEqual([
    {
      side: 'buy',
      lots: '0.70',
      openPrice: '1.08420',
      profit: 6300n,
      swap: -210n,
      commission: -691n,
      fee: 0n,
      result: 5399n,
    },
    {
      side: 'buy',
      lots: '0.30',
      openPrice: '1.08420',
      profit: 2700n,
      swap: -90n,
      commission: -310n,
      fee: -20n,
      result: 2280n,
    },
  ])
  expect(totals).toEqual({ profit: 9000n, swap: -300n, commission: -1001n, fee: -20n, result: 7679n })
  const ticket = trades[0]?.ticket ?? ''
  const one = await call(place.server, contract.getTrade, { as: of.client, params: { ...params(of), ticket } })
  expect(one.answer.trade).toMatchObject({
    reason: 'take-profit',
    stopLoss: '1.07000',
    takeProfit: '1.10000',
    position,
  })
  const { sum, beingChecked } = await curveOf(of, 'all')
  expect(beingChecked).toBe(false)
  expect(sum?.closing).toBe(1_007_679n)
})

test('reversing a position and closing one by another are trades too', async () => {
  const of = await makeOwner()
  const reversed = await open(of, { lots: 0.5, profit: '20.00' })
  await turn('market/turn', { position: reversed, lots: 0.8, commission: '-4.00' })
  const [one, other] = [
    await open(of, { lots: 0.4, price: 1.1, profit: '8.00' }),
    await open(of, { lots: 0.4, price: 1.12, side: 'sell', profit: '-6.00' }),
  ]
  await turn('market/close-by', { position: one, by: other })
  await read(of)
  const { trades } = await tradesOf(of, { direction: 'asc' })
  expect(
    trades.map(({ position, side, lots, openPrice, closePrice, profit }) => ({
      position,
      side,
      lots,
      openPrice,
      closePrice,
      profit,
    })),
  ).toEqual([
    {
      position: reversed,
      side: 'buy',
      lots: '0.50',
      openPrice: '1.08420',
      closePrice: expect.any(String),
      profit: 2000n,
    },
    { position: one, side: 'buy', lots: '0.40', openPrice: '1.10000', closePrice: '1.12000', profit: 800n },
    { position: other, side: 'sell', lots: '0.40', openPrice: '1.12000', closePrice: '1.10000', profit: -600n },
  ])
})

test('trades are filtered, with totals of the filter, and paged by cursor', async () => {
  const of = await makeOwner()
  for (let number = 0; number < 25; number += 1) {
    const position = await open(of, {
      symbol: number % 5 === 0 ? 'GBPUSD' : 'EURUSD',
      side: number % 2 ? 'sell' : 'buy',
      profit: number % 3 ? '4.00' : '-5.00',
    })
    await turn('market/close', { position })
  }
  await read(of)
  const first = await tradesOf(of)
  expect({ count: first.trades.length, total: first.total, symbols: first.symbols }).toEqual({
    count: 20,
    total: 25,
    symbols: ['EURUSD', 'GBPUSD'],
  })
  const second = await tradesOf(of, { after: first.next ?? '' })
  expect({ count: second.trades.length, next: second.next, totals: second.totals }).toEqual({
    count: 5,
    next: null,
    totals: null,
  })
  const tickets = [...first.trades, ...second.trades].map(({ ticket }) => Number(ticket))
  expect(tickets).toEqual(tickets.toSorted((a, b) => b - a))
  const [today, tomorrow] = [0, 1].map((days) =>
    new Date(place.server.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10),
  )
  const losses = await tradesOf(of, { result: 'loss', symbol: 'EURUSD', from: today, to: today })
  expect({ total: losses.total, profit: losses.totals?.profit }).toEqual({ total: 7, profit: -3500n })
  expect((await tradesOf(of, { from: tomorrow })).total).toBe(0)
  expect((await tradesOf(of, { side: 'sell' })).total).toBe(12)
  const file = await call(place.server, contract.tradesCsv, {
    as: of.client,
    params: params(of),
    query: { result: 'loss' },
  })
  expect(file.bytes.toString().trim().split('\n')).toHaveLength(10)
  const foreign = await call(place.server, contract.getTrades, {
    as: await makeClient(place.server),
    params: params(of),
    query: {},
  })
  expect(foreign.status).toBe(404)
})

test.each(['EUR/USD', '@ES 09-26', 'US500.cash#'])('trades can be filtered by the symbol %s', async (symbol) => {
  const of = await makeOwner()
  await turn('market/close', { position: await open(of, { symbol }) })
  await turn('market/close', { position: await open(of, {}) })
  await read(of)
  const { symbols, total } = await tradesOf(of, { symbol })
  expect([symbols?.includes(symbol), total]).toEqual([true, 1])
})

test('a period can end or begin on the last possible date', async () => {
  const of = await makeOwner()
  await turn('market/close', { position: await open(of, {}) })
  await read(of)
  expect((await tradesOf(of, { from: '2026-01-01', to: '9999-12-31' })).total).toBe(1)
  expect((await tradesOf(of, { from: '9999-12-31' })).total).toBe(0)
})

test('deals of accounts that are not ours are not stored', async () => {
  const of = await makeOwner()
  const stranger = await place.server.dependencies.platforms.MT5.createAccount(
    platformAccount('STRANGER1', 'real\\standard-EUR'),
  )
  await turn('market/open', { login: stranger.login })
  await read(of)
  const kept = await row<{ count: number }>(
    place.server.dependencies.pool,
    sql`select count(*)::int as count from platform_deals d where not exists (select from trading_accounts a where a.id = d.account_id)`,
  )
  const deals = (await place.platform.read(`deals?login=${stranger.login}`)) as { ticket: string }[]
  const foreignDeals = await row<{ count: number }>(
    place.server.dependencies.pool,
    sql`select count(*)::int as count from platform_deals where deal = any (${deals.map(({ ticket }) => ticket)}::bigint[])`,
  )
  expect([kept?.count, foreignDeals?.count, deals.length]).toEqual([0, 0, 1])
})

test('open positions and pending orders are read live', async () => {
  const of = await makeOwner()
  await open(of, { symbol: 'GBPUSD', lots: 0.25, profit: '4.20', stopLoss: 1.26 })
  await turn('market/order', { login: of.account.login, kind: 'sell-stop', price: 1.05 })
  const { answer } = await call(place.server, contract.getOpenPositions, { as: of.client, params: params(of) })
  expect(answer.positions).toMatchObject([
    { symbol: 'GBPUSD', side: 'buy', lots: '0.25', profit: 420n, stopLoss: '1.26000', takeProfit: null },
  ])
  expect(answer.orders).toMatchObject([{ kind: 'sell-stop', lots: '0.10', price: '1.05000' }])
  expect(answer.totals).toEqual({ swap: 0n, profit: 420n })
  // A reading is reused while it is recent, and repeated afterwards.
  await turn('refuse', { retcode: 9, path: '/api/position', count: 1 })
  const again = await call(place.server, contract.getOpenPositions, { as: of.client, params: params(of) })
  expect(again.answer).toEqual(answer)
  place.server.clock.turn(25)
  const silent = await call(place.server, contract.getOpenPositions, { as: of.client, params: params(of) })
  expect(silent.answer).toMatchObject({ readAt: null, positions: [] })
})

test('an account counts as booked from its first deal, even after it has been emptied', async () => {
  const of = await makeOwner(50_000n)
  const page = async () =>
    (await call(place.server, contract.getTradingAccount, { as: await now(of), params: params(of) })).answer
  expect(await page()).toMatchObject({ booked: false })
  await read(of)
  expect(await page()).toMatchObject({ booked: true, account: { balance: 50_000n } })
  await turn('deals/write', { login: of.account.login, action: 2, amount: '-500.00' })
  await read(of)
  expect(await page()).toMatchObject({ booked: true, account: { balance: 0n } })
})

test('the curve marks the newest 200 deposits and withdrawals and says if there are more', async () => {
  const of = await makeOwner()
  await read(of)
  const { pool } = place.server.dependencies
  const { id, login } = of.account
  const deposit = await row<{ id: string }>(
    pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, requested_at, expires_at)
      values (${of.client.id}, ${id}, 'wire', 'Bank Transfer', 'bank', 1000000, 'EUR', ${`D${login}`}, now(), now()) returning id`,
  )
  const marked = (from: number, to: number) =>
    run(
      pool,
      sql`insert into platform_deals select d.platform, d.deal * 1000 + n, 1, d.day, d.account_id, d.platform_ms, d.at, d.action,
          d.entry, d.reason, d.symbol, d.position, d.order_ticket, d.volume, d.closed_volume, d.price, d.price_position,
          d.stop_loss, d.take_profit, d.profit_minor, d.swap_minor, d.commission_minor, d.fee_minor, d.sum_row, 'deposit',
          ${deposit?.id ?? ''}, d.gone, d.fingerprint, d.read_at
        from kept_deals d cross join generate_series(${from}::int, ${to}::int) n
        where d.account_id = ${id} and d.subject is null and d.action = 2`,
    )
  await marked(1, 200)
  expect(await curveOf(of, 'all')).toMatchObject({ marks: { length: 200 }, marksLeftOff: false })
  await marked(201, 201)
  expect(await curveOf(of, 'all')).toMatchObject({ marks: { length: 200 }, marksLeftOff: true })
})

test('the file contains every trade with all its details; more than 1,000 trades are not counted', async () => {
  const { server } = place
  const of = await makeOwner()
  const position = await open(of, { profit: '5.00', stopLoss: 1.07, takeProfit: 1.1 })
  await turn('market/close', { position, reason: 4 })
  await read(of)
  const older = 10_500
  await run(server.dependencies.pool)`
    insert into closed_trades (account_id, deal, position, order_ticket, symbol, side, volume, open_price, close_price, reason,
        profit_minor, swap_minor, commission_minor, fee_minor, closed_at, platform_ms, day)
      select ${of.account.id}, n, n, 0, 'EURUSD', 'sell', 1000000, '1.1', '1.2', 5, -n, 0, 0, 0, day,
          1767600000000 + n + (day - '2026-01-05') * 86400000::bigint, day
        from generate_series(1, ${older}::int) n cross join lateral (select '2026-01-05'::date
          + case when n <= 1000 then 0 when n <= 2001 then 1 else 2 end as day) d`
  await run(server.dependencies.pool)`
    insert into trade_sums (account_id, span, begins, symbol, side, sign, trades, profit_minor, swap_minor, commission_minor, fee_minor)
      select account_id, span, date_trunc(span, day)::date as begins, symbol, side, -1, count(*), sum(profit_minor), 0, 0, 0
        from closed_trades cross join unnest(array['day', 'month']) span
        where account_id = ${of.account.id} and day < '2026-02-01' group by account_id, span, begins, symbol, side`
  // The page shows "more than 1,000" instead of a number; the totals include all trades.
  const all = await tradesOf(of, { from: '2026-01-01', to: '2026-01-31' })
  expect({ total: all.total, profit: all.totals?.profit }).toEqual({
    total: null,
    profit: -BigInt((older * (older + 1)) / 2),
  })
  for (const [day, total] of [
    ['2026-01-05', 1000],
    ['2026-01-06', null],
  ] as const)
    expect((await tradesOf(of, { from: day, to: day })).total).toBe(total)
  const file = await call(server, contract.tradesCsv, { as: await now(of), params: params(of), query: {} })
  const [heading = '', first = '', ...others] = file.bytes.toString().trim().split('\n')
  expect(others).toHaveLength(older)
  expect(new Set(others.map((line) => line.split(',')[0])).size).toBe(older)
  const cells = new Map(
    heading
      .slice(1)
      .split(',')
      .map((name, place) => [name, first.split(',')[place]]),
  )
  expect(Object.fromEntries(cells)).toMatchObject({
    Position: position,
    'Open price': '1.08420',
    'Stop loss': '1.07000',
    'Take profit': '1.10000',
    'Closed by': 'Take profit',
    Profit: '5.00',
  })
  expect(cells.get('Opened (Europe/London)')).toMatch(/^2026\//)
  expect(cells.get('Closed (Europe/London)')).toMatch(/^2026\//)
  const german = await call(server, contract.tradesCsv, {
    as: await now(of),
    params: params(of),
    query: {},
    headers: { 'accept-language': 'de' },
  })
  expect(german.bytes.toString()).toMatch(/^[^\n]*,Eröffnet \(Europe\/London\),[^\n]*,Geschlossen \(Europe\/London\),/)
})

// Readings continue from the last deal, so the clock is never set back.
story('as the months pass', (step) => {
  step('deals that were changed, cancelled or backdated are found', async () => {
    const of = await makeOwner()
    const [one, other] = [await open(of, { profit: '50.00' }), await open(of, { profit: '30.00' })]
    await turn('market/close', { position: one })
    await turn('market/close', { position: other })
    await read(of)
    const [last, first] = (await tradesOf(of)).trades
    // This deal is recent, so the cursor finds it.
    await turn('deals/change', { ticket: last?.ticket, amount: '31.00' })
    await read(of)
    expect((await tradesOf(of)).totals?.profit).toBe(8100n)
    // A newer deal moves the cursor, and the two days that are read again, beyond it.
    await at('2026-06-09T08:00:00Z')
    await turn('deals/write', { login: of.account.login, action: 5, amount: '0.01' })
    await read(of)
    // This deal was cancelled after days: the comparison with the platform's own sum reveals it.
    await at('2026-06-10T08:00:00Z')
    await turn('deals/cancel', { ticket: first?.ticket })
    await read(of)
    await read(of)
    const left = await tradesOf(of)
    expect({ total: left.total, profit: left.totals?.profit }).toEqual({ total: 1, profit: 3100n })
    const versions = await rows<{ version: number; action: number }>(
      place.server.dependencies.pool,
      sql`select version, action from platform_deals where deal = ${first?.ticket ?? ''}::bigint order by version`,
    )
    expect(versions).toEqual([
      { version: 1, action: 1 },
      { version: 2, action: 14 },
    ])
  })

  step(
    'a month’s sum adds up until the platform contradicts it; end-of-day values are those of the daily reports',
    async () => {
      await at('2026-07-30T09:00:00Z')
      await readPlatforms(place.server.dependencies)
      const of = await makeOwner()
      await open(of, { symbol: 'XAUUSD', profit: '12.00' })
      await read(of)
      const position = await open(of, { lots: 0.2, commission: '-1.40' })
      for (let day = 3; day < 29; day += 1) {
        await at(`2026-08-${String(day).padStart(2, '0')}T22:30:00Z`)
        await turn('market/move', { position, profit: `${day - 14}.37`, storage: `-0.${String(day).padStart(2, '0')}` })
        if (day === 5) await turn('deals/write', { login: of.account.login, action: 6, amount: '200.00' })
        if (day === 7) await turn('deals/write', { login: of.account.login, action: 5, amount: '-3.33' })
        if (day === 9)
          await creditAccount(
            place.server,
            { id: of.account.id, login: of.account.login, ref: 'D000000009' },
            money(25_000n, 'EUR'),
          )
        if (day === 12) await turn('market/close', { position, lots: 0.1, commission: '-0.70' })
        await read(of)
      }
      await turn('deals/write', { login: of.account.login, action: 12, amount: '1.11' })
      await at('2026-09-01T09:00:00Z')
      await read(of)
      const { sum, beingChecked, points, to } = await curveOf(of, '1m')
      expect({ beingChecked, to }).toEqual({ beingChecked: false, to: '2026-09-01' })
      const rowsOf = new Map(sum?.rows.map(({ row: name, amount }) => [name, amount]))
      expect([rowsOf.get('credit'), rowsOf.get('commission')]).toEqual([20_000n, -70n])
      expect((sum?.opening ?? 0n) + [...rowsOf.values()].reduce((all, amount) => all + amount, 0n)).toBe(sum?.closing)
      const reports = await place.server.dependencies.platforms.MT5.history?.dayEnds(
        [of.account.login],
        Date.parse('2026-08-01'),
        Date.parse('2026-09-01'),
      )
      const equity = new Map(
        reports?.map(({ day, balance, credit: bonus, floating }) => [day, balance + bonus + floating]),
      )
      const shown = points.filter(({ day }) => equity.has(day))
      expect(shown.length).toBeGreaterThan(20)
      expect(shown.map(({ equity: amount }) => amount)).toEqual(shown.map(({ day }) => equity.get(day)))
      // A sum that contradicts the platform is omitted.
      await turn('deals/write', { login: of.account.login, action: 77, amount: '1.00' })
      await read(of)
      expect(await curveOf(of, '1m')).toMatchObject({ sum: null, beingChecked: true })
    },
  )

  step('a moving market writes deals with swap, commission and fee, and the sum adds up', async () => {
    await at('2026-10-01T09:00:00Z')
    await readPlatforms(place.server.dependencies)
    const of = await makeOwner()
    await open(of, { symbol: 'GBPUSD', lots: 0.5, notional: '20000.00' })
    await turn('market/steps', { seed: 7, tradesEvery: 0, count: 20 })
    const before = (await call(place.server, contract.getOpenPositions, { as: of.client, params: params(of) })).answer
    expect(before.totals.profit).not.toBe(0n)
    expect(before.totals.swap).toBe(0n)
    // A night adds swap; then the market trades.
    await at('2026-10-02T09:00:00Z')
    await turn('market/steps', {})
    place.server.clock.turn(25)
    const night = await call(place.server, contract.getOpenPositions, { as: await now(of), params: params(of) })
    expect(night.answer.totals.swap).toBe(-105n)
    // One trade in two steps.
    await turn('market/steps', { seed: 8, tradesEvery: 2, count: 10 })
    await read(of)
    const login = of.account.login
    const { trades } = await tradesOf(of, { direction: 'asc' })
    expect(trades[0]).toMatchObject({ symbol: 'GBPUSD', lots: '0.50', swap: -105n, commission: -175n, fee: -10n })
    expect((await curveOf(of, 'all')).beingChecked).toBe(false)
    expect(await place.platform.read<unknown[]>(`positions?login=${login}`)).toHaveLength(1)
  })

  step('without daily reports a day ends with the sums of its deals and the first reading after it', async () => {
    const group = { name: 'real\\standard-EUR', currency: 'EUR' }
    await at('2026-10-05T09:00:00Z')
    await turn('groups', { groups: [{ ...group, reports: false }] })
    const of = await makeOwner()
    await open(of, { profit: '40.00', commission: '-2.00' })
    await read(of)
    expect((await curveOf(of, 'all')).points).toEqual([{ day: '2026-10-05', balance: 999_800n, equity: 1_003_800n }])
    await at('2026-10-06T09:00:00Z')
    await turn('market/move', { login: of.account.login, profit: '55.00' })
    await read(of)
    await turn('market/move', { login: of.account.login, profit: '70.00' })
    await read(of)
    const { points, sum, beingChecked } = await curveOf(of, 'all')
    expect(points).toEqual([
      { day: '2026-10-05', balance: 999_800n, equity: 1_005_300n },
      { day: '2026-10-06', balance: 999_800n, equity: 1_006_800n },
    ])
    expect([beingChecked, sum?.closing]).toEqual([false, 1_006_800n])
    const named = async () =>
      (await findStalled(place.server.dependencies.pool, place.server.clock.now()))
        .filter(({ what }) => what.startsWith('no daily reports'))
        .map(({ what, sick }) => ({ group: what.includes(group.name), sick }))
    expect(await named()).toEqual([{ group: true, sick: false }])
    await turn('groups', { groups: [group] })
    await at('2026-10-07T09:00:00Z')
    await read(of)
    expect(await named()).toEqual([])
  })

  step('trades of an account that was moved to another group are read during the night', async () => {
    await at('2026-11-02T15:00:00Z')
    const names = ['real\\standard-EUR', 'real\\moved-EUR'] as const
    await turn('groups', { groups: names.map((name) => ({ name, currency: 'EUR' })) })
    const of = await makeOwner()
    await read(of)
    await place.server.dependencies.platforms.MT5.setGroup(of.account.login, names[1])
    await turn('market/close', { position: await open(of, { profit: '12.00' }) })
    await read(of)
    // The account's sums are not compared before the next day's afternoon.
    await at('2026-11-02T21:30:00Z')
    await read(of)
    expect((await tradesOf(of)).total).toBe(1)
  })

  step(
    'a long curve has a point for every known day; a weekday without balances is a gap, a weekend is not',
    async () => {
      await at('2026-11-10T09:00:00Z')
      const of = await makeOwner()
      await read(of)
      // Two years up to Friday, 6 November, without Wednesday, 4 November.
      await run(
        place.server.dependencies.pool,
        sql`insert into account_days (account_id, day, balance_minor, credit_minor, floating_minor, source, noted_at)
        select ${of.account.id}, day::date, 0, 0, extract(day from day)::bigint, 'reading', ${place.server.clock.now()}
          from generate_series('2024-11-06'::date, '2026-11-06'::date, '1 day') day
          where extract(isodow from day) < 6 and day <> '2026-11-04'
        on conflict do nothing`,
      )
      const gap = { balance: null, equity: null }
      const { points } = await curveOf(of, 'all')
      const weekdays = points.filter(({ day }) => new Date(day).getUTCDay() % 6 !== 0)
      expect(weekdays.map(({ day }) => day)).toEqual(
        weekdaysBetween('2024-11-05', '2026-11-11').filter((day) => day !== '2026-11-09'),
      )
      expect(points.filter(({ equity }) => equity === null)).toEqual([{ day: '2026-11-04', ...gap }])
      // The last day before the week is known; the days in between are not.
      await run(
        place.server.dependencies.pool,
        sql`delete from account_days where account_id = ${of.account.id} and day between '2026-10-29' and '2026-11-03'`,
      )
      expect((await curveOf(of, '1w')).points.slice(0, 3)).toMatchObject([
        { day: '2026-10-28' },
        { day: '2026-11-03', ...gap },
        { day: '2026-11-04', ...gap },
      ])
    },
  )
})
