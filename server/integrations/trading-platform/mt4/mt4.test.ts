import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hourMs } from '#rules/dates.ts'
import type { Money } from '#rules/money.ts'
import { deferredObject } from '#tests/for-file.ts'
import { testTradingPlatform } from '#tests/trading-platform-contract.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { moneyOf, dealsOf, newOperationRef } from '#tests/trading-platform.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { Rejected, Unavailable, Unknown, type BalanceOperationPage, type TradingServer } from '../trading-server.ts'
import { mt4, type Mt4Options } from './mt4.ts'
import { gatewaySignature } from './signature.ts'

const strong = 'Ab1=|\\xy#'

let simulator: RunningSimulator
let platform: TradingServer

beforeAll(async () => {
  simulator = await startSimulator('mt4-gateway')
  platform = connected()
})
afterEach(() => simulator.turn('reset'))
afterAll(async () => {
  await platform.close()
  await simulator.stop()
})

function connected(options: Partial<Mt4Options> = {}): TradingServer {
  const keys = { key: 'portal', secret: 'simulator-gateway-secret' }
  return mt4({ url: `http://127.0.0.1:${simulator.port}`, ...keys, ...options })
}

const group = 'real-std-EUR'

async function account(funds = 0): Promise<string> {
  const person = { group, name: 'Zoë O|Neil', email: 'zoe@example.com', country: 'Germany', leverage: 30 }
  const { login } = await platform.createAccount({ ref: newOperationRef(), ...person, main: strong, investor: strong })
  if (funds !== 0)
    await platform.applyBalance({ ref: newOperationRef(), login, amount: moneyOf(funds), checkMargin: false })
  return login
}

const nothingKnown = { groups: [group], sentAt: new Date(0), known: async () => new Set<string>() }

testTradingPlatform({
  simulator: deferredObject(() => simulator),
  platform: deferredObject(() => platform),
  connected,
  account,
  group,
  openPath: '/v2/accounts',
  refusals: [
    [{ code: 'not_found' }, Rejected],
    [{ code: 'no_money' }, Rejected],
    [{ code: 'permission' }, Rejected],
    [{ code: 'busy' }, Unavailable],
    [{ code: 'timeout' }, Unknown],
  ],
  garbage: ['half', 'html', 'unknown', 'constructor', 'number', 'ticket'],
  garbleOperation: (ticket, { comment, amount: moved }) =>
    simulator.turn('records/garble', {
      ticket,
      fields: { comment, ...(moved === undefined ? {} : { amount: moved }) },
    }),
})

describe('accounts', () => {
  test('are opened once for one reference and found by it', async () => {
    const request = { ref: newOperationRef(), group, name: 'A', email: 'a@b.c', country: 'France', leverage: 30 }
    const first = await platform.createAccount({ ...request, main: strong, investor: strong })
    expect(await platform.createAccount({ ...request, main: strong, investor: strong })).toEqual(first)
    expect(await platform.findAccountByRef(request.ref, nothingKnown)).toEqual(first)
    expect(await platform.findAccountByRef(newOperationRef(), nothingKnown)).toBeNull()
    const weak = { ...request, ref: newOperationRef(), main: 'weak', investor: strong }
    await expect(platform.createAccount(weak)).rejects.toMatchObject({ reason: 'weak-password' })
    const lost = { ...request, ref: newOperationRef(), main: strong, investor: strong, group: 'none' }
    await expect(platform.createAccount(lost)).rejects.toMatchObject({ reason: 'bad-input' })
  })

  test.each([
    ['balance', '1e400'],
    ['leverage', null],
  ])('are found by their reference although their %s is “%s”', async (field, value) => {
    const request = { ref: newOperationRef(), group, name: 'A', email: 'a@b.c', country: 'France', leverage: 30 }
    const { login } = await platform.createAccount({ ...request, main: strong, investor: strong })
    await simulator.turn('records/garble', { login, fields: { [field]: value } })
    expect(await platform.findAccountByRef(request.ref, nothingKnown)).toEqual({ login })
  })

  test.each([
    ['comment', null],
    ['login', 17],
  ])('are not treated as absent while their %s is “%s”', async (field, value) => {
    const request = { ref: newOperationRef(), group, name: 'A', email: 'a@b.c', country: 'France', leverage: 30 }
    const { login } = await platform.createAccount({ ...request, main: strong, investor: strong })
    await simulator.turn('records/garble', { login, fields: { [field]: value } })
    const text = `The ${field} of account ${field === 'login' ? '?' : login} cannot be read: it may be the one`
    await expect(platform.findAccountByRef(request.ref, nothingKnown)).rejects.toThrow(text)
  })

  test('are sent with texts cut to the platform’s lengths in bytes', async () => {
    const { login } = await platform.createAccount({
      ref: newOperationRef(),
      group,
      name: 'Ö'.repeat(100),
      email: `${'e'.repeat(60)}@example.com`,
      country: 'Saint Vincent and the Grenadines',
      leverage: 30,
      main: strong,
      investor: strong,
      person: {
        firstName: 'Hannah',
        lastName: 'Brandt',
        phone: '+4930901820',
        address: 'Torstraße 12',
        city: 'Berlin',
        state: '',
        postcode: '10119-is-far-too-long',
        language: 'de',
        status: 'retail',
      },
    })
    const [kept] = await simulator.read<object[]>(`accounts?login=${login}`)
    expect(kept).toMatchObject({
      name: 'Ö'.repeat(63),
      email: 'e'.repeat(47),
      country: 'Saint Vincent and the Grenadine',
      details: { address: 'Torstraße 12', postcode: '10119-is-far-to', status: 'retail' },
    })
  })

  test('show their balances, and allow changes of leverage, group, passwords and the enabled flag', async () => {
    const login = await account(1000)
    await simulator.turn('market/open', { login, notional: '6000', profit: '-50.25' })
    expect(await platform.getAccount(login)).toMatchObject({
      balance: moneyOf(1000),
      equity: moneyOf(949.75),
      margin: moneyOf(200),
      freeMargin: moneyOf(749.75),
      enabled: true,
    })
    expect(await platform.openPositions(login)).toBe(1)
    await platform.setLeverage(login, 20)
    await platform.setGroup(login, 'pro-ecn-EUR')
    await platform.setEnabled(login, false)
    await platform.setPassword(login, 'investor', strong)
    expect(await platform.getAccount(login)).toMatchObject({ leverage: 20, group: 'pro-ecn-EUR', enabled: false })
    await expect(platform.setGroup(login, 'real-std-USD')).rejects.toMatchObject({ reason: 'bad-input' })
    await expect(platform.setPassword(login, 'main', 'weak')).rejects.toMatchObject({ reason: 'weak-password' })
    await expect(platform.getAccount('99')).rejects.toMatchObject({ reason: 'not-found' })
  })
})

describe('a balance operation', () => {
  test('becomes a deal with the reference as its comment, and only one deal when it is sent again', async () => {
    const login = await account()
    const operation = { ref: newOperationRef(), login, amount: moneyOf(250.1), checkMargin: false }
    const { ticket } = await platform.applyBalance(operation)
    expect(await platform.applyBalance(operation)).toEqual({ ticket })
    expect(await dealsOf(simulator, login)).toMatchObject([{ ticket, comment: operation.ref, amount: '250.10' }])
    expect(await platform.findBalanceOperation(login, operation.ref, new Date())).toEqual({
      ticket,
      amount: moneyOf(250.1),
    })
    await expect(platform.applyBalance({ ...operation, amount: moneyOf(1) })).rejects.toThrow(Unknown)
    expect(await dealsOf(simulator, login)).toHaveLength(1)
  })

  test('over the balance, over the free margin or in another currency is rejected', async () => {
    const login = await account(1000)
    await simulator.turn('market/open', { login, notional: '15000' })
    const apply = (money: Money) =>
      platform.applyBalance({ ref: newOperationRef(), login, amount: money, checkMargin: true })
    await expect(apply(moneyOf(-1000.01))).rejects.toMatchObject({ reason: 'not-enough-money', code: 'mt4:no_money' })
    await expect(apply(moneyOf(-500.01))).rejects.toMatchObject({ reason: 'not-enough-money' })
    await expect(apply(moneyOf(5, 'USD'))).rejects.toMatchObject({ reason: 'wrong-currency' })
    await apply(moneyOf(-500))
  })

  test('is listed over many pages', async () => {
    const login = await account()
    const begun = new Date(Date.now() - 1_000)
    const refs = Array.from({ length: 103 }, newOperationRef)
    for (const ref of refs) await platform.applyBalance({ ref, login, amount: moneyOf(1), checkMargin: false })
    const listed = await platform.balanceOperations(login, begun, new Date(Date.now() + 60_000))
    expect(listed.map(({ comment }) => comment)).toEqual(refs)
  })
})

describe('a call that is sent again under its key (ADR 342)', () => {
  const operation = (login: string) => ({ ref: newOperationRef(), login, amount: moneyOf(10), checkMargin: false })
  /** Returns the deals of an operation on the platform after it was sent again. */
  const again = async (sent: ReturnType<typeof operation>, adapter = platform) => {
    const answer = await adapter.applyBalance(sent).catch((error: unknown) => error)
    return { answer, deals: await dealsOf(simulator, sent.login) }
  }

  test('after `busy` is carried out, because nothing had been applied', async () => {
    const sent = operation(await account())
    await simulator.turn('refuse', { code: 'busy' })
    await expect(platform.applyBalance(sent)).rejects.toThrow(Unavailable)
    const { answer, deals } = await again(sent)
    expect(deals).toMatchObject([{ comment: sent.ref }])
    expect(answer).toEqual({ ticket: deals[0]?.ticket })
  })

  test.each([
    ['had applied', true],
    ['had not applied', false],
  ])('after `timeout` is carried out once, although the server %s it', async (_, applied) => {
    const sent = operation(await account())
    await simulator.turn('refuse', { code: 'timeout', applied })
    await expect(platform.applyBalance(sent)).rejects.toThrow(Unknown)
    expect(await dealsOf(simulator, sent.login)).toHaveLength(applied ? 1 : 0)
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const { answer, deals } = await again(sent)
      expect(deals).toHaveLength(1)
      expect(answer).toEqual({ ticket: deals[0]?.ticket })
    }
  })

  test('is not carried out while the server cannot be searched for the first one', async () => {
    const sent = operation(await account())
    await simulator.turn('refuse', { code: 'timeout' })
    await expect(platform.applyBalance(sent)).rejects.toThrow(Unknown)
    await simulator.turn('no-look-up')
    expect(await again(sent)).toMatchObject({ answer: expect.any(Unknown) as unknown, deals: [] })
    expect((await again(sent)).deals).toHaveLength(1)
  })

  test('is searched for again if a repeat was answered with `busy` and the first deal arrived after it', async () => {
    const sent = operation(await account())
    await simulator.turn('refuse', { code: 'timeout' })
    await expect(platform.applyBalance(sent)).rejects.toThrow(Unknown)
    await simulator.turn('refuse', { code: 'busy' })
    await expect(platform.applyBalance(sent)).rejects.toThrow(Unavailable)
    const late = { login: sent.login, action: 2, amount: '10.00', comment: sent.ref }
    const { ticket } = await simulator.turn('deals/write', late)
    expect(await again(sent)).toMatchObject({ answer: { ticket }, deals: [{ ticket }] })
  })

  test('has the same key and body as before: a gateway that stores every answer cannot carry it out twice', async () => {
    const [sent, request] = [operation(await account()), platformAccount(newOperationRef(), group)]
    const sends = [
      { path: `/v2/accounts/${sent.login}/balance`, send: () => platform.applyBalance(sent) },
      { path: '/v2/accounts', send: () => platform.createAccount(request) },
    ]
    for (const { path, send } of sends) {
      const { keys } = await callsOf(async () => {
        for (const code of ['busy', 'timeout', 'timeout']) {
          await simulator.turn('refuse', { code, path })
          await expect(send()).rejects.toThrow()
        }
      })
      expect(keys).toHaveLength(3)
      expect(new Set(keys).size).toBe(1)
    }
  })

  test('opens one account, whatever the first answer was', async () => {
    for (const refusal of [{ code: 'busy' }, { code: 'timeout' }, { code: 'timeout', applied: true }]) {
      const request = platformAccount(newOperationRef(), group)
      await simulator.turn('refuse', { ...refusal, path: '/v2/accounts' })
      await expect(platform.createAccount(request)).rejects.toThrow()
      const opened = await platform.createAccount(request)
      const accounts = await simulator.read<{ comment: string; login: string }[]>('accounts')
      expect(accounts.filter(({ comment }) => comment === request.ref)).toMatchObject([opened])
    }
  })

  test('is carried out once although the gateway ended during the first one', async () => {
    let gateway = await startSimulator('mt4-gateway')
    const connect = () => connected({ url: `http://127.0.0.1:${gateway.port}` })
    try {
      const { login } = await connect().createAccount(platformAccount(newOperationRef(), group))
      for (const [applied, deals] of [
        [true, 1],
        [false, 2],
      ] as const) {
        const sent = operation(login)
        await gateway.turn('crash', { applied })
        await expect(connect().applyBalance(sent)).rejects.toThrow(Unknown)
        gateway = await gateway.restart()
        const { ticket } = await connect().applyBalance(sent)
        const booked = await dealsOf(gateway, login)
        expect(booked).toHaveLength(deals)
        expect(booked.at(-1)).toMatchObject({ ticket, comment: sent.ref })
      }
    } finally {
      await gateway.stop()
    }
  })
})

test('balance operations are listed for all accounts, page by page, each with its currency', async () => {
  const [one, other] = [await account(), await account()]
  const from = new Date(Date.now() - 60_000)
  const refs = Array.from({ length: 103 }, newOperationRef)
  for (const [place, ref] of refs.entries())
    await platform.applyBalance({ ref, login: place % 2 ? one : other, amount: moneyOf(1), checkMargin: false })
  const window = { from, to: new Date(Date.now() + 60_000) }
  const listed: BalanceOperationPage['operations'] = []
  let after: string | null = null
  let pages = 0
  do {
    const page: BalanceOperationPage = await platform.balanceOperationsSince({ ...window, after })
    listed.push(...page.operations)
    after = page.next
    pages += 1
  } while (after !== null)
  expect(pages).toBeGreaterThan(1)
  const ownOperations = listed.filter(({ comment }) => refs.includes(comment ?? ''))
  expect(ownOperations.map(({ comment }) => comment)).toEqual(refs)
  expect(ownOperations.slice(0, 2).map(({ login, amount: moved }) => [login, moved])).toEqual([
    [other, moneyOf(1)],
    [one, moneyOf(1)],
  ])
})

test('many accounts are read in one call, and their operations in another', async () => {
  const [one, other] = [await account(100), await account(200)]
  await simulator.turn('market/open', { login: other, profit: '2.00' })
  const window = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + hourMs) }
  const many = await platform.bulk.readAccounts([one, other], window)
  expect([(await many.getAccount(one)).balance, (await many.getAccount(other)).equity]).toEqual([
    moneyOf(100),
    moneyOf(202),
  ])
  expect([await many.openPositions(one), await many.openPositions(other)]).toEqual([0, 1])
  expect(await many.balanceOperations(other, window.from, window.to)).toMatchObject([{ amount: moneyOf(200) }])
  await expect(many.getAccount('99')).rejects.toMatchObject({ reason: 'not-found' })
})

/** Returns what `work` reads, and its calls to the gateway with the keys of its writes. */
async function callsOf<Read>(work: () => Promise<Read>): Promise<{ read: Read; asked: string[]; keys: string[] }> {
  const [asked, keys] = [new Array<string>(), new Array<string>()]
  const note = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    if (request.getHeader('host') !== `127.0.0.1:${simulator.port}`) return
    asked.push(`${request.method} ${request.path}`)
    const key = request.getHeader('idempotency-key')
    if (typeof key === 'string') keys.push(key)
  }
  subscribe('http.client.request.start', note)
  const read = await work().finally(() => unsubscribe('http.client.request.start', note))
  return { read, asked, keys }
}

test('an account whose record cannot be read does not cause further calls', async () => {
  const [unreadable, other] = [await account(100), await account(200)]
  await simulator.turn('records/garble', { login: unreadable, fields: { equity: 'n/a' } })
  const window = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + hourMs) }
  const { asked } = await callsOf(async () => {
    const read = await platform.bulk.readAccounts([unreadable, other], window)
    await expect(read.getAccount(unreadable)).rejects.toThrow('equity does not follow the contract')
    expect(await read.getAccount(other)).toMatchObject({ balance: moneyOf(200) })
  })
  expect(asked.map((call) => call.split('?')[0])).toEqual(['POST /v2/accounts/read', 'GET /v2/balance-operations'])
})

test('a thousand accounts on open pages are read in two calls, with their open trades', async () => {
  const [one, other] = [await account(100), await account(200)]
  await simulator.turn('market/open', { login: one, profit: '2.00' })
  await simulator.turn('market/order', { login: other })
  const unknown = Array.from({ length: 998 }, (_, place) => String(990_000_000 + place))
  const { read: figures, asked } = await callsOf(() =>
    platform.bulk.readFigures(
      [one, ...unknown, other].map((login) => ({ login, currency: 'EUR' as const })),
      true,
    ),
  )
  expect(asked).toEqual(['POST /v2/accounts/read', 'POST /v2/open-trades'])
  expect([...figures.keys()]).toEqual([one, other])
  expect([figures.get(one)?.trades?.positions, figures.get(other)?.trades?.orders]).toMatchObject([[{}], [{}]])
})

describe('a list whose pages do not advance', () => {
  /** Answers each page with the same `next`, ten times. */
  let calls = 0
  const gateway = createServer((request, response) => {
    calls += 1
    const figures = { balance: '0.00', credit: '0.00', openPositions: 0, leverage: 30, enabled: true }
    const record = { login: '1', group, currency: 'EUR', comment: '', ...figures }
    const empty = { accounts: [record], operations: [], trades: [], positions: [], orders: [], next: '5' }
    response.writeHead(calls > 10 ? 500 : 200)
    response.end(JSON.stringify(request.url === '/v2/accounts/1' ? record : empty))
  })
  let reader: TradingServer
  beforeAll(async () => {
    await new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve))
    reader = connected({ url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` })
  })
  beforeEach(() => {
    calls = 0
  })
  afterAll(async () => {
    await reader.close()
    gateway.close()
  })

  const window = { from: new Date(0), to: new Date(1) }
  test.each<[string, () => Promise<unknown> | undefined]>([
    ['operations of an account', () => reader.balanceOperations('1', window.from, window.to)],
    ['operations of many accounts', () => reader.bulk.readAccounts(['1'], window)],
    ['operations of all accounts', () => reader.balanceOperationsSince({ ...window, after: '5' })],
    ['trades', () => reader.history?.deals(['1'], 0, 1)],
    ['open trades', () => reader.history?.openTrades(['1'])],
  ])('is not read without end: %s', async (_, read) => {
    await expect(read()).rejects.toThrow('a page that does not follow the one before')
  })
})

test('missing permissions of the gateway, and the groups that it has, are reported', async () => {
  const login = await account()
  expect(await platform.missingRights(login)).toEqual([])
  await simulator.turn('rights', { missing: ['money'] })
  expect(await platform.missingRights(login)).toEqual(['money'])
  const operation = { ref: newOperationRef(), login, amount: moneyOf(1), checkMargin: false }
  await expect(platform.applyBalance(operation)).rejects.toMatchObject({ reason: 'no-permission' })
  const { found } = await platform.findGroups([group, 'none'])
  expect(Object.fromEntries(found)).toEqual({ [group]: { currency: 'EUR', passwordLengthMin: 5 } })
})

describe('the connection', () => {
  test('signs the time in seconds, the method, the path and the body', () => {
    const call = { seconds: '1763700000', method: 'POST', path: '/v2/accounts?x=1', body: Buffer.from('{}') }
    const signature = gatewaySignature('secret', call)
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
    for (const change of [{ seconds: '1' }, { method: 'GET' }, { path: '/' }, { body: Buffer.from('[]') }]) {
      expect(gatewaySignature('secret', { ...call, ...change })).not.toBe(signature)
    }
  })

  test.each([
    [64_000, 200],
    [64_001, 400],
  ])('answers a body of %i bytes with %i', async (bytes, status) => {
    const [method, path, body] = ['POST', '/v2/accounts/read', Buffer.from('{"logins":["1"]}'.padEnd(bytes))]
    const seconds = String(Math.floor(Date.now() / 1000))
    const signature = gatewaySignature('simulator-gateway-secret', { seconds, method, path, body })
    const headers = { 'x-gateway-key': 'portal', 'x-gateway-time': seconds, 'x-gateway-signature': signature }
    const answer = await fetch(`http://127.0.0.1:${simulator.port}${path}`, { method, headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([status, status === 400 ? { code: 'bad_request' } : {}])
  })

  test('with a wrong secret is unavailable', async () => {
    const stranger = connected({ secret: 'wrong' })
    await expect(stranger.health()).rejects.toThrow(Unavailable)
    await platform.health()
  })

  test('that cannot be opened leaves the operation unsent', async () => {
    const unreachable = connected({ url: 'http://127.0.0.1:1' })
    const operation = { ref: newOperationRef(), login: '1', amount: moneyOf(10), checkMargin: true }
    await expect(unreachable.applyBalance(operation)).rejects.toThrow(Unavailable)
  })
})
