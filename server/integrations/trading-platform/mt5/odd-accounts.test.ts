/** An unreadable user or trade state affects only its own account (ADR 328), which does not count as deleted. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { decimalOf } from '#rules/money.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { Unavailable, type BalanceOperation, type BalanceOperationPage, type TradingServer } from '../trading-server.ts'
import { mt5 } from './mt5.ts'

const group = 'real\\Retail\\STD-EUR-30'
const groups = [
  { name: group, currency: 'EUR' },
  { name: 'real\\Metals\\XAU', currency: 'XAU' },
]

let simulator: RunningSimulator
let platform: TradingServer
let number = 0
const numbers = new Map<string, number>()

beforeAll(async () => {
  simulator = await startSimulator('mt5', { GROUPS: JSON.stringify(groups) })
  platform = mt5({ url: `http://127.0.0.1:${simulator.port}`, login: '1000', password: 'Simulator-1' })
})
afterEach(async () => {
  await simulator.turn('reset')
  await simulator.turn('groups', { groups })
})
afterAll(async () => {
  await platform.close()
  await simulator.stop()
})

/** Returns an account with 100.00, an open position and therefore a trade state. */
async function account(): Promise<string> {
  number += 1
  const ref = `01JODDUSER${String(number).padStart(16, '0')}`
  const { login } = await platform.createAccount(platformAccount(ref, group))
  numbers.set(login, number)
  const amount = { minor: 10_000n, currency: 'EUR' } as const
  await platform.applyBalance({ ref: `${ref}B`, login, amount, checkMargin: false })
  await simulator.turn('market/open', { login, profit: '2.00' })
  return login
}

const window = () => ({ from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) })
const readings = (logins: readonly string[]) => platform.bulk.readAccounts(logins, window())
const figuresOf = (logins: readonly string[]) =>
  platform.bulk.readFigures(
    logins.map((login) => ({ login, currency: 'EUR' as const })),
    true,
  )
const figures = async (logins: readonly string[]) => [...(await figuresOf(logins)).keys()]
const history = () => {
  if (platform.bulk.history === null) throw new Error('no history')
  return platform.bulk.history
}

test.each([
  ['users', 'Group', null, 'has no Group'],
  ['users', 'Group', '', 'Group is not a name'],
  ['users', 'Group', 'real\\Metals\\XAU', 'not dealt with'],
  ['users', 'Group', 'real\\Nowhere', 'may not read the group'],
  ['users', 'Leverage', 'n/a', 'Leverage is not a whole number'],
  ['users', 'Leverage', '99999999999', 'Leverage is too large'],
  ['users', 'Rights', '1e400', 'Rights is not a whole number'],
  ['users', 'Login', null, 'another account'],
  ['users', 'Login', 'n/a', 'another account'],
  ['trade-states', 'Balance', '-nan(ind)', 'Balance is not an amount'],
  ['trade-states', 'Equity', null, 'Equity is not an amount'],
])('one of the %s with the %s “%s” does not affect the other accounts', async (record, field, value, problem) => {
  const [unreadable, other] = [await account(), await account()]
  await simulator.turn(`${record}/garble`, { login: unreadable, fields: { [field]: value } })
  const read = await readings([unreadable, other])
  expect(await read.getAccount(other)).toMatchObject({ balance: { minor: 10_000n }, leverage: 30 })
  expect(await read.openPositions(other)).toBe(1)
  expect(await read.balanceOperations(other, window().from, new Date())).toHaveLength(1)
  // The error has its own reason: only "not found" means that the account was deleted.
  const refused: unknown = await read.getAccount(unreadable).catch((error: unknown) => error)
  expect(String(refused)).toContain(problem)
  expect(refused).not.toMatchObject({ reason: 'not-found' })
  expect(await figures([unreadable, other])).toContain(other)
  expect((await history().groupsOf([unreadable, other])).get(other)).toBe(group)
  expect((await history().currentFigures([unreadable, other])).get(other)).toMatchObject({ floating: 200n })
})

test.each([null, 'n/a'])('a trade state with the login “%s” is not treated as a missing one', async (value) => {
  const [unreadable, other] = [await account(), await account()]
  await simulator.turn('trade-states/garble', { login: unreadable, fields: { Login: value } })
  // Without a state an account has no open positions, and its equity would be its balance.
  expect(await figures([unreadable, other])).toEqual([other])
  expect([...(await history().currentFigures([unreadable, other])).keys()]).toEqual([other])
  const read = await readings([unreadable, other])
  expect(await read.getAccount(unreadable)).toMatchObject({ equity: { minor: 10_200n } })
  expect(await read.openPositions(unreadable)).toBe(1)
  expect(await read.getAccount(other)).toMatchObject({ equity: { minor: 10_200n } })
})

test('a trade state with the login of another requested account is not used for either', async () => {
  const [unreadable, other] = [await account(), await account()]
  await simulator.turn('trade-states/garble', { login: unreadable, fields: { Login: other, Balance: '1.00' } })
  expect(await figures([unreadable, other])).toEqual([])
  const read = await readings([unreadable, other])
  expect((await read.getAccount(other)).balance.minor).toBe(10_000n)
  // A single read fails too, because its balance is not the account's.
  await expect(read.getAccount(unreadable)).rejects.toThrow('another account')
})

test('with a position of an unreadable login, the platform’s own count of positions is used', async () => {
  const [unreadable, other] = [await account(), await account()]
  const { position } = await simulator.turn('market/open', { login: unreadable, profit: '1.00' })
  await simulator.turn('positions/garble', { position, fields: { Login: 'n/a' } })
  const read = await readings([unreadable, other])
  expect([await read.openPositions(unreadable), await read.openPositions(other)]).toEqual([2, 1])
})

test.each([['n/a'], [null], ['99999']])(
  'live balances do not count positions while one has the login “%s”',
  async (value) => {
    const [unreadable, other] = [await account(), await account()]
    const { login: flat } = await platform.createAccount(
      platformAccount(`01JODDFLAT${String(number).padStart(16, '0')}`, group),
    )
    const { position } = await simulator.turn('market/open', { login: unreadable, profit: '1.00' })
    await simulator.turn('positions/garble', { position, fields: { Login: value } })
    const read = await figuresOf([unreadable, other, flat])
    expect([unreadable, other, flat].map((login) => read.get(login)?.openPositions)).toEqual([null, null, 0])
    expect([...read.values()].map(({ trades }) => trades)).toEqual([null, null, null])
    expect(read.get(unreadable)?.equity?.minor).toBe(10_300n)
  },
)

test.each([
  ['positions', 'n/a'],
  ['orders', 'n/a'],
  ['orders', null],
])(
  'one of the %s with the login “%s” may belong to any account, so no list of open trades is complete',
  async (record, value) => {
    const [unreadable, other] = [await account(), await account()]
    const { position } = await simulator.turn('market/open', { login: unreadable, profit: '1.00' })
    const { order } = await simulator.turn('market/order', { login: unreadable })
    const named = record === 'orders' ? { order } : { position }
    await simulator.turn(`${record}/garble`, { ...named, fields: { Login: value } })
    await expect(history().openTrades([unreadable, other])).rejects.toThrow('open trade of another account')
    expect([...(await figuresOf([unreadable, other])).values()].map(({ trades }) => trades)).toEqual([null, null])
  },
)

test('rights that cannot be read are not overwritten', async () => {
  const login = await account()
  await simulator.turn('users/garble', { login, fields: { Rights: 'n/a' } })
  await expect(platform.setEnabled(login, false)).rejects.toThrow('Rights is not a whole number')
})

test('a deleted account is distinguished from one that cannot be read', async () => {
  const [deleted, other] = ['99', await account()]
  const read = await readings([deleted, other])
  await expect(read.getAccount(deleted)).rejects.toMatchObject({ reason: 'not-found' })
  expect((await read.getAccount(other)).balance.minor).toBe(10_000n)
})

const reference = (login: string) => `01JODDUSER${String(numbers.get(login)).padStart(16, '0')}`

test('a deal of another account in an account’s list is not treated as a missing deal', async () => {
  const [unreadable, other] = [await account(), await account()]
  const ref = `${reference(unreadable)}B`
  const found = await platform.findBalanceOperation(unreadable, ref, new Date())
  await simulator.turn('deals/garble', { ticket: found?.ticket, fields: { Login: '77' } })
  // Null would mean that it was not carried out, and it would be sent again.
  await expect(platform.findBalanceOperation(unreadable, ref, new Date())).rejects.toThrow('deal of another account')
  const read = await readings([unreadable, other])
  await expect(read.balanceOperations(unreadable, window().from, new Date())).rejects.toThrow('deal of another account')
  expect(await read.balanceOperations(other, window().from, new Date())).toHaveLength(1)
})

describe('an account opened without a response is not treated as missing', () => {
  const search = () => ({ groups: [group], sentAt: new Date(), known: async () => new Set<string>() })
  const opened = async () => {
    const login = await account()
    return { login, ref: reference(login) }
  }

  test.each([
    ['Login', 'n/a'],
    ['Login', null],
    ['Comment', null],
    ['Registration', null],
  ])('if it has the %s “%s”', async (field, value) => {
    const { login, ref } = await opened()
    await simulator.turn('users/garble', { login, fields: { [field]: value } })
    const found = await platform.findAccountByRef(ref, search()).catch(String)
    // Null would mean that it was not opened, and it would be opened again.
    if (field === 'Registration') expect(found).toEqual({ login })
    else expect(found).toContain('Unavailable')
    const listed = await platform.accountsOpenedSince(window().from, async () => new Set<string>())
    const [number, comment] = [field === 'Login' ? null : login, field === 'Comment' ? null : ref]
    expect(listed).toContainEqual(expect.objectContaining({ login: number, comment }))
  })

  test.each([
    ['Login', 'n/a', 'Login'],
    ['Login', null, 'Login'],
    ['Comment', null, 'Comment'],
    ['Comment', 17, 'Comment'],
    // It may be another account's, and the record of this one is not there.
    ['Login', '77', 'Login'],
  ])('and the error names the field and the account, for %s “%s”', async (field, value, named) => {
    const { login, ref } = await opened()
    await simulator.turn('users/garble', { login, fields: { [field]: value } })
    const text = `The ${named} of account ${login} cannot be read: it may be the one that was opened. Correct it there`
    await expect(platform.findAccountByRef(ref, search())).rejects.toThrow(text)
  })

  test('if its login is not a string', async () => {
    const { ref } = await opened()
    await simulator.turn('garble', { kind: 'number', path: '/api/user/logins' })
    await expect(platform.findAccountByRef(ref, search())).rejects.toThrow('not a list of texts')
  })
})

describe('an account opened without a response is found, or known to be missing, despite a record', () => {
  const search = { groups: [group], sentAt: new Date(), known: async () => new Set<string>() }

  test.each([
    ['Login', 'n/a'],
    ['Login', null],
    ['Registration', 'n/a'],
    ['Leverage', 'n/a'],
    ['ID', 17],
  ])('of another account with the %s “%s”', async (field, value) => {
    const [sought, unreadable] = [await account(), await account()]
    await simulator.turn('users/garble', { login: unreadable, fields: { [field]: value } })
    expect(await platform.findAccountByRef(reference(sought), search)).toEqual({ login: sought })
    expect(await platform.findAccountByRef('01JODDUSERNEVER', search)).toBeNull()
  })

  test('without a comment, if another record has its reference', async () => {
    const [sought, unreadable] = [await account(), await account()]
    await simulator.turn('users/garble', { login: unreadable, fields: { Comment: null } })
    expect(await platform.findAccountByRef(reference(sought), search)).toEqual({ login: sought })
  })
})

describe('a group whose currency cannot be read', () => {
  const name = 'real\\Odd'
  const withGroup = (group: object) => simulator.turn('groups', { groups: [...groups, { name, ...group }] })
  /** Runs `read` with a new adapter, which has not read the group while its currency was readable. */
  const later = async <Read>(read: (fresh: TradingServer) => Promise<Read>): Promise<Read> => {
    const fresh = mt5({ url: `http://127.0.0.1:${simulator.port}`, login: '1000', password: 'Simulator-1' })
    return read(fresh).finally(() => fresh.close())
  }

  test.each(['', 'eur', 'EUR '])(
    'is “%s”: its deals are searched without amounts, other deals with theirs',
    async (currency) => {
      const other = await account()
      await withGroup({ currency: 'EUR' })
      number += 1
      const ref = `01JODDUSER${String(number).padStart(16, '0')}`
      const { login } = await later((before) => before.createAccount(platformAccount(ref, name)))
      const amount = { minor: 700n, currency: 'EUR' } as const
      await later((before) => before.applyBalance({ ref: `${ref}B`, login, amount, checkMargin: false }))
      await withGroup({ currency })
      const operations = await later(async (fresh) => {
        const found: BalanceOperation[] = []
        let after: string | null = null
        do {
          const page: BalanceOperationPage = await fresh.balanceOperationsSince({ ...window(), after })
          found.push(...page.operations)
          after = page.next
        } while (after !== null)
        return found
      })
      expect(operations).toContainEqual(expect.objectContaining({ login, comment: `${ref}B`, amount: null }))
      expect(operations).toContainEqual(
        expect.objectContaining({ login: other, amount: { minor: 10_000n, currency: 'EUR' } }),
      )
      await expect(later((fresh) => fresh.getAccount(login))).rejects.toThrow(
        `The currency of the group ${name} cannot be read`,
      )
      await simulator.turn('accounts/delete', { login })
    },
  )

  test('gets no new accounts, and other groups are not affected', async () => {
    await withGroup({ currency: '' })
    number += 1
    const ref = `01JODDUSER${String(number).padStart(16, '0')}`
    const opening = platform.createAccount(platformAccount(ref, name))
    await expect(opening).rejects.toThrow(Unavailable)
    await expect(opening).rejects.toThrow(`The currency of the group ${name} cannot be read`)
    expect((await simulator.read<{ comment: string }[]>('accounts')).map(({ comment }) => comment)).not.toContain(ref)
    expect(await account()).toMatch(/^\d+$/)
  })

  test('has no supported currency in the check of the settings, and other groups are read', async () => {
    await withGroup({ currency: '' })
    const { found } = await platform.findGroups([group, name])
    expect([found.get(group)?.currency, found.get(name)?.currency]).toEqual(['EUR', null])
  })
})

describe.each([[17], [null], ['']])('a group with the name %j', (name) => {
  const garbled = () => simulator.turn('groups', { groups: [{ name, currency: 'EUR' }, ...groups] })

  test('may be the missing group in the check of the settings, which still finds the others', async () => {
    await garbled()
    const { found, isComplete } = await platform.findGroups([group, 'real\\Missing'])
    expect([[...found.keys()], isComplete]).toEqual([[group], false])
  })

  test('is listed as unreadable in the search for accounts, which still finds those of other groups', async () => {
    const login = await account()
    await garbled()
    const opened = await platform.accountsOpenedSince(window().from, async () => new Set<string>())
    expect(opened).toContainEqual(expect.objectContaining({ login, group }))
    expect(opened).toContainEqual(expect.objectContaining({ login: null, group: null, comment: null }))
  })

  test('is reported after the deals of all other groups have been searched, because its own may be ours', async () => {
    const login = await account()
    await garbled()
    const found: BalanceOperation[] = []
    const search = async () => {
      let after: string | null = null
      do {
        const page: BalanceOperationPage = await platform.balanceOperationsSince({ ...window(), after })
        found.push(...page.operations)
        after = page.next
      } while (after !== null)
    }
    await expect(search()).rejects.toThrow(
      'The name of a group cannot be read: its deals may be ours. Correct it there',
    )
    expect(found).toContainEqual(expect.objectContaining({ login }))
  })
})

test('a group that is added between two pages of operations hides no operation of other groups', async () => {
  // As many as a call can name, and some more.
  const long = (place: number) => ({ name: `test\\${place}`.padEnd(60, '-'), currency: 'EUR' })
  const some = Array.from({ length: 35 }, (_, place) => long(11 + place))
  await simulator.turn('groups', { groups: [...groups, ...some] })
  number += 1
  const ref = `01JODDUSER${String(number).padStart(16, '0')}`
  const { login } = await platform.createAccount(platformAccount(ref, some.at(-1)?.name ?? ''))
  await platform.applyBalance({
    ref: `${ref}B`,
    login,
    amount: { minor: 700n, currency: 'EUR' },
    checkMargin: false,
  })
  const found: BalanceOperation[] = []
  let after: string | null = null
  do {
    const page: BalanceOperationPage = await platform.balanceOperationsSince({ ...window(), after })
    found.push(...page.operations)
    if (after === null) await simulator.turn('groups', { groups: [...groups, ...some, long(10)] })
    after = page.next
  } while (after !== null)
  expect(found).toContainEqual(expect.objectContaining({ login, comment: `${ref}B` }))
  await simulator.turn('accounts/delete', { login })
})

test.each(['USDT', 'mBTC'])(
  'a group in the currency “%s” is skipped, because it has no accounts of ours',
  async (currency) => {
    await simulator.turn('groups', { groups: [...groups, { name: 'real\\Other', currency }] })
    await expect(platform.balanceOperationsSince({ ...window(), after: null })).resolves.toMatchObject({ next: null })
  },
)

test.each([
  ['positions', { Action: '7' }],
  ['positions', { Action: null }],
  ['positions', { Position: 'n/a' }],
  ['positions', { PriceOpen: 'n/a' }],
  ['positions', { PriceCurrent: '' }],
  ['positions', { PriceSL: '1e5' }],
  ['positions', { Profit: '1.50e10' }],
  ['positions', { Storage: '1.25.3' }],
  ['positions', { TimeCreate: '9007199254740991' }],
  ['positions', { TimeCreate: '' }],
  ['orders', { Type: '99' }],
  ['orders', { Type: '' }],
  ['orders', { Order: 'n/a' }],
  ['orders', { PriceOrder: 'inf' }],
  ['orders', { TimeSetup: '-1' }],
])(
  'one of the %s with %o leaves its account without open trades and does not affect others',
  async (record, fields) => {
    const [unreadable, other] = [await account(), await account()]
    const { position } = await simulator.turn('market/open', { login: unreadable, profit: '1.00' })
    const { order } = await simulator.turn('market/order', { login: unreadable })
    await simulator.turn(`${record}/garble`, { ...(record === 'orders' ? { order } : { position }), fields })
    expect([...(await history().openTrades([unreadable, other])).keys()]).toEqual([other])
    const read = await figuresOf([unreadable, other])
    expect(read.get(unreadable)).toMatchObject({ trades: null, openPositions: 2 })
    expect(read.get(other)?.trades?.positions).toHaveLength(1)
  },
)

test('a price may have any number of decimals, because not every server rounds averages', async () => {
  const login = await account()
  const { position } = await simulator.turn('market/open', { login, profit: '1.00' })
  const PriceOpen = '1.08765333333333333333'
  await simulator.turn('positions/garble', { position, fields: { PriceOpen } })
  const open = (await history().openTrades([login])).get(login)
  expect(open?.positions.map(({ openPrice }) => openPrice)).toContain(PriceOpen)
})

test('a result with an exponent is not an amount', async () => {
  const [unreadable, other] = [await account(), await account()]
  await simulator.turn('trade-states/garble', { login: unreadable, fields: { Equity: '1.50e10' } })
  expect([...(await history().currentFigures([unreadable, other])).keys()]).toEqual([other])
})

test('rights above 32 bits are kept when an account is disabled', async () => {
  const login = await account()
  await simulator.turn('users/garble', { login, fields: { Rights: String(2 ** 40 + 0x1e3) } })
  await platform.setEnabled(login, false).catch(() => undefined)
  const there = await simulator.read<{ login: string; rights: number }[]>('accounts')
  expect(there.find((one) => one.login === login)?.rights).toBe(2 ** 40 + 0x1e2)
})

test.each(['', 'n/a', '9'.repeat(12)])('the platform time “%s” is rejected as invalid', async (time) => {
  await simulator.turn('time/garble', { fields: { Time: time } })
  await expect(platform.serverTime()).rejects.toThrow('Time is not a time')
})

test('accounts whose records cannot be read cause neither further calls nor a health check for each', async () => {
  const [unreadable, states] = [
    [await account(), await account(), await account()],
    [await account(), await account()],
  ]
  const other = await account()
  await simulator.turn('groups', { groups: [...groups, { name: 'real\\Odd', currency: '' }] })
  for (const login of unreadable) await simulator.turn('users/garble', { login, fields: { Group: 'real\\Odd' } })
  for (const login of states) await simulator.turn('trade-states/garble', { login, fields: { Equity: 'n/a' } })
  const before = await simulator.read<{ path: string }[]>('calls')
  const health = vi.spyOn(platform.bulk, 'health')
  const read = await readings([...unreadable, ...states, other])
  for (const login of unreadable) await expect(read.getAccount(login)).rejects.toThrow('of the group real\\Odd')
  for (const login of states) await expect(read.getAccount(login)).rejects.toThrow('Equity is not an amount')
  expect(await read.getAccount(other)).toMatchObject({ balance: { minor: 10_000n } })
  const calls = (await simulator.read<{ path: string }[]>('calls')).slice(before.length).map(({ path }) => path)
  expect(calls.toSorted()).toEqual([
    '/api/deal/get_batch',
    '/api/group/get',
    '/api/position/get_batch',
    '/api/time/server',
    '/api/user/account/get_batch',
    '/api/user/get_batch',
  ])
  expect(health).not.toHaveBeenCalled()
})

test.each([
  ['fails once', 1, '100.00'],
  ['fails twice', 2, 'no usable response'],
])('a group whose read %s is requested twice for all its accounts together', async (_, count, expected) => {
  const logins = [await account(), await account()]
  const fresh = mt5({ url: `http://127.0.0.1:${simulator.port}`, login: '1000', password: 'Simulator-1' })
  await simulator.turn('garble', { kind: 'half', path: '/api/group/get', count })
  const before = await simulator.read<{ path: string }[]>('calls')
  const read = await fresh.bulk.readAccounts(logins, window())
  for (const login of logins)
    expect(await read.getAccount(login).then(({ balance }) => decimalOf(balance.minor), String)).toContain(expected)
  const calls = (await simulator.read<{ path: string }[]>('calls')).slice(before.length)
  expect(calls.filter(({ path }) => path === '/api/group/get')).toHaveLength(2)
  await fresh.close()
})
