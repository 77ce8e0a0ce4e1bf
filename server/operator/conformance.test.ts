/** `npm run conformance -- mt5`: the table for a conforming server, and for one that differs. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listDifferences, reconcileNow } from '#contract/office/accounting.ts'
import { rows, run, sql, transaction } from '#server/db/sql.ts'
import { readConfig } from '#server/config/config.ts'
import { dealSearch } from '#server/recovery/deal-search.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { conformanceTable } from '../../tests/conformance-table.ts'
import { endRecovery } from '../../tests/end-recovery.ts'
import { platformForFile } from '../../tests/for-file.ts'
import { platformAccount } from '../../tests/platform-account.ts'
import { makeFundedAccount } from '../../tests/funded-account.ts'
import { call, makeClient, makeStaff } from '../../tests/factories.ts'
import { operate } from './commands.ts'

const place = platformForFile({ now: new Date() })
let ownAccount: { id: string; login: string }

// The simulated platform uses the real time for its deals.
beforeEach(async () => {
  ownAccount = await makeFundedAccount(place.server, await makeClient(place.server), 123_456n)
})
afterEach(() => place.platform.turn('reset'))

const address = () => `http://127.0.0.1:${place.platform.port}`
const runConformanceCheck = (...more: string[]) => conformanceTable(place.server.env, 'mt5', address(), ...more)
const withTrades = async () => {
  await place.platform.turn('market/open', { login: ownAccount.login })
  await place.platform.turn('market/order', { login: ownAccount.login, kind: 'buy-limit', price: 1.1 })
}
const makeForeignAccount = (group = 'real\\standard-EUR') =>
  place.server.dependencies.platforms.MT5.createAccount(
    platformAccount('opened-by-a-dealer', group, { name: 'Ruth Absent', email: 'absent@example.com' }),
  )
interface SeenDeal {
  readonly comment: string
  readonly amount: string
}
const dealsOf = (login: string) => place.platform.read<SeenDeal[]>(`deals?login=${login}`)

describe('read-only checks', () => {
  test('agree with a server that responds as documented, and change nothing', async () => {
    await withTrades()
    await place.platform.turn('reset')
    const table = await runConformanceCheck()
    expect(table.isWell).toBe(true)
    expect(table.text).toContain('read-only')
    expect(table.text).toContain('19 matched, 0 differed, 2 not tested.')
    expect(table.rows['daily/get_light_batch']).toMatch(/^not tested: .*no report of three days/)
    const changing = /add|update|delete|change|trade\/balance/
    const calls = await place.platform.read<{ path: string; parameters: Record<string, string> }[]>('calls')
    expect(calls.filter(({ path }) => changing.test(path))).toEqual([])
    expect(calls.find(({ path }) => path.endsWith('check_balance'))?.parameters.fixflag).toBe('0')
  })

  test('print no names, amounts or logins, even if a response is damaged', async () => {
    await withTrades()
    const texts = [(await runConformanceCheck()).text]
    for (const kind of ['half', 'number', 'html']) {
      await place.platform.turn('garble', { kind, path: '/', count: 0 })
      texts.push((await runConformanceCheck()).text)
      await place.platform.turn('reset')
    }
    for (const text of texts)
      expect(text).not.toMatch(new RegExp(`Hannah|Brandt|example\\.com|1234\\.56|${ownAccount.login}`))
  })

  test.each<[string, string, object, Record<string, RegExp>]>([
    [
      'a login without access to personal data',
      'rights',
      { missing: ['personal'] },
      { 'permissions of our login': /^differed: MT5: missing permissions: Access to personal data of accounts/ },
    ],
    [
      'a login without access to deals',
      'rights',
      { missing: ['trades'] },
      {
        'permissions of our login': /^differed: MT5: missing permissions: Access to trade orders/,
        'deal/get_batch by login': /^not tested: our login is missing the permission/,
        'position/get_batch': /^not tested/,
      },
    ],
    [
      'numbers instead of strings in time/get',
      'garble',
      { kind: 'number', path: '/api/time/get' },
      { 'time/get': /^differed: time\/get: Daylight is number, DaylightState is number, TimeZone is number/ },
    ],
    [
      'numbers instead of strings in check_balance',
      'garble',
      { kind: 'number', path: '/api/user/check_balance' },
      { 'user/check_balance': /^differed: user\/check_balance: Balance.User is number, Balance.History is number/ },
    ],
    [
      'half a response',
      'garble',
      { kind: 'half', path: '/api/user/get_batch' },
      { 'user/get_batch': /^differed: \/api\/user\/get_batch: no usable response \(The response is not JSON\)/ },
    ],
    [
      'a call that is forbidden',
      'forbid',
      { path: '/api/order/get_batch', count: 0 },
      { 'order/get_batch': /^not tested: our login is missing the permission/ },
    ],
    [
      'a clock that is wrong by minutes',
      'clock',
      { offsetSeconds: 7_500 },
      { 'time/server': /^differed: the clock is (29|30)\d s off ours/ },
    ],
    [
      'missing groups of the settings',
      'groups',
      { groups: [{ name: 'real\\standard-EUR', currency: 'EUR' }] },
      { 'groups of our settings': /^differed: .*real\\ecn-EUR does not exist or our login may not use it/ },
    ],
  ])('report %s at the call where it occurs', async (_title, name, fields, expected) => {
    await withTrades()
    await place.platform.turn(name, fields)
    const table = await runConformanceCheck().finally(() => place.platform.turn('clock', { offsetSeconds: 0 }))
    for (const [row, words] of Object.entries(expected)) expect(table.rows[row]).toMatch(words)
    const isDifferent = Object.values(expected).some((words) => words.source.startsWith('^differed'))
    expect(table.isWell).toBe(!isDifferent)
    if (name === 'groups') await place.platform.turn('groups', { groups: allGroups })
  })

  test('report a server that reads only the first login of a list in a body', async () => {
    const { login } = await makeForeignAccount()
    for (const each of [login, ownAccount.login]) {
      await place.platform.turn('market/open', { login: each })
      await place.platform.turn('market/order', { login: each, kind: 'buy-limit', price: 1.1 })
    }
    const agreeing = await runConformanceCheck()
    expect([agreeing.rows['position/get_batch'], agreeing.rows['order/get_batch']]).toEqual(['matched', 'matched'])
    await place.platform.turn('bodies', { readsFirstOnly: true })
    const { rows: results } = await runConformanceCheck()
    for (const name of ['position/get_batch', 'order/get_batch'])
      expect(results[name]).toBe(
        'differed: an array of logins in the body returns fewer accounts than a list in the address',
      )
  })

  test('include daily reports once a day has ended, and report a clock that no time zone explains', async () => {
    await withTrades()
    await place.platform.turn('clock', { offsetSeconds: 2 * 86_400 })
    const { rows: results } = await runConformanceCheck()
    expect(results['daily/get_light_batch']).toBe('matched')
    expect(results['daily/get_batch']).toBe('matched: positions in PositionAdd')
    expect(results['time/server']).toBe('differed: the clock is 48 h off ours')
    await place.platform.turn('garble', { kind: 'name', path: '/api/daily/get_batch', count: 0 })
    await place.platform.turn('garble', { kind: 'early', path: '/api/daily/get_light_batch', count: 0 })
    const other = await runConformanceCheck().finally(() => place.platform.turn('clock', { offsetSeconds: 0 }))
    expect(other.rows['daily/get_light_batch']).toMatch(/^differed: reports are created at 21:59 by the server's clock/)
    expect(other.rows['daily/get_batch']).toMatch(
      /^differed: the report lists no open positions under PositionAdd or Positions \(its lists are OpenPositions\); statements use/,
    )
  })

  test('stop after the sign-in with a wrong password', async () => {
    const { isWell, rows: results } = await conformanceTable(
      { ...place.server.env, MT5_PASSWORD: 'Simulator-2' },
      'mt5',
      address(),
    )
    expect(isWell).toBe(false)
    expect(results['sign-in']).toMatch(/^differed: Signing in to the platform failed/)
    const others = Object.entries(results).filter(([name]) => name !== 'sign-in')
    expect(new Set(others.map(([, outcome]) => outcome))).toEqual(new Set(['not tested: because of: sign-in']))
  })
})

const allGroups = ['real', 'demo'].flatMap((realm) =>
  ['standard', 'ecn', 'pro-standard', 'pro-ecn'].flatMap((type) =>
    ['EUR', 'GBP', 'USD'].map((currency) => ({ name: `${realm}\\${type}-${currency}`, currency })),
  ),
)

/** Returns the effects of a run that staff would have to investigate. */
async function sideEffects() {
  const { server } = place
  const finance = await makeStaff(server, ['finance'])
  expect((await call(server, reconcileNow, { as: finance })).status).toBe(200)
  const listed = await call(server, listDifferences, { as: finance })
  return {
    differences: listed.answer.rows.length,
    sign: await dealSearch(server.dependencies, 'MT5').look(new Date(Date.now() - 3_600_000)),
    recovery: await recoveryOf(server.dependencies.pool),
  }
}
const noSideEffects = { differences: 0, sign: null, recovery: null }

async function openRecoveryNow(): Promise<Date> {
  const since = new Date(Date.now() - 600_000)
  await transaction(place.server.dependencies.pool, (tx) =>
    openRecovery(tx, { sign: 'restored', since, now: place.server.clock.now() }),
  )
  return since
}

describe('changes', () => {
  test('are rejected for a login that our database knows, with the reason', async () => {
    await expect(runConformanceCheck('--write', ownAccount.login)).rejects.toThrow(
      `Our database knows the login ${ownAccount.login}: it is a live account here, approved. Nothing was done.`,
    )
    expect(await dealsOf(ownAccount.login)).toHaveLength(1)
  })

  test('to an unknown account are made and reversed under their own comments', async () => {
    const { login } = await makeForeignAccount()
    const table = await runConformanceCheck('--write', login)
    expect(table.text).not.toMatch(/^differed/m)
    expect(table.rows['leverage there and back']).toBe('matched: 1:30 again')
    const deals = await dealsOf(login)
    expect(deals.map(({ amount }) => amount)).toEqual(['0.01', '-0.01'])
    for (const { comment } of deals) expect(comment).toMatch(/^conformance-[a-z]{10}$/)
    expect(new Set(deals.map(({ comment }) => comment)).size).toBe(2)
    expect(await place.server.dependencies.platforms.MT5.getAccount(login)).toMatchObject({
      leverage: 30,
      balance: { minor: 0n },
    })
    expect(await sideEffects()).toEqual(noSideEffects)
  })

  test('leave the leverage of an account with open positions as it is', async () => {
    const { login } = await makeForeignAccount()
    await place.platform.turn('market/open', { login })
    const { rows: results } = await runConformanceCheck('--write', login)
    expect(results['leverage there and back']).toMatch(/^not tested: the account has open positions/)
  })

  test('whose response is lost are named by their comment, and the remaining ones are not tested', async () => {
    const { login } = await makeForeignAccount()
    await place.platform.turn('drop-after')
    const table = await runConformanceCheck('--write', login)
    const [deal] = await dealsOf(login)
    expect(table.rows['balance +0.01']).toContain(`Search for ${deal?.comment} on the platform`)
    expect(table.rows['balance −0.01']).toMatch(/^not tested/)
    expect(table.isWell).toBe(false)
  })

  test('open an account in our group that neither recovery nor reconciliation treats as ours', async () => {
    const { server } = place
    const table = await runConformanceCheck('--create', 'real\\standard-EUR')
    expect(table.text).not.toMatch(/^differed/m)
    const [, login = '', comment = ''] =
      /^matched: login (\d+) under (\S+)$/.exec(table.rows['open an account'] ?? '') ?? []
    expect(comment).toMatch(/^conformance-[a-z]{10}$/)
    expect(await server.dependencies.platforms.MT5.getAccount(login)).toMatchObject({ enabled: false })
    expect((await dealsOf(login)).map(({ amount }) => amount)).toEqual(['0.01', '-0.01'])
    expect(await sideEffects()).toEqual(noSideEffects)

    // Recovery examines every account and deal since then.
    const since = await openRecoveryNow()
    const results: string[] = []
    await operate(
      readConfig(server.env),
      ['recover', '--since', since.toISOString()],
      (line) => results.push(line),
      server.clock.now,
    )
    const kept = await rows(
      server.dependencies.pool,
      sql`select login from recovery_accounts where login = ${login}
          union all select login from recovery_items where login = ${login}`,
    )
    expect(kept).toEqual([])
    await endRecovery(server, [])
  })

  test('show on a new account whether the server reads values of a body as they were sent', async () => {
    const opened = () => runConformanceCheck('--create', 'real\\standard-EUR')
    expect((await opened()).rows['values of a body']).toBe('matched')
    await place.platform.turn('bodies', { removesEscapes: true })
    expect((await opened()).rows['values of a body']).toMatch(
      /^differed: the server removes a backslash before =, \| or/,
    )
  })

  test('require a database with our logins', async () => {
    const { DATABASE_URL: _url, DATABASE_OWNER_URL: _owner, ...env } = place.server.env
    await expect(conformanceTable(env, 'mt5', address(), '--write', '5100001')).rejects.toThrow('Set DATABASE_URL')
    const { rows: results } = await conformanceTable(env, 'mt5', address())
    expect(results['groups of our settings']).toBe('not tested: no database was found to read them from')
  })
})

test('a login that only an operation or recovery refers to also counts as known', async () => {
  const { pool } = place.server.dependencies
  await run(pool, sql`update trading_accounts set login = null, state = 'rejected' where id = ${ownAccount.id}`)
  await expect(runConformanceCheck('--write', ownAccount.login)).rejects.toThrow('an operation of ours names it')
  const { login } = await makeForeignAccount()
  await openRecoveryNow()
  await run(
    pool,
    sql`insert into recovery_accounts (platform, login, recovery, group_name, found_at)
        select 'MT5', ${login}, id, 'real\\standard-EUR', now() from recovery limit 1`,
  )
  await expect(runConformanceCheck('--write', login)).rejects.toThrow(
    'recovery found it as an account that this database had lost',
  )
  await endRecovery(place.server, [])
})
