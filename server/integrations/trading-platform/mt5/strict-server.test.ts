/** Requirements of a real server (the vendor's pages, with each test): the simulator is equally strict. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Currency, Money } from '#rules/money.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import {
  Unavailable,
  Unknown,
  type AccountSearch,
  type NewPlatformAccount,
  type TradingServer,
} from '../trading-server.ts'
import type { PlatformDeal } from '../trade-history.ts'
import { mt5 } from './mt5.ts'
import { Mt5Session, type CallBody } from './session.ts'

interface SeenCall {
  path: string
  parameters: Record<string, string>
  session: number
}

const groups = [
  { name: 'real\\Retail\\STD-EUR-30', currency: 'EUR' },
  { name: 'real\\Retail\\STD-USD-30', currency: 'USD' },
  { name: 'real\\Metals\\XAU', currency: 'XAU' },
  { name: 'real\\Strict\\STD-EUR', currency: 'EUR', passwordMin: 14 },
]
const [euros = '', dollars = ''] = groups.map(({ name }) => name)
const silent = { info: () => undefined, warn: () => undefined }

let simulator: RunningSimulator
let platform: TradingServer
let number = 0

beforeAll(async () => {
  simulator = await startSimulator('mt5', { GROUPS: JSON.stringify(groups), SET_COOKIE: '1' })
  platform = mt5({ url: `http://127.0.0.1:${simulator.port}`, login: '1000', password: 'Simulator-1' })
})
afterEach(() => simulator.turn('reset'))
afterAll(async () => {
  await platform.close()
  await simulator.stop()
})

function reference(): string {
  number += 1
  return `01JSTRICT${String(number).padStart(17, '0')}`
}

function money(minor: bigint, currency: Currency = 'EUR'): Money {
  return { minor, currency }
}

const accountFacts = (change: Partial<NewPlatformAccount> = {}) => platformAccount(reference(), euros, change)

const open = async (change: Partial<NewPlatformAccount> = {}) =>
  (await platform.createAccount(accountFacts(change))).login
const credit = (login: string, minor: bigint, ref = reference()) =>
  platform.applyBalance({ ref, login, amount: money(minor), checkMargin: false })
const search = (change: Partial<AccountSearch> = {}): AccountSearch => ({
  groups: [euros],
  sentAt: new Date(),
  known: async () => new Set(),
  ...change,
})
const seenCalls = async () => await simulator.read<SeenCall[]>('calls')
const paths = async () => (await seenCalls()).map(({ path }) => path)

/** Returns the retcode of one call without the adapter. */
async function retcodeOf(path: string, query: Record<string, string>, body?: CallBody): Promise<number> {
  const url = `http://127.0.0.1:${simulator.port}`
  const session = new Mt5Session({ url, login: '1000', password: 'Simulator-1', timeoutMs: 10_000, log: silent })
  const { retcode } = await session.call({ path, query, ...(body && { body }), kind: 'repeatable' })
  await session.close()
  return retcode
}

describe('user/add', () => {
  const passwords = { PassMain: 'Quince-71!', PassInvestor: 'Harbour-71!' }

  test('accepts names in the body only in the documented spelling, and no undocumented ones', async () => {
    const query = { group: euros, NAME: 'Hannah Brandt', Leverage: '30' }
    expect(await retcodeOf('/api/user/add', query, passwords)).toBe(0)
    expect(await retcodeOf('/api/user/add', query, { ...passwords, LEADCAMPAIGN: 'x' })).toBe(3)
    expect(await retcodeOf('/api/user/add', query, { ...passwords, Nickname: 'x' })).toBe(3)
  })

  test('requires Name, and returns 8 for an unknown group', async () => {
    const query = { group: euros, leverage: '30' }
    expect(await retcodeOf('/api/user/add', query, { ...passwords, FirstName: 'Hannah', LastName: 'Brandt' })).toBe(3)
    const elsewhere = { ...query, group: 'real\\none', name: 'Hannah Brandt' }
    expect(await retcodeOf('/api/user/add', elsewhere, passwords)).toBe(8)
  })

  test('requires passwords of the group’s minimum length', async () => {
    const group = 'real\\Strict\\STD-EUR'
    await expect(open({ group })).rejects.toMatchObject({ code: 'mt5:3006' })
    await open({ group, main: 'Quince-71!-long', investor: 'Harbour-71!-lon' })
  })

  test('is sent all personal data that the platform stores, cut to its lengths, with passwords only in the body', async () => {
    const login = await open({
      country: 'C'.repeat(80),
      email: `${'e'.repeat(80)}@example.com`,
      person: {
        firstName: 'Hannah',
        lastName: 'Brandt',
        phone: '+4930901820',
        address: 'Torstraße 12, 3rd floor',
        city: 'Berlin',
        state: 'Berlin',
        postcode: '10119-is-far-too-long',
        language: 'de',
        status: 'retail',
      },
    })
    const [kept] = await simulator.read<object[]>(`accounts?login=${login}`)
    expect(kept).toMatchObject({
      name: 'Hannah Brandt',
      country: 'C'.repeat(63),
      email: 'e'.repeat(63),
      rights: 483,
      details: {
        FirstName: 'Hannah',
        LastName: 'Brandt',
        Phone: '+4930901820',
        Address: 'Torstraße 12, 3rd floor',
        City: 'Berlin',
        State: 'Berlin',
        ZIPCode: '10119-is-far-to',
        Language: '1031',
        Status: 'retail',
      },
    })
  })
})

describe('an account that was opened without a response', () => {
  test('is found among the newest logins of its group, without reading a whole group', async () => {
    const ours = await open()
    const request = accountFacts()
    const { login } = await platform.createAccount(request)
    await simulator.turn('reset')
    const known = async () => new Set([ours])
    expect(await platform.findAccountByRef(request.ref, search({ known }))).toEqual({ login })
    expect(await platform.findAccountByRef(reference(), search({ groups: [dollars, euros] }))).toBeNull()
    const calls = await seenCalls()
    expect(calls.map(({ path }) => path)).not.toContain('/api/group/get')
    for (const { parameters } of calls.filter(({ path }) => path === '/api/user/get_batch')) {
      expect(parameters.group).toBeUndefined()
      expect(parameters.login?.split(',').length).toBeLessThanOrEqual(100)
    }
  })

  test('is not searched further back than an hour before the request was sent', async () => {
    const { ref } = accountFacts()
    await open({ ref })
    const sentAt = new Date(Date.now() + 2 * 3_600_000)
    expect(await platform.findAccountByRef(ref, search({ sentAt }))).toBeNull()
    expect(await platform.findAccountByRef(ref, search())).not.toBeNull()
  })
})

describe('a manager login without permission', () => {
  test('for personal data opens accounts, reports the missing permission, and never treats an account as missing', async () => {
    const other = await open()
    expect(await platform.missingRights(other)).toEqual([])
    await simulator.turn('rights', { missing: ['personal'] })
    const { ref } = accountFacts()
    const login = await open({ ref })
    expect(await platform.missingRights(login)).toEqual(['personal-data'])
    await expect(platform.findAccountByRef(ref, search())).rejects.toThrow('no right to personal data')
    const empty = search({ groups: ['real\\Metals\\XAU'] })
    expect(await platform.findAccountByRef(reference(), empty)).toBeNull()
  })

  test('for deals or balance operations reports the missing permission', async () => {
    const login = await open()
    await simulator.turn('rights', { missing: ['trades'] })
    expect(await platform.missingRights(login)).toEqual(['deals'])
    await expect(platform.openPositions(login)).rejects.toMatchObject({ reason: 'no-permission' })
    await simulator.turn('rights', { missing: ['accountant'] })
    await expect(credit(login, 100n)).rejects.toMatchObject({ reason: 'no-permission', code: 'mt5:8' })
  })

  test('to change accounts gets a plain 403, so that the outcome of the request is unknown', async () => {
    await simulator.turn('rights', { missing: ['modify'] })
    const opening = open()
    await expect(opening).rejects.toThrow(Unknown)
    await expect(opening).rejects.toThrow('mt5:http-403')
  })
})

describe('lists', () => {
  test('that are empty are returned as retcode 1 without content', async () => {
    const login = await open()
    expect(await platform.balanceOperations(login, new Date(0), new Date())).toEqual([])
    const page = await platform.balanceOperationsSince({ from: new Date(0), to: new Date(1000), after: null })
    expect(page.operations).toEqual([])
    expect(await platform.findAccountByRef(reference(), search({ groups: ['real\\Metals\\XAU'] }))).toBeNull()
  })

  test('are requested by logins, by groups or by tickets, and a request with two of them is rejected', async () => {
    const login = await open()
    const period = { from: '0', to: '9999999999' }
    expect(await retcodeOf('/api/deal/get_batch', { ...period, login, group: euros })).toBe(3)
    expect(await retcodeOf('/api/user/get_batch', { login, group: euros })).toBe(3)
  })

  test('are arrays in a body, for the calls whose pages have a body', async () => {
    const logins = [await open(), await open()]
    expect(await retcodeOf('/api/position/get_batch', {}, { login: logins.map(Number) })).toBe(1)
    expect(await retcodeOf('/api/position/get_batch', {}, { login: logins.join(',') })).toBe(3)
    expect(await retcodeOf('/api/user/get_batch', {}, { login: logins.map(Number) })).toBe(3)
  })
})

test('groups are found by name, with their currency and minimum password length', async () => {
  const { found } = await platform.findGroups([euros, 'real\\Strict\\STD-EUR', 'real\\Metals\\XAU', 'real\\none'])
  expect(Object.fromEntries(found)).toEqual({
    [euros]: { currency: 'EUR', passwordLengthMin: 8 },
    'real\\Strict\\STD-EUR': { currency: 'EUR', passwordLengthMin: 14 },
    'real\\Metals\\XAU': { currency: null, passwordLengthMin: 8 },
  })
})

test('the balance of an account equals the sum of its deals, trades included', async () => {
  const login = await open()
  await credit(login, 100_000n)
  await simulator.turn('market/open', { login, profit: '12.50', commission: '-3.00' })
  await simulator.turn('market/close', { login, storage: '-1.25', commission: '-3.00' })
  expect((await platform.getAccount(login)).balance).toEqual(money(100_525n))
  const deals = await simulator.read<{ entry?: number; position: string }[]>(`deals?login=${login}`)
  expect(deals.map(({ entry }) => entry)).toEqual([undefined, 0, 1])
  expect(deals[1]?.position).toBe(deals[2]?.position)
})

describe('work on many accounts', () => {
  test('reads the accounts in at most four calls, with the same results as single calls', async () => {
    const logins: string[] = []
    for (let one = 0; one < 12; one += 1) logins.push(await open())
    const [first = '', second = ''] = logins
    const { ticket } = await credit(first, 5_000n)
    await simulator.turn('market/open', { login: second, profit: '2.00' })
    await platform.getAccount(first)
    await simulator.turn('reset')
    const window = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) }
    const many = await platform.bulk.readAccounts(logins, window)
    expect((await paths()).filter((path) => path !== '/api/time/server').length).toBeLessThanOrEqual(4)
    expect(await many.getAccount(first)).toMatchObject({ balance: money(5_000n), leverage: 30, group: euros })
    expect([await many.openPositions(first), await many.openPositions(second)]).toEqual([0, 1])
    expect(await many.balanceOperations(first, window.from, window.to)).toMatchObject([{ ticket }])
    expect(await many.balanceOperations(second, window.from, window.to)).toEqual([])
    await expect(many.getAccount('99')).rejects.toMatchObject({ reason: 'not-found' })
  })

  test('uses its own session, so that reads for open pages do not wait for it', async () => {
    const login = await open()
    await platform.bulk.getAccount(login)
    await simulator.turn('slow', { ms: 3_600_000, path: '/api/deal/get_batch' })
    const reading = platform.bulk.readAccounts([login], { from: new Date(0), to: new Date() })
    await expect.poll(async () => (await simulator.read<{ faults: unknown[] }>('switches')).faults).toEqual([])
    await platform.getAccount(login)
    const sessions = new Map((await seenCalls()).map(({ path, session }) => [path, session]))
    expect(sessions.get('/api/deal/get_batch')).not.toBe(sessions.get('/api/user/get'))
    await simulator.turn('reset')
    await reading
  })

  test('reads the deals of all groups of a currency in one call, and skips groups in other currencies', async () => {
    const [one, other] = [await open(), await open({ group: dollars })]
    const refs = [reference(), reference()]
    await credit(one, 700n, refs[0])
    await platform.applyBalance({
      ref: refs[1] ?? '',
      login: other,
      amount: money(900n, 'USD'),
      checkMargin: false,
    })
    await platform.balanceOperationsSince({ from: new Date(0), to: new Date(1000), after: null })
    await simulator.turn('reset')
    const listed: string[] = []
    let after: string | null = null
    do {
      const window = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000), after }
      const page = await platform.balanceOperationsSince(window)
      listed.push(...page.operations.flatMap(({ comment }) => comment ?? []))
      after = page.next
    } while (after !== null)
    expect(listed).toEqual(expect.arrayContaining(refs))
    const asking = (await seenCalls()).filter(({ path }) => path === '/api/deal/get_batch')
    expect(new Set(asking.map(({ parameters }) => parameters.group))).toEqual(
      new Set([`${euros},real\\Strict\\STD-EUR`, dollars]),
    )
    expect(await paths()).not.toContain('/api/group/get')
  })
})

test('a deal is dated by the platform clock’s offset on its own day', async () => {
  const login = await open()
  const noon = Date.parse(`${new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`)
  await simulator.turn('clock', { at: noon / 1000 })
  const ref = reference()
  await credit(login, 100n, ref)
  await simulator.turn('clock', { offsetSeconds: 2 * 3600 })
  const day = new Date(noon).toISOString().slice(0, 10)
  const dated = mt5({
    url: `http://127.0.0.1:${simulator.port}`,
    login: '1000',
    password: 'Simulator-1',
    clock: async () => ({ days: new Map([[day, 3 * 3_600_000]]), before: null }),
  })
  const window = { from: new Date(noon - 4 * 3_600_000), to: new Date(noon) }
  const at = new Date(noon - 3 * 3_600_000)
  expect(await dated.balanceOperations(login, window.from, window.to)).toMatchObject([{ comment: ref, at }])
  const many = await dated.bulk.readAccounts([login], window)
  expect(await many.balanceOperations(login, window.from, window.to)).toMatchObject([{ comment: ref, at }])
  const listed = await dated.balanceOperationsSince({ ...window, after: null })
  expect(listed.operations.filter(({ comment }) => comment === ref)).toMatchObject([{ at }])
  await dated.close()
  await simulator.turn('clock', { offsetSeconds: 0 })
})

test('a response that would be too large is requested in halves', async () => {
  const login = await open()
  const refs = Array.from({ length: 4 }, reference)
  for (const [place, ref] of refs.entries()) {
    await simulator.turn('clock', { at: Math.floor(Date.now() / 1000) - 4000 + place * 900 })
    await credit(login, 100n, ref)
  }
  await simulator.turn('clock', { offsetSeconds: 0 })
  // Four of them exceed the size that is read in one response, two do not.
  await simulator.turn('pad-deals', { bytes: 3_000_000 })
  const window = { from: new Date(Date.now() - 3 * 3_600_000), to: new Date(Date.now() + 3_600_000) }
  const many = await platform.bulk.readAccounts([login], window)
  const found = await many.balanceOperations(login, window.from, window.to)
  expect(found.map(({ comment }) => comment)).toEqual(refs)
})

test('the deals of one second may exceed that size', async () => {
  const login = await open()
  const time = Math.floor(Date.now() / 1000) - 600
  for (const comment of ['first', 'second', 'third'])
    await simulator.turn('deals/write', { login, action: 2, amount: '-1.00', time, comment })
  await simulator.turn('pad-deals', { bytes: 3_000_000 })
  const [from, to] = [(time - 60) * 1000, (time + 60) * 1000]
  const { operations } = await platform.balanceOperationsSince({ from: new Date(from), to: new Date(to), after: null })
  const trades: PlatformDeal[] = []
  for await (const part of platform.history?.dealsOfGroups([euros, dollars], from, to) ?? []) trades.push(...part.deals)
  for (const deals of [operations, trades])
    expect(deals.map(({ comment }) => comment)).toEqual(['first', 'second', 'third'])
})

test('a cookie set by the server is sent back', async () => {
  await platform.health()
  await expect(platform.getAccount('99')).rejects.not.toThrow(Unavailable)
})
