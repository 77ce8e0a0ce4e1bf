import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hourMs } from '#rules/dates.ts'
import type { Money } from '#rules/money.ts'
import { deferredObject } from '#tests/for-file.ts'
import { testTradingPlatform } from '#tests/trading-platform-contract.ts'
import { moneyOf, dealsOf, waitForDelayedCall, newOperationRef } from '#tests/trading-platform.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import {
  Rejected,
  Unavailable,
  Unknown,
  type AccountSearch,
  type BalanceOperationPage,
  type TradingServer,
} from '../trading-server.ts'
import { challengeAnswer, passwordHash } from './handshake.ts'
import { mt5, type Mt5Options } from './mt5.ts'

const credentials = { login: '1000', password: 'Simulator-1' }
const strong = 'Ab1=|\\xy#'

let simulator: RunningSimulator
let platform: TradingServer

beforeAll(async () => {
  simulator = await startSimulator('mt5')
  platform = connected()
})
afterEach(() => simulator.turn('reset'))
afterAll(async () => {
  await platform.close()
  await simulator.stop()
})

function connected(options: Partial<Mt5Options> = {}): TradingServer {
  return mt5({ url: `http://127.0.0.1:${simulator.port}`, ...credentials, ...options })
}

const byRef = (one: { ref: string }, other: { ref: string }) => one.ref.localeCompare(other.ref)

/** Returns all pages of the platform's operations of all accounts. */
async function listedSince(from: Date, to: Date) {
  const listed: BalanceOperationPage['operations'] = []
  let after: string | null = null
  do {
    const page: BalanceOperationPage = await platform.balanceOperationsSince({ from, to, after })
    listed.push(...page.operations)
    after = page.next
  } while (after !== null)
  return listed
}

async function account(funds = 0, group = 'real\\standard-EUR'): Promise<string> {
  const { login } = await platform.createAccount({
    ref: newOperationRef(),
    group,
    name: 'Zoë = O|Neil \\ Sons',
    email: 'zoe@example.com',
    country: 'Germany',
    leverage: 30,
    main: strong,
    investor: 'Inv3stor#',
  })
  if (funds !== 0)
    await platform.applyBalance({ ref: newOperationRef(), login, amount: moneyOf(funds), checkMargin: false })
  return login
}

/** Returns the search for an account whose opening was just requested. */
function accountSearch(...groups: string[]): AccountSearch {
  return { groups, sentAt: new Date(), known: async () => new Set() }
}

testTradingPlatform({
  simulator: deferredObject(() => simulator),
  platform: deferredObject(() => platform),
  connected,
  account,
  group: 'real\\standard-EUR',
  openPath: '/api/user/add',
  refusals: [
    ...[3, 8, 13, 4005, 10017, 10019].map((retcode) => [{ retcode }, Rejected] as const),
    [{ retcode: 12 }, Unavailable],
    ...[7, 9, 10, 9999].map((retcode) => [{ retcode }, Unknown] as const),
  ],
  garbage: ['half', 'html', 'text', 'unknown', 'number', 'ticket'],
  garbleOperation: (ticket, { comment, amount: moved }) =>
    simulator.turn('deals/garble', {
      ticket,
      fields: { Comment: comment, ...(moved === undefined ? {} : { Profit: moved }) },
    }),
})

describe('the sign-in', () => {
  test("computes the vendor's test vectors", () => {
    const hash = passwordHash('Password1')
    expect(hash.toString('hex')).toBe('904ba8ecb16273d2f0ae9c3b8a023752')
    expect(challengeAnswer(hash, '73007dc7184747ce0f7c98516ef1c851')).toBe('77fe51827f7fa69dd80fbec9aa33f1bb')
    expect(challengeAnswer(hash, '4db98fec17aab4dc5a240bdc659e8395')).toBe('1732021b1b332f51660b2b315eed3a35')
  })

  test('with a wrong password leaves the platform unavailable and is not repeated immediately', async () => {
    const stranger = connected({ password: 'Wrong-1' })
    await expect(stranger.health()).rejects.toThrow(Unavailable)
    await expect(stranger.health()).rejects.toThrow('a moment ago')
    await stranger.close()
  })

  test('aborts if the server does not know the password itself', async () => {
    const impostor = createServer((request, response) => {
      const started = request.url?.startsWith('/api/auth/start')
      const fields = started ? { srv_rand: '0'.repeat(32) } : { cli_rand_answer: '0'.repeat(32) }
      response.end(JSON.stringify({ retcode: '0 Done', ...fields }))
    })
    const port = await listening(impostor)
    const adapter = mt5({ url: `http://127.0.0.1:${port}`, ...credentials })
    await expect(adapter.health()).rejects.toThrow(Unavailable)
    await adapter.close()
    impostor.closeAllConnections()
    impostor.close()
  })
})

describe('accounts', () => {
  test('are opened in their group, with names that need escaping, and found again by reference', async () => {
    const ref = newOperationRef()
    const { login } = await platform.createAccount({
      ref,
      group: 'real\\pro-ecn-GBP',
      name: 'A=B|C\\D',
      email: 'a@example.com',
      country: 'France',
      leverage: 100,
      main: strong,
      investor: strong,
    })
    const search = accountSearch('real\\pro-ecn-GBP')
    expect(await platform.findAccountByRef(ref, search)).toEqual({ login })
    expect(await platform.findAccountByRef(ref, accountSearch('demo\\ecn-USD', ...search.groups))).toEqual({ login })
    expect(await platform.findAccountByRef(ref, accountSearch('demo\\ecn-USD'))).toBeNull()
    expect(await platform.findAccountByRef(newOperationRef(), search)).toBeNull()
    const [shown] = await simulator.read<{ name: string; group: string }[]>(`accounts?login=${login}`)
    expect(shown).toMatchObject({ name: 'A=B|C\\D', group: 'real\\pro-ecn-GBP' })
  })

  test('with weak passwords, unknown groups or control characters are rejected', async () => {
    const request = {
      ref: newOperationRef(),
      group: 'real\\ecn-EUR',
      name: 'A',
      email: 'a@b.c',
      country: 'France',
      leverage: 30,
    }
    const refused = (change: object) =>
      platform.createAccount({ ...request, main: strong, investor: strong, ...change })
    await expect(refused({ main: 'weak' })).rejects.toMatchObject({ reason: 'weak-password', code: 'mt5:3006' })
    await expect(refused({ group: 'real\\none-EUR' })).rejects.toMatchObject({
      reason: 'no-permission',
      code: 'mt5:8',
      message: 'The platform has no group real\\none-EUR, or our login there may not open accounts in it',
    })
    await expect(refused({ name: 'A\nB' })).rejects.toThrow(Rejected)
  })

  test('show only the balance until they trade, and equity and margin afterwards', async () => {
    const login = await account(1000)
    simulator = await restartSimulator()
    const quiet = await platform.getAccount(login)
    expect(quiet).toMatchObject({ balance: moneyOf(1000), leverage: 30, group: 'real\\standard-EUR', enabled: true })
    expect(quiet.equity).toBeUndefined()
    await simulator.turn('market/open', { login, notional: '6000', profit: '-50.25' })
    expect(await platform.getAccount(login)).toMatchObject({
      equity: moneyOf(949.75),
      margin: moneyOf(200),
      freeMargin: moneyOf(749.75),
      profit: moneyOf(-50.25),
    })
    expect(await platform.openPositions(login)).toBe(1)
  })

  test('allow changes of leverage, group, passwords and the enabled flag, each read back', async () => {
    const login = await account()
    await platform.setLeverage(login, 20)
    await platform.setGroup(login, 'real\\pro-standard-EUR')
    await platform.setEnabled(login, false)
    await platform.setPassword(login, 'main', 'N=w|P\\4sw0rd')
    expect(await platform.getAccount(login)).toMatchObject({
      leverage: 20,
      group: 'real\\pro-standard-EUR',
      enabled: false,
    })
    await expect(platform.setLeverage(login, 501)).rejects.toMatchObject({ reason: 'not-taken' })
    await expect(platform.setGroup(login, 'real\\standard-USD')).rejects.toMatchObject({ reason: 'wrong-currency' })
    await expect(platform.setPassword(login, 'main', 'short')).rejects.toMatchObject({ reason: 'weak-password' })
    await expect(platform.getAccount('99')).rejects.toMatchObject({ reason: 'not-found' })
  })
})

describe('a balance operation', () => {
  test('becomes a deal with the reference as its comment', async () => {
    const login = await account()
    const ref = newOperationRef()
    const { ticket } = await platform.applyBalance({ ref, login, amount: moneyOf(250.1), checkMargin: false })
    expect(await dealsOf(simulator, login)).toMatchObject([{ ticket, comment: ref, amount: '250.10' }])
    const found = await platform.findBalanceOperation(login, ref, new Date())
    expect(found).toEqual({ ticket, amount: moneyOf(250.1) })
  })

  test('over the balance, over the free margin, in another currency or too large is rejected', async () => {
    const login = await account(1000)
    const apply = (money: Money, checkMargin = true) =>
      platform.applyBalance({ ref: newOperationRef(), login, amount: money, checkMargin })
    await expect(apply(moneyOf(-1000.01))).rejects.toMatchObject({ reason: 'not-enough-money', code: 'mt5:10019' })
    await simulator.turn('market/open', { login, notional: '15000' })
    await expect(apply(moneyOf(-500.01))).rejects.toMatchObject({ reason: 'not-enough-money' })
    await expect(apply(moneyOf(5, 'USD'))).rejects.toMatchObject({ reason: 'wrong-currency' })
    await expect(apply(moneyOf(1_000_000_000.01))).rejects.toMatchObject({ reason: 'amount-too-large' })
    expect(await dealsOf(simulator, login)).toHaveLength(1)
    await apply(moneyOf(-500))
    await apply(moneyOf(-400), false)
  })

  test('answered with 403 has an unknown outcome and is not sent again', async () => {
    const login = await account()
    const ref = newOperationRef()
    await simulator.turn('forbid', { path: '/api/trade/balance', login })
    await expect(platform.applyBalance({ ref, login, amount: moneyOf(10), checkMargin: true })).rejects.toThrow(Unknown)
    expect(await platform.findBalanceOperation(login, ref, new Date())).toBeNull()
  })

  test('is found over many pages, and listed with our time if the platform’s clock is in another time zone', async () => {
    const login = await account()
    await simulator.turn('clock', { offsetSeconds: 7200 })
    // The platform's times are whole seconds.
    const begun = new Date(Date.now() - 1_000)
    const refs = Array.from({ length: 103 }, newOperationRef)
    for (const ref of refs) await platform.applyBalance({ ref, login, amount: moneyOf(1), checkMargin: false })
    expect(await platform.findBalanceOperation(login, refs.at(-1) ?? '', new Date())).not.toBeNull()
    const until = new Date(Date.now() + 60_000)
    const listed = await platform.balanceOperations(login, begun, until)
    expect(listed.map(({ comment }) => comment)).toEqual(refs)
    expect(listed.filter(({ at }) => at < begun || at > until)).toEqual([])
    await simulator.turn('clock', { offsetSeconds: 0 })
  })

  test('is listed exactly once, group by group, for all accounts including those not opened by us', async () => {
    const logins = [await account(), await account(0, 'real\\ecn-USD'), await account(0, 'demo\\standard-GBP')]
    const from = new Date()
    const [euro = '', dollar = '', pound = ''] = logins
    const sent = [
      { ref: newOperationRef(), login: euro, amount: moneyOf(5) },
      { ref: newOperationRef(), login: dollar, amount: moneyOf(7, 'USD') },
      { ref: newOperationRef(), login: euro, amount: moneyOf(-2) },
      { ref: newOperationRef(), login: pound, amount: moneyOf(3, 'GBP') },
    ]
    await simulator.turn('clock', { offsetSeconds: 3 * 3600 })
    for (const one of sent) await platform.applyBalance({ ...one, checkMargin: false })
    await simulator.turn('market/open', { login: euro, profit: '1.00' })
    await simulator.turn('market/close', { login: euro })
    const listed = await listedSince(new Date(from.getTime() - 20 * hourMs), new Date(from.getTime() + hourMs))
    const ownDeals = listed.filter(({ comment }) => sent.some(({ ref }) => ref === comment))
    const named = ownDeals.map(({ login, comment, amount: moved }) => ({ ref: comment ?? '', login, amount: moved }))
    expect(named.toSorted(byRef)).toEqual(sent.toSorted(byRef))
    for (const { at } of ownDeals) expect(Math.abs(at.getTime() - from.getTime())).toBeLessThan(hourMs)
    const before = await listedSince(new Date(from.getTime() - 9 * hourMs), new Date(from.getTime() - hourMs))
    expect(before.map(({ comment }) => comment)).not.toEqual(expect.arrayContaining([sent[0]?.ref]))
    await simulator.turn('clock', { offsetSeconds: 0 })
  })

  test('survives a restart of the platform', async () => {
    const login = await account(75)
    simulator = await restartSimulator()
    expect((await platform.getAccount(login)).balance).toEqual(moneyOf(75))
  })
})

describe('the session', () => {
  test('is renewed after a 403, and the request is repeated', async () => {
    const login = await account()
    await simulator.turn('forbid', { path: '/api/user/get' })
    expect((await platform.getAccount(login)).leverage).toBe(30)
  })

  test('treats a 403 directly after a sign-in as a missing permission', async () => {
    const login = await account()
    await simulator.turn('forbid', { path: '/api/user/get', count: 2 })
    await expect(platform.getAccount(login)).rejects.toMatchObject({ reason: 'no-permission', code: 'mt5:http-403' })
  })

  test('is renewed if the connection breaks during a read, and the request is repeated once', async () => {
    const login = await account()
    await simulator.turn('drop-before', { path: '/api/user/get' })
    expect((await platform.getAccount(login)).leverage).toBe(30)
    await simulator.turn('drop-before', { path: '/api/user/get', count: 2 })
    await expect(platform.getAccount(login)).rejects.toThrow(Unavailable)
  })

  test('that was closed while idle is renewed before a write, which is applied once', async () => {
    const login = await account()
    await simulator.turn('idle-close')
    const ref = newOperationRef()
    await platform.applyBalance({ ref, login, amount: moneyOf(10), checkMargin: true })
    expect(await dealsOf(simulator, login)).toHaveLength(1)
  })

  test('that hangs in a write does not delay reads for open pages', async () => {
    const login = await account()
    await simulator.turn('slow', { ms: hourMs, login })
    let isWritten = false
    const hanging = platform
      .applyBalance({ ref: newOperationRef(), login, amount: moneyOf(10), checkMargin: true })
      .finally(() => (isWritten = true))
    await waitForDelayedCall(simulator)
    await platform.getAccount(login)
    expect(isWritten).toBe(false)
    await simulator.turn('reset')
    await hanging
  })

  test('handles concurrent calls one after another', async () => {
    const login = await account()
    const operations = Array.from({ length: 20 }, () =>
      platform.applyBalance({ ref: newOperationRef(), login, amount: moneyOf(1), checkMargin: false }),
    )
    expect(new Set((await Promise.all(operations)).map(({ ticket }) => ticket)).size).toBe(20)
    expect((await platform.getAccount(login)).balance).toEqual(moneyOf(20))
  })
})

describe('the connection', () => {
  test('is never unencrypted to another machine', () => {
    expect(() => connected({ url: 'http://platform.example.com' })).toThrow('https://')
    expect(() => connected({ url: 'https://user:secret@platform.example.com' })).toThrow('password')
  })

  test('follows no redirects', async () => {
    let followed = 0
    const lying = createServer((request, response) => {
      if (request.url?.startsWith('/api')) response.writeHead(302, { location: '/elsewhere' })
      else followed += 1
      response.end()
    })
    const port = await listening(lying)
    const adapter = mt5({ url: `http://127.0.0.1:${port}`, ...credentials })
    await expect(adapter.health()).rejects.toThrow(Unavailable)
    expect(followed).toBe(0)
    await adapter.close()
    lying.closeAllConnections()
    lying.close()
  })
})

async function restartSimulator(): Promise<RunningSimulator> {
  await platform.close()
  const again = await simulator.restart()
  platform = mt5({ url: `http://127.0.0.1:${again.port}`, ...credentials })
  return again
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('No port was bound'))
      else resolve(address.port)
    })
  })
}
