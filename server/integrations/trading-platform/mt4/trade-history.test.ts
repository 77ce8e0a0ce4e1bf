/** Trades of a simulated MetaTrader 4 behind the gateway, over the network (docs/mt4-gateway.md). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dayMs } from '#rules/dates.ts'
import { money } from '#rules/money.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import type { PlatformDeal } from '../trade-history.ts'
import type { TradingServer } from '../trading-server.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { mt4 } from './mt4.ts'

let simulator: RunningSimulator
let adapter: TradingServer
let number = 0
let turnedMs = 0
const group = 'real-std-EUR'

beforeAll(async () => {
  simulator = await startSimulator('mt4-gateway')
  const keys = { key: 'portal', secret: 'simulator-gateway-secret' }
  adapter = mt4({ url: `http://127.0.0.1:${simulator.port}`, ...keys, now: () => new Date(Date.now() + turnedMs) })
})
afterEach(async () => {
  await daysOn(0)
  await simulator.turn('reset')
  // The adapter remembers a gateway without trades.
  expect(await history().isAvailable()).toBe(true)
})
afterAll(async () => {
  await adapter.close()
  await simulator.stop()
})

const history = () => {
  if (adapter.history === null) throw new Error('MetaTrader 4 has a history')
  return adapter.history
}
const turn = (name: string, fields: object) => simulator.turn(name, fields) as Promise<{ position: string }>
/** Advances the platform's clock and ours. */
async function daysOn(days: number): Promise<void> {
  turnedMs = days * dayMs
  await turn('clock', { offsetSeconds: turnedMs / 1000 })
}

async function account(minor = 100_000n): Promise<string> {
  number += 1
  const { login } = await adapter.createAccount(platformAccount(`TRADES-${number}`, group))
  if (minor > 0n)
    await adapter.applyBalance({
      ref: `FUNDS-${number}`,
      login,
      amount: money(minor, 'EUR'),
      checkMargin: false,
    })
  return login
}

const deals = (login: string, fromMs = 0, toMs = Date.now() + 400 * dayMs) => history().deals([login], fromMs, toMs)

async function dealsOfGroups(groups: readonly string[], fromMs: number, toMs: number): Promise<PlatformDeal[]> {
  const found: PlatformDeal[] = []
  for await (const part of history().dealsOfGroups(groups, fromMs, toMs)) found.push(...part.deals)
  return found
}

/** Returns the sum of some deals' amounts. */
const sumOf = (list: readonly PlatformDeal[], credit = false) =>
  list
    .filter(({ action }) => (action === 3) === credit)
    .reduce((sum, { profit, swap, commission, fee }) => sum + profit + swap + commission + fee, 0n)
const shown = ({ ticket, position, entry, action, volume, time }: PlatformDeal) => ({
  ticket,
  position,
  entry,
  action,
  lots: Number(volume) / 1e8,
  time,
})

describe('an order', () => {
  test('becomes an opening deal and a closing deal, with all costs in the closing deal', async () => {
    const login = await account()
    const { position: ticket } = await turn('market/open', {
      login,
      symbol: 'USDJPY',
      side: 'sell',
      lots: 0.2,
      price: 151.2,
      notional: '2000.00',
      profit: '12.34',
      commission: '-1.40',
      stopLoss: 152,
      takeProfit: 149.5,
    })
    // No costs are charged for an open order, so only its opening is a deal.
    expect((await deals(login)).slice(1).map(shown)).toMatchObject([{ ticket: `-${ticket}`, entry: 0, lots: 0.2 }])
    expect((await adapter.getAccount(login)).balance.minor).toBe(100_000n)
    await turn('market/close', { login, storage: '-0.55', commission: '-0.70', fee: '-0.21', reason: 4 })
    const [funds, opened, closed] = await deals(login)
    expect(funds).toMatchObject({ action: 2, profit: 100_000n, comment: `FUNDS-${number}`, position: '0' })
    expect(opened).toMatchObject({ ticket: `-${ticket}`, position: ticket, action: 1, entry: 0, price: '151.200' })
    expect(closed).toMatchObject({
      ticket,
      position: ticket,
      order: ticket,
      symbol: 'USDJPY',
      action: 0,
      entry: 1,
      reason: 4,
      volume: 20_000_000n,
      closedVolume: 20_000_000n,
      pricePosition: '151.200',
      stopLoss: '152.000',
      takeProfit: '149.500',
      profit: 1_234n,
      swap: -55n,
      commission: -210n,
      fee: -21n,
    })
    expect([opened?.profit, opened?.commission]).toEqual([0n, 0n])
    expect(await history().sums(login)).toEqual({ balance: 100_948n, credit: 0n })
    expect(sumOf(await deals(login))).toBe(100_948n)
  })

  test('closed in parts is one position, whichever of its parts a reading covers', async () => {
    const login = await account()
    const { position: first } = await turn('market/open', { login, lots: 1, profit: '9.99', commission: '-3.50' })
    const closePart = async (day: number, fields: object) => {
      await daysOn(day)
      const before = Date.now() + day * dayMs - 60_000
      await turn('market/close', { login, ...fields })
      return (await deals(login, before)).map(shown)
    }
    const one = await closePart(1, { lots: 0.3 })
    const [, , second = ''] = one.map(({ ticket }) => ticket.replace('-', ''))
    expect(one).toMatchObject([
      { ticket: `-${first}`, position: first, entry: 0, lots: 0.3 },
      { ticket: first, position: first, entry: 1, lots: 0.3 },
      { ticket: `-${second}`, position: first, entry: 0, lots: 0.7 },
    ])
    // The comment that referred to the first order is overwritten by the one that refers to the third.
    const two = await closePart(2, { lots: 0.4 })
    const third = two.at(-1)?.ticket.replace('-', '')
    expect(two).toMatchObject([
      { ticket: `-${second}`, position: first, lots: 0.4 },
      { ticket: second, position: first, entry: 1, lots: 0.4 },
      { ticket: `-${third}`, position: first, lots: 0.3 },
    ])
    expect((await history().openTrades([login])).get(login)?.positions).toMatchObject([{ ticket: first, lots: '0.30' }])
    // A stop-out overwrites the comment.
    const three = await closePart(3, { reason: 5 })
    expect(three).toMatchObject([
      { ticket: `-${third}`, position: first },
      { ticket: third, position: first, entry: 1 },
    ])
    const all = await deals(login)
    expect(new Set(all.slice(1).map(({ position }) => position))).toEqual(new Set([first]))
    expect(sumOf(all)).toBe((await history().sums(login)).balance)
    expect((await deals(login)).at(-1)).toMatchObject({ ticket: third, reason: 5 })
  })

  test('that was changed is read by the time of its change, whatever its age', async () => {
    const login = await account()
    const { position } = await turn('market/open', { login, profit: '5.00' })
    await turn('market/close', { login })
    const closing = (await simulator.read<{ ticket: string; entry?: number }[]>(`deals?login=${login}`)).at(-1)
    await daysOn(90)
    const from = Date.now() + 89 * dayMs
    expect(await deals(login, from)).toEqual([])
    await turn('deals/change', { ticket: closing?.ticket, amount: '7.77' })
    expect(await deals(login, from)).toMatchObject([{ ticket: `-${position}` }, { ticket: position, profit: 777n }])
    expect(sumOf(await deals(login))).toBe((await history().sums(login)).balance)
  })
})

test('a deleted order leaves cancelled deals, which move no money', async () => {
  const login = await account()
  const { position: open } = await turn('market/open', { login, profit: '3.00' })
  const { position: closed } = await turn('market/open', { login, profit: '-8.00', commission: '-1.00' })
  await turn('market/close', { position: closed })
  await daysOn(40)
  for (const ticket of [open, closed]) await turn('orders/delete', { ticket })
  const deleted = await deals(login, Date.now() + 39 * dayMs)
  expect(deleted).toMatchObject([
    { ticket: `-${open}`, action: 13 },
    { ticket: `-${closed}`, action: 13 },
    { ticket: closed, action: 14, profit: 0n, commission: 0n },
  ])
  expect((await history().openTrades([login])).get(login)?.positions).toEqual([])
  expect(await history().sums(login)).toEqual({ balance: 100_000n, credit: 0n })
  expect(sumOf(await deals(login))).toBe(100_000n)
})

test('credit is summed separately from the balance', async () => {
  const login = await account()
  await turn('deals/write', { login, action: 3, amount: '250.00', comment: 'bonus' })
  const all = await deals(login)
  expect(all.at(-1)).toMatchObject({ action: 3, profit: 25_000n })
  expect(await history().sums(login)).toEqual({ balance: sumOf(all), credit: sumOf(all, true) })
})

test('years of trades are read page by page, by group or by login, and add up to the cent', async () => {
  const login = await account(0n)
  const begun = Date.now() - 1_400 * dayMs
  await turn('deals/write', { login, action: 2, amount: '5000.00', time: Math.floor(begun / 1000) })
  await turn('deals/past', { login, from: 0, to: Math.floor(Date.now() / 1000), seed: 3 })
  const all = await deals(login)
  // More than fit on a page of the gateway.
  expect(all.filter(({ entry, action }) => action < 2 && entry === 1).length).toBeGreaterThan(1_000)
  expect(new Set(all.map(({ ticket }) => ticket)).size).toBe(all.length)
  expect([sumOf(all), (await history().sums(login)).balance]).toEqual([500_000n, 500_000n])
  const ofGroup = await dealsOfGroups(['none', group], begun - dayMs, Date.now() + dayMs)
  expect(ofGroup.filter((deal) => deal.login === login)).toEqual(all)
  expect(await dealsOfGroups(['none'], 0, Date.now() + dayMs)).toEqual([])
})

test('open trades of many accounts are read in one call, together with their balances', async () => {
  const [one, other, third] = [await account(), await account(), await account()]
  await turn('market/open', { login: one, symbol: 'XAUUSD', side: 'sell', lots: 0.1, profit: '25.00' })
  await turn('market/move', { login: one, profit: '-3.10', storage: '-0.40' })
  await turn('market/order', { login: other, kind: 'buy-stop', price: 1.2 })
  const open = await history().openTrades([one, other])
  expect([...open.values()]).toMatchObject([
    {
      positions: [
        { login: one, symbol: 'XAUUSD', side: 'sell', lots: '0.10', openPrice: '2391.50', swap: -40n, profit: -310n },
      ],
      orders: [],
    },
    { positions: [], orders: [{ login: other, kind: 'buy-stop', price: '1.20000', lots: '0.10', stopLoss: null }] },
  ])
  const figures = await adapter.readFigures(
    [one, other, third].map((login) => ({ login, currency: 'EUR' as const })),
    false,
  )
  expect(figures.get(one)).toMatchObject({ openPositions: 1, trades: { positions: [{ profit: -310n }], orders: [] } })
  expect(figures.get(other)?.trades).toMatchObject({ positions: [], orders: [{ login: other }] })
  expect(figures.get(third)?.trades).toEqual({ positions: [], orders: [] })
  expect(await history().currentFigures([one, third])).toEqual(
    new Map([
      // 0.1 lots of 100,000 at 2,391.50, with a leverage of 30.
      [one, { floating: -350n, margin: 79_716_667n }],
      [third, { floating: 0n, margin: 0n }],
    ]),
  )
  expect(await history().groupsOf([one, '99'])).toEqual(new Map([[one, group]]))
})

test('a gateway of the first edition provides everything except trades', async () => {
  const login = await account()
  await turn('market/open', { login, profit: '1.00' })
  expect(await history().isAvailable()).toBe(true)
  await turn('edition', { tradeHistory: false })
  expect(await history().isAvailable()).toBe(false)
  const figures = await adapter.readFigures([{ login, currency: 'EUR' }], false)
  expect(figures.get(login)).toMatchObject({ openPositions: 1, trades: null, equity: money(100_100n, 'EUR') })
  expect(await adapter.openPositions(login)).toBe(1)
  await expect(deals(login)).rejects.toMatchObject({ reason: 'not-found' })
})

test('a gateway without trades is asked for open ones again after an hour, or once it reports that it provides them', async () => {
  const login = await account()
  await turn('market/open', { login, profit: '1.00' })
  const trades = async () => (await adapter.readFigures([{ login, currency: 'EUR' }], false)).get(login)?.trades
  // A refusal that waits for the next call shows whether there was one.
  const isAsked = async () => {
    await turn('refuse', { code: 'not_found', path: '/v2/open-trades' })
    expect(await trades()).toBeNull()
    const { faults } = await simulator.read<{ faults: unknown[] }>('switches')
    await turn('reset', {})
    return faults.length === 0
  }
  expect(await isAsked()).toBe(true)
  expect(await isAsked()).toBe(false)
  turnedMs = 61 * 60_000
  expect(await isAsked()).toBe(true)
  expect(await isAsked()).toBe(false)
  expect(await history().isAvailable()).toBe(true)
  expect(await trades()).toMatchObject({ positions: [{ profit: 100n }] })
  await turn('edition', { tradeHistory: false })
  expect(await history().isAvailable()).toBe(false)
  expect(await isAsked()).toBe(false)
})

test.each([
  ['a manager without the right to trades', 'rights', { missing: ['deals'] }],
  ['trades that do not follow the contract', 'garble', { kind: 'number', path: '/v2/open-trades' }],
])('balances are still read from a gateway with %s', async (_title, name, fields) => {
  const login = await account()
  await turn('market/open', { login, profit: '1.00' })
  await turn(name, fields)
  const figures = await adapter.readFigures([{ login, currency: 'EUR' }], false)
  expect(figures.get(login)).toMatchObject({ openPositions: 1, trades: null, equity: money(100_100n, 'EUR') })
})

describe('an unreadable record affects only its own account:', () => {
  const accounts = (logins: readonly string[]) => logins.map((login) => ({ login, currency: 'EUR' as const }))

  test.each([
    ['position', 'market/open', 'profit', 'n/a'],
    ['position', 'market/open', 'openedAt', null],
    ['order', 'market/order', 'lots', '-'],
    ['order', 'market/order', 'kind', 'other'],
  ])('an open %s (%s) with the unreadable field %s', async (kind, opening, field, value) => {
    const [of, other] = [await account(), await account()]
    const { position, order } = (await turn(opening, { login: of, price: 1.2 })) as { position: string; order?: string }
    await turn('market/open', { login: other, profit: '2.00' })
    await turn('records/garble', { ticket: kind === 'order' ? order : position, fields: { [field]: value } })
    expect([...(await history().openTrades([of, other])).keys()]).toEqual([other])
    const figures = await adapter.readFigures(accounts([of, other]), false)
    expect(figures.get(of)).toMatchObject({ balance: money(100_000n, 'EUR'), trades: null })
    expect(figures.get(other)?.trades).toMatchObject({ positions: [{ profit: 200n }] })
  })

  test.each([
    ['position', 'market/open'],
    ['order', 'market/order'],
  ])(
    'an open %s of an account that was not requested invalidates the response, because one may be missing',
    async (kind, opening) => {
      const login = await account()
      const opened = (await turn(opening, { login, price: 1.2 })) as Readonly<Record<string, string>>
      await turn('records/garble', { ticket: opened[kind], fields: { login: 'n/a' } })
      await expect(history().openTrades([login])).rejects.toThrow('an open trade of "n/a"')
      expect((await adapter.readFigures(accounts([login]), false)).get(login)?.trades).toBeNull()
    },
  )

  test('two records with the same login are not used for either account', async () => {
    const [of, other] = [await account(), await account()]
    await turn('records/garble', { login: of, fields: { login: other, balance: '1.00' } })
    expect([...(await adapter.readFigures(accounts([of, other]), false)).keys()]).toEqual([])
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]
    const readings = await adapter.readAccounts([of, other], { from, to })
    expect((await readings.getAccount(other)).balance.minor).toBe(100_000n)
    await expect(readings.getAccount(of)).rejects.toThrow('another account')
  })

  test('an account in another currency has no balances', async () => {
    const [of, other] = [await account(), await account()]
    await turn('records/garble', { login: of, fields: { currency: 'USD' } })
    expect([...(await adapter.readFigures(accounts([of, other]), false)).keys()]).toEqual([other])
  })

  test('a balance operation of an account that was not requested may belong to any of them', async () => {
    const [of, other] = [await account(), await account()]
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]
    const operation = await adapter.findBalanceOperation(of, `FUNDS-${number - 1}`, new Date())
    await turn('records/garble', { ticket: operation?.ticket, fields: { login: '77' } })
    const readings = await adapter.readAccounts([of, other], { from, to })
    // An empty list would mean that our operation is not on the platform.
    await expect(readings.balanceOperations(of, from, to)).rejects.toThrow('another account')
    expect(await readings.balanceOperations(other, from, to)).toHaveLength(1)
  })

  test('the record of an account', async () => {
    const [of, other] = [await account(), await account()]
    await turn('records/garble', { login: of, fields: { equity: 'n/a' } })
    expect([...(await adapter.readFigures(accounts([of, other]), false)).keys()]).toEqual([other])
    expect([...(await history().currentFigures([of, other])).keys()]).toEqual([other])
    // Reading the groups does not depend on the unreadable field.
    expect(await history().groupsOf([of, other])).toEqual(
      new Map([
        [of, group],
        [other, group],
      ]),
    )
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]
    const readings = await adapter.readAccounts([of, other], { from, to })
    expect((await readings.getAccount(other)).balance.minor).toBe(100_000n)
    await expect(readings.getAccount(of)).rejects.toThrow('does not follow the contract')
  })

  test.each([
    ['amount', '1e400'],
    ['amount', null],
    ['at', 'n/a'],
    ['currency', 'XYZ'],
    ['ticket', 'n/a'],
    ['login', 'n/a'],
    ['comment', null],
    ['comment', 5],
  ])('a balance operation with the %s “%s”', async (field, value) => {
    const [of, other] = [await account(), await account()]
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]
    const ref = `FUNDS-${number - 1}`
    const operation = await adapter.findBalanceOperation(of, ref, new Date())
    await turn('records/garble', { ticket: operation?.ticket, fields: { [field]: value } })
    // It is found by its reference, whichever field cannot be read.
    const { operations } = await adapter.balanceOperationsSince({ from, to, after: null })
    const isNamed = field !== 'comment'
    const readsAmount = field === 'at' || field === 'login' || !isNamed
    expect(operations.find(({ comment, login }) => (isNamed ? comment === ref : login === of))).toMatchObject({
      amount: readsAmount ? { minor: 100_000n } : null,
      login: field === 'login' ? '' : of,
    })
    expect(operations.find(({ login }) => login === other)).toMatchObject({ amount: { minor: 100_000n } })
    const readings = await adapter.readAccounts([of, other], { from, to })
    expect(await readings.balanceOperations(other, from, to)).toMatchObject([{ amount: { minor: 100_000n } }])
    expect(await readings.balanceOperations(of, from, to)).toMatchObject([{ comment: isNamed ? ref : null }])
    // Without a readable time it may have happened at any time, for example since the last reading.
    const since = await readings.balanceOperations(of, new Date(Date.now() + 60_000), to)
    expect(since).toHaveLength(field === 'at' ? 1 : 0)
    // The currency of its operations is that of the account.
    const isKnown = isNamed && (readsAmount || field === 'currency')
    const found = adapter.findBalanceOperation(of, ref, new Date())
    if (isKnown) expect((await found)?.amount.minor).toBe(100_000n)
    else await expect(found).rejects.toThrow('cannot be read')
    // Without a readable comment it may be any operation.
    const another = adapter.findBalanceOperation(of, 'ANOTHER1', new Date())
    if (isNamed) expect(await another).toBeNull()
    else await expect(another).rejects.toThrow('cannot be read')
  })
})
