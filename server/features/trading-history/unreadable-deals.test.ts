/**
 * A deal that cannot be read affects only its own account (ADR 328), tested over the wire with the simulated platform.
 */
import { beforeEach, expect, test } from 'vitest'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getFailedJob, listFailedJobs, retryJob } from '#contract/office/records.ts'
import * as contract from '#contract/trading-history.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { readConfig } from '#server/config/config.ts'
import { row, rows, run } from '#server/db/sql.ts'
import { metricsText } from '#server/log/metrics.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, makeStaff, clientTokenFor, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { makeApprovedBank, makeFundedAccount, withdrawalBody } from '#tests/funded-account.ts'
import { operate } from '../../operator/commands.ts'
import { findStalled } from '../../operator/stalled.ts'
import { recoveryStatus } from '../../recovery/recovery-status.ts'
import { compareAll } from '../reconciliation/compare.ts'
import { readTrades } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-06-01T08:00:00Z') })
// A test may have advanced only the server's clock. Neither clock is ever set back: readings continue from the last
// deal.
beforeEach(() => daysLater(0))

const daysLater = (days: number) =>
  setBothClocks(place, new Date(place.server.clock.now().getTime() + days * 86_400_000).toISOString())
const turn = (name: string, fields: object = {}) => place.platform.turn(name, fields)

interface Owner {
  readonly client: MadeClient
  readonly account: Awaited<ReturnType<typeof makeFundedAccount>>
}

async function makeOwner(): Promise<Owner> {
  const client = await makeClient(place.server)
  return { client, account: await makeFundedAccount(place.server, client, 1_000_000n) }
}

/** Closes a trade on the platform; returns its closing deal. */
async function trade({ account }: Owner, profit = '50.00'): Promise<string> {
  const { position } = await turn('market/open', { login: account.login, profit })
  await turn('market/close', { position })
  return (await dealsThere(account.login)).at(-1)?.ticket ?? ''
}

const dealsThere = (login: string) => place.platform.read<{ ticket: string; action: number }[]>(`deals?login=${login}`)

async function read(seconds = 60): Promise<void> {
  place.server.clock.turn(seconds)
  await readTrades(place.server.dependencies)
}

async function figures({ account }: Owner): Promise<void> {
  const login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
  await fetchSnapshot(place.server.dependencies.pool, place.server.dependencies, login, place.server.clock.now())
}

const params = ({ account }: Owner) => ({ platform: 'MT5' as const, number: account.login })
const shown = async (of: Owner) => {
  await figures(of)
  const as = await clientTokenFor(place.server, of.client)
  const { answer: trades } = await call(place.server, contract.getTrades, { as, params: params(of), query: {} })
  const { answer: curve } = await call(place.server, contract.getAccountCurve, {
    as,
    params: params(of),
    query: { period: 'all' },
  })
  const file = (await call(place.server, contract.tradesCsv, { as, params: params(of), query: {} })).bytes.toString()
  return {
    trades: trades.trades.length,
    totals: trades.totals?.result ?? null,
    checked: [trades.beingChecked, curve.beingChecked, file.includes('This file is not complete.')],
  }
}
const whole = (trades: number, totals: bigint) => ({ trades, totals, checked: [false, false, false] })
const incomplete = (trades: number) => ({ trades, totals: null, checked: [true, true, true] })

const versions = async (ticket: string) =>
  (
    await rows<{ version: number; field: string | null }>(place.server.dependencies.pool)`
      select version, unreadable ->> 'field' as field from platform_deals where deal = ${ticket} order by version`
  ).map(({ version, field }) => [version, field])
const readAt = async () =>
  (
    await row<{ at: Date | null }>(place.server.dependencies.pool)`
      select read_at as at from deal_cursors where platform = 'MT5'`
  )?.at

const failed = async (as: MadeStaff, { client }: Owner, language = 'en') =>
  (
    await call(place.server, listFailedJobs, {
      as,
      query: { source: 'trades' },
      headers: { 'accept-language': language },
    })
  ).answer.rows.filter(({ client: one }) => one?.id === client.id)
const stalledRowsOf = async ({ account }: Owner) =>
  (await findStalled(place.server.dependencies.pool, place.server.clock.now())).filter(
    ({ what }) => what === `trades of account MT5 ${account.login}`,
  )
const unreadableMetric = async () =>
  /\naccounts_with_unreadable_deals (\d+)/.exec(
    metricsText(await recoveryStatus(place.server.dependencies.pool, place.server.clock.now())),
  )?.[1]

test.each([
  ['Profit', '1e400', 'amount'],
  ['Profit', '', 'amount'],
  ['Profit', 'n/a', 'amount'],
  ['Commission', '1,5', 'amount'],
  ['Storage', null, 'missing'],
  ['Fee', '-nan(ind)', 'amount'],
  ['Action', '77', 'action'],
  ['Action', '9999', 'action'],
  ['Action', 'x', 'action'],
  ['VolumeClosedExt', '-', 'number'],
  ['PositionID', 'none', 'number'],
  ['Price', 'n/a', 'number'],
  ['Symbol', null, 'missing'],
])(
  'a deal with %s “%s” does not affect other accounts, and is replaced once it can be read',
  async (field, value, reason) => {
    const [of, other] = [await makeOwner(), await makeOwner()]
    await read()
    const ticket = await trade(of)
    await turn('deals/garble', { ticket, fields: { [field]: value } })
    await trade(other, '30.00')
    await read()
    expect(await readAt()).toEqual(place.server.clock.now())
    expect(await shown(other)).toEqual(whole(1, 3_000n))
    expect(await shown(of)).toEqual(incomplete(0))
    const kept = await row<{ reason: string; raw: string | null; comment: boolean }>(place.server.dependencies.pool)`
    select unreadable ->> 'reason' as reason, unreadable -> 'raw' ->> ${field} as raw,
        (unreadable -> 'raw') ? 'Comment' as comment from platform_deals where deal = ${ticket}`
    expect(kept).toEqual({ reason, raw: value, comment: false })
    // Repeated readings write nothing.
    await read()
    expect(await versions(ticket)).toEqual([[1, field]])
    await turn('deals/garble', { ticket, fields: {} })
    await read()
    expect(await versions(ticket)).toEqual([
      [1, field],
      [2, null],
    ])
    expect(await shown(of)).toEqual(whole(1, 5_000n))
    expect(await stalledRowsOf(of)).toEqual([])
  },
)

test('staff see cause, effect and next attempt in one row, and can have the account read again', async () => {
  const of = await makeOwner()
  await read()
  const ticket = await trade(of)
  // PostgreSQL cannot store a zero byte.
  await turn('deals/garble', { ticket, fields: { Profit: `\u0000${'9'.repeat(60)}e400`, Comment: 'a\u0000b' } })
  await read()
  const as = await makeStaff(place.server, ['operations'])
  const [one] = await failed(as, of)
  const value = '9'.repeat(40)
  expect(one).toMatchObject({
    state: 'unreadable',
    kind: 'read-trades',
    meaning: 'account-incomplete',
    ref: `MT5 ${of.account.login}`,
    lastError: `Deal ${ticket}: Profit is not an amount (“${value}”).`,
    refusal: null,
  })
  expect((await failed(as, of, 'de'))[0]?.lastError).toBe(`Deal ${ticket}: Profit ist kein Betrag („${value}“).`)
  const next = one?.nextTryAt?.getTime() ?? 0
  expect(next).toBeGreaterThan(place.server.clock.now().getTime())
  expect(await stalledRowsOf(of)).toMatchObject([
    { cause: one?.lastError, sick: true, next: new Date(next).toISOString() },
  ])
  expect(await unreadableMetric()).toBe('1')
  // Days later, only a reading of the whole account finds the correction.
  await daysLater(8)
  await trade(of, '1.00')
  await read()
  await turn('deals/garble', { ticket, fields: {} })
  const parts = { source: 'trades', id: one?.id ?? '' } as const
  const later = await makeStaff(place.server, ['operations'])
  const detail = await call(place.server, getFailedJob, { as: later, params: parts })
  expect(detail.answer.tries).toMatchObject([{ what: 'written', error: one?.lastError }])
  const retry = () => call(place.server, retryJob, { as: later, params: parts, body: { reason: 'corrected there' } })
  expect((await retry()).status).toBe(200)
  await read()
  expect(await shown(of)).toEqual(whole(2, 5_100n))
  expect(await failed(later, of)).toEqual([])
  expect(await stalledRowsOf(of)).toEqual([])
  expect(await unreadableMetric()).toBe('0')
  expect((await retry()).failure.code).toBe('job-gone')
})

test('without staff the deal is read again within a day, even if its amount is zero', async () => {
  const of = await makeOwner()
  await read()
  const ticket = await trade(of, '0.00')
  await turn('deals/garble', { ticket, fields: { Profit: 'n/a' } })
  await read()
  expect((await shown(of)).totals).toBeNull()
  await daysLater(8)
  await trade(of, '2.00')
  await read()
  await turn('deals/garble', { ticket, fields: {} })
  await daysLater(1)
  await read()
  await read()
  expect(await shown(of)).toEqual(whole(2, 200n))
})

test('two simultaneous processes, and an interrupted reading, write each version once', async () => {
  const of = await makeOwner()
  await read()
  const ticket = await trade(of)
  await turn('deals/garble', { ticket, fields: { Profit: 'n/a' } })
  const { pool } = place.server.dependencies
  const cursor = () =>
    run(pool)`update deal_cursors set turn_at = 'epoch', newest_ms = newest_ms - 600000 where platform = 'MT5'`
  place.server.clock.turn(60)
  await Promise.all([readTrades(place.server.dependencies), cursor().then(() => readTrades(place.server.dependencies))])
  await cursor()
  await read()
  expect(await versions(ticket)).toEqual([[1, 'Profit']])
  await turn('reset')
  await read()
})

test('the very first deal of an account, a deposit made by our ledger, is found by its ticket', async () => {
  const client = await makeClient(place.server)
  const of: Owner = { client, account: await makeFundedAccount(place.server, client, 1_000_000n) }
  const [first] = await dealsThere(of.account.login)
  await turn('deals/garble', { ticket: first?.ticket, fields: { Profit: '1e400' } })
  await read()
  expect(await shown(of)).toEqual(incomplete(0))
  // The search for it reports that it cannot be read; the balance is updated and the trading result posted.
  const ref = (await place.platform.read<{ comment: string }[]>(`deals?login=${of.account.login}`))[0]?.comment ?? ''
  const now = place.server.clock.now()
  const { MT5 } = place.server.dependencies.platforms
  await expect(MT5.findBalanceOperation(of.account.login, ref, now)).rejects.toThrow('cannot be read')
  expect(await MT5.findBalanceOperation(of.account.login, 'ANOTHER1', now)).toBeNull()
  await trade(of, '12.00')
  await figures(of)
  const kept = await row<{ balance: bigint }>(place.server.dependencies.pool)`
    select balance_minor as balance from platform_figures where account_id = ${of.account.id}`
  expect(kept?.balance).toBe(1_001_200n)
  await turn('reset')
  await read()
  expect(await shown(of)).toEqual(whole(1, 1_200n))
})

test('thousands of deals that cannot be read are one row', async () => {
  const of = await makeOwner()
  await turn('deals/write', { login: of.account.login, action: 2, amount: '5000.00', time: 1_699_000_000 })
  await turn('deals/past', { login: of.account.login, from: 1_700_000_000, to: 1_779_000_000, seed: 4 })
  const { deals } = await turn('deals/garble', { login: of.account.login, fields: { Profit: 'n/a' } })
  expect(Number(deals)).toBeGreaterThan(1_000)
  await read()
  const as = await makeStaff(place.server, ['operations'])
  const found = await failed(as, of)
  expect(found).toHaveLength(1)
  expect(found[0]?.lastError).toContain(`Deals of this account that cannot be read: ${String(deals)}.`)
  await turn('reset')
  const printed: string[] = []
  const env = readConfig(place.server.env)
  await operate(env, ['retry', found[0]?.id ?? ''], (line) => printed.push(line), place.server.clock.now)
  expect(printed).toEqual([`${found[0]?.id}: retried.`])
  await read()
  expect((await shown(of)).totals).not.toBeNull()
  expect(await failed(as, of)).toEqual([])
})

test.each([
  ['Deal', 'n/a'],
  ['TimeMsc', '-1'],
  ['TimeMsc', '99999999999999999'],
])(
  'a deal that cannot be stored because its %s is “%s” leaves the account incomplete, and no deal is treated as deleted',
  async (field, value) => {
    const [of, other] = [await makeOwner(), await makeOwner()]
    const known = await trade(of, '5.00')
    await read()
    const ticket = await trade(of)
    await turn('deals/garble', { ticket, fields: { [field]: value } })
    await trade(other, '30.00')
    await read()
    expect(await shown(other)).toEqual(whole(1, 3_000n))
    expect(await shown(of)).toEqual(incomplete(1))
    const [one] = await stalledRowsOf(of)
    expect(one?.cause).toContain(`Deal ?: ${field} is not a ${field === 'Deal' ? 'number' : 'time'} (“${value}”).`)
    // In a complete reading, the known deal is unreadable as well: it is not treated as deleted.
    await turn('deals/garble', { ticket: known, fields: { [field]: value } })
    const again = () => run(place.server.dependencies.pool)`
      update account_histories set unread = true where account_id = ${of.account.id}`
    await again()
    await read()
    expect(await shown(of)).toEqual(incomplete(1))
    await turn('reset')
    await again()
    await read()
    expect(await shown(of)).toEqual(whole(2, 5_500n))
    expect(await stalledRowsOf(of)).toEqual([])
  },
)

test('a deal without a readable account is found by the comparison of the account whose sum lacks it', async () => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  await read()
  const ticket = await trade(of)
  await turn('deals/garble', { ticket, fields: { Login: 'n/a' } })
  await trade(other, '30.00')
  await read()
  expect(await shown(other)).toEqual(whole(1, 3_000n))
  expect(await stalledRowsOf(of)).toEqual([])
  await run(place.server.dependencies.pool)`
    update account_histories set compared_at = null where account_id = ${of.account.id}`
  await read()
  expect((await stalledRowsOf(of))[0]?.cause).toContain('Login is not a number (“n/a”)')
  expect((await shown(of)).checked).toEqual([true, true, true])
  await turn('reset')
})

test('a deal of an account that is not ours is neither stored nor reported, and hides no lost operation', async () => {
  const of = await makeOwner()
  const stranger = await place.server.dependencies.platforms.MT5.createAccount(
    platformAccount('STRANGER1', 'real\\standard-EUR'),
  )
  await turn('deals/write', { login: stranger.login, action: 2, amount: '9.00', comment: 'by hand' })
  const [unreadable] = await dealsThere(stranger.login)
  await turn('deals/garble', { ticket: unreadable?.ticket, fields: { Profit: '1e400', Time: 'n/a' } })
  await trade(of)
  await read()
  expect(await shown(of)).toEqual(whole(1, 5_000n))
  expect(await versions(unreadable?.ticket ?? '')).toEqual([])
  // The search over all accounts before the first send finds every reference, readable or not.
  const now = place.server.clock.now().getTime()
  const found = await place.server.dependencies.platforms.MT5.balanceOperationsSince({
    from: new Date(now - 3_600_000),
    to: new Date(now + 3_600_000),
    after: null,
  })
  expect(found.operations.find(({ comment }) => comment === 'by hand')).toMatchObject({ amount: null })
  expect(found.operations.some(({ login }) => login === of.account.login)).toBe(true)
  // The comparison of many accounts finds them as well.
  const readings = await place.server.dependencies.platforms.MT5.bulk.readAccounts([stranger.login, of.account.login], {
    from: new Date(now - 3_600_000),
    to: new Date(now + 3_600_000),
  })
  const window = [new Date(now - 3_600_000), new Date(now + 3_600_000)] as const
  expect(await readings.balanceOperations(of.account.login, ...window)).toMatchObject([
    { amount: { minor: 1_000_000n } },
  ])
  expect(await readings.balanceOperations(stranger.login, ...window)).toMatchObject([{ amount: null }])
  await turn('reset')
})

test.each([
  ['Profit', 'n/a'],
  ['Comment', null],
])(
  'a manual balance deal whose %s cannot be read keeps the older balance, and is a discrepancy once it can be read',
  async (field, value) => {
    const of = await makeOwner()
    const balance = async () =>
      (
        await row<{ balance: bigint }>(place.server.dependencies.pool)`
        select balance_minor as balance from platform_figures where account_id = ${of.account.id}`
      )?.balance
    const open = () => rows(place.server.dependencies.pool)`
    select 1 from differences where account_id = ${of.account.id} and kind = 'platform-only'`
    const { ticket } = await turn('deals/write', {
      login: of.account.login,
      action: 2,
      amount: '700.00',
      comment: 'bonus',
    })
    await turn('deals/garble', { ticket, fields: { [field]: value } })
    await figures(of)
    expect([await balance(), await open()]).toEqual([1_000_000n, []])
    await read()
    expect((await stalledRowsOf(of))[0]?.cause).toContain(field)
    await turn('reset')
    await figures(of)
    expect([await balance(), (await open()).length]).toEqual([1_070_000n, 1])
  },
)

test.each(['alone', 'among many'])(
  'a manual balance deal without a readable time, read %s, is a discrepancy and not a trading result',
  async (how) => {
    const of = await makeOwner()
    const { pool } = place.server.dependencies
    await trade(of, '3.00')
    await figures(of)
    const { ticket } = await turn('deals/write', {
      login: of.account.login,
      action: 2,
      amount: '700.00',
      comment: 'bonus',
    })
    await turn('deals/garble', { ticket, fields: { Time: 'n/a', TimeMsc: null } })
    const now = place.server.clock.now()
    if (how === 'alone') await figures(of)
    else await compareAll(place.server.dependencies, { identity: { kind: 'clock' }, now, reference: 'compare' })
    // The trading result belongs to the client; the deal that two people must decide does not.
    expect(await accountLiability(pool, { accountId: of.account.id })).toBe(1_000_300n)
    expect(
      await rows(pool)`
      select 1 from differences where account_id = ${of.account.id} and kind = 'platform-only'`,
    ).toHaveLength(1)
    await turn('reset')
  },
)

test('an account whose first reading finds such a deal shows no balance and allows no withdrawal until it can be read', async () => {
  const of = await makeOwner()
  const { pool } = place.server.dependencies
  // The state of an account that recovery has adopted.
  await run(pool)`delete from platform_figures where account_id = ${of.account.id}`
  const { ticket } = await turn('deals/write', {
    login: of.account.login,
    action: 2,
    amount: '700.00',
    comment: 'bonus',
  })
  await turn('deals/garble', { ticket, fields: { Profit: 'n/a' } })
  const bankId = await makeApprovedBank(place.server, of.client)
  const balance = async () => {
    place.server.clock.turn(60)
    const as = await clientTokenFor(place.server, of.client)
    const { answer } = await call(place.server, getLiveAccounts, { as, params: { a: 'all', b: 'all' } })
    return answer.accounts.find(({ number }) => number === of.account.login)?.balance
  }
  const withdraw = async () =>
    (
      await call(place.server, requestWithdrawal, {
        as: await clientTokenFor(place.server, of.client),
        body: withdrawalBody(of.account, bankId, '10500.00'),
      })
    ).failure.code
  expect([await balance(), await withdraw(), await balance()]).toEqual([null, 'figures-old', null])
  await turn('reset')
  expect(await balance()).toBe(1_070_000n)
  expect(
    await rows(pool)`select 1 from differences where account_id = ${of.account.id} and kind = 'platform-only'`,
  ).toHaveLength(1)
})

test('readable trades are filtered and paged, without a count or totals', async () => {
  const of = await makeOwner()
  await read()
  for (let one = 0; one < 12; one += 1) await trade(of, one < 2 ? '-1.00' : '1.00')
  const ticket = await trade(of)
  await turn('deals/garble', { ticket, fields: { Profit: 'n/a' } })
  await read()
  const as = await clientTokenFor(place.server, of.client)
  const page = async (query: Readonly<Record<string, string>>) =>
    (await call(place.server, contract.getTrades, { as, params: params(of), query })).answer
  const first = await page({ size: '10' })
  expect(first).toMatchObject({ total: null, totals: null, beingChecked: true, symbols: ['EURUSD'] })
  const second = await page({ size: '10', after: first.next ?? '' })
  expect(second).toMatchObject({ total: null, totals: null, beingChecked: true, next: null })
  expect(first.trades).toHaveLength(10)
  expect([...first.trades, ...second.trades].map((one) => one.ticket)).not.toContain(ticket)
  expect(second.trades.map(({ profit }) => profit)).toEqual([-100n, -100n])
  const losses = await page({ result: 'loss' })
  expect([losses.trades.length, losses.total, losses.totals]).toEqual([2, null, null])
  expect((await page({ side: 'sell' })).trades).toEqual([])
  await turn('reset')
  await read()
  expect(await page({ result: 'loss' })).toMatchObject({ total: 2, totals: { result: -200n }, beingChecked: false })
})

test('our own operation is not a discrepancy while ticket and reference of its deal cannot be read', async () => {
  const of = await makeOwner()
  const [funds] = await place.platform.read<{ ticket: string }[]>(`deals?login=${of.account.login}`)
  await turn('deals/garble', { ticket: funds?.ticket, fields: { Deal: 'n/a', Comment: null } })
  place.server.clock.turn(180)
  const now = place.server.clock.now()
  await compareAll(place.server.dependencies, { identity: { kind: 'clock' }, now, reference: 'compare' })
  expect(
    await rows(place.server.dependencies.pool)`select kind from differences where account_id = ${of.account.id}`,
  ).toEqual([])
  await turn('reset')
})

test.each([
  ['Login', 'n/a', true],
  ['Time', 'n/a', true],
  ['Action', null, false],
  ['Comment', null, false],
])('our own operation is found although its %s is “%s”, alone and among many', async (field, value, isAmountKnown) => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  const [funds] = await place.platform.read<{ ticket: string; comment: string }[]>(`deals?login=${of.account.login}`)
  await turn('deals/garble', { ticket: funds?.ticket, fields: { [field]: value } })
  const { MT5 } = place.server.dependencies.platforms
  const now = place.server.clock.now()
  // Null would mean that it was not carried out, and it would be sent again.
  const found = MT5.findBalanceOperation(of.account.login, funds?.comment ?? '', now)
  if (isAmountKnown) expect(await found).toMatchObject({ ticket: funds?.ticket, amount: { minor: 1_000_000n } })
  else await expect(found).rejects.toThrow('cannot be read')
  const window = { from: new Date(now.getTime() - 3_600_000), to: new Date(now.getTime() + 3_600_000) }
  const readings = await MT5.bulk.readAccounts([of.account.login, other.account.login], window)
  for (const { account } of [of, other])
    expect(await readings.balanceOperations(account.login, window.from, window.to)).toHaveLength(1)
  // Without a readable time it can belong to any period, including the one since the last reading.
  const since = await readings.balanceOperations(of.account.login, new Date(now.getTime() + 60_000), window.to)
  expect(since).toHaveLength(field === 'Time' ? 1 : 0)
  await turn('reset')
})

test('a deal of another account in an account’s list is not treated as deleted, and the account is reported', async () => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  const ticket = await trade(of)
  await trade(other, '30.00')
  await read()
  await turn('deals/garble', { ticket, fields: { Login: '77' } })
  await run(place.server.dependencies.pool)`update account_histories set unread = true
    where account_id = any (${[of.account.id, other.account.id]}::uuid[])`
  await read()
  expect([await shown(of), await shown(other)]).toEqual([whole(1, 5_000n), whole(1, 3_000n)])
  const stalled = await findStalled(place.server.dependencies.pool, place.server.clock.now())
  expect(stalled.filter(({ what }) => what.includes(of.account.login))).toMatchObject([
    { cause: 'Unavailable: The platform returned a deal of another account' },
  ])
  await turn('reset')
  await read(3_600)
})
