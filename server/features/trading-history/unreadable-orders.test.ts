/**
 * An order of MetaTrader 4 that cannot be read affects only its own account (ADR 328, 329), tested over the gateway.
 */
import { beforeAll, expect, test } from 'vitest'
import { listFailedJobs, retryJob } from '#contract/office/records.ts'
import * as office from '#contract/office/trading-accounts.ts'
import * as contract from '#contract/trading-history.ts'
import { row, rows, run } from '#server/db/sql.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { metricsText } from '#server/log/metrics.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, makeStaff, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { findStalled } from '../../operator/stalled.ts'
import { recoveryStatus } from '../../recovery/recovery-status.ts'
import { readTrades } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-06-01T08:00:00Z') }, 'MT4')
beforeAll(() => setBothClocks(place, '2026-06-01T08:00:00Z'))

const turn = (name: string, fields: object = {}) => place.platform.turn(name, fields)

interface Owner {
  readonly client: MadeClient
  readonly account: Awaited<ReturnType<typeof makeFundedAccount>>
}

async function makeOwner(): Promise<Owner> {
  const client = await makeClient(place.server)
  return { client, account: await makeFundedAccount(place.server, client, 1_000_000n, 'EUR', 'MT4') }
}

/** Opens an order and closes it completely; returns its ticket. */
async function trade({ account }: Owner, profit = '50.00'): Promise<string> {
  const { position } = await turn('market/open', { login: account.login, profit })
  await turn('market/close', { position })
  return String(position)
}

async function read(seconds = 60): Promise<void> {
  place.server.clock.turn(seconds)
  await readTrades(place.server.dependencies)
}

const shown = async ({ client, account }: Owner) => {
  const { dependencies, clock } = place.server
  const login = { accountId: account.id, platform: 'MT4', login: account.login, currency: 'EUR' } as const
  await fetchSnapshot(dependencies.pool, dependencies, login, clock.now())
  const params = { platform: 'MT4' as const, number: account.login }
  const as = await clientTokenFor(place.server, client)
  const { answer: trades } = await call(place.server, contract.getTrades, { as, params, query: {} })
  const query = { period: 'all' as const }
  const { answer: curve } = await call(place.server, contract.getAccountCurve, { as, params, query })
  const file = (await call(place.server, contract.tradesCsv, { as, params, query: {} })).bytes.toString()
  const staff = (await makeStaff(place.server, ['operations'])).token
  const { answer: staffTrades } = await call(place.server, office.getOfficeTrades, { as: staff, params, query: {} })
  expect(staffTrades).toEqual(trades)
  return {
    trades: trades.trades.length,
    totals: trades.totals?.result ?? null,
    checked: [trades.beingChecked, curve.beingChecked, file.includes('This file is not complete.')],
  }
}
const whole = (trades: number, totals: bigint) => ({ trades, totals, checked: [false, false, false] })
const incomplete = (trades: number) => ({ trades, totals: null, checked: [true, true, true] })

const stalledRowsOf = async ({ account }: Owner) =>
  (await findStalled(place.server.dependencies.pool, place.server.clock.now())).filter(
    ({ what }) => what === `trades of account MT4 ${account.login}`,
  )
const readAt = async () =>
  (
    await row<{ at: Date | null }>(place.server.dependencies.pool)`
      select read_at as at from deal_cursors where platform = 'MT4'`
  )?.at
const markUnread = ({ account }: Owner) => run(place.server.dependencies.pool)`
  update account_histories set unread = true where account_id = ${account.id}`

test.each([
  ['profit', '1e400', 'not an amount (“1e400”)'],
  ['swap', '-nan(ind)', 'not an amount (“-nan(ind)”)'],
  ['taxes', null, 'taxes is missing'],
  ['kind', 'hedge', 'kind is unknown (“hedge”)'],
  ['lots', '-', 'not a number (“-”)'],
  ['openPrice', 'n/a', 'not a number (“n/a”)'],
  ['closePrice', null, 'closePrice is missing'],
  ['symbol', null, 'symbol is missing'],
  ['comment', null, 'comment is missing'],
  ['deleted', null, 'deleted is missing'],
])(
  'an order with %s “%s” does not affect other accounts, and is replaced once it can be read',
  async (field, value, cause) => {
    const [of, other] = [await makeOwner(), await makeOwner()]
    await read()
    const ticket = await trade(of)
    await turn('records/garble', { ticket, fields: { [field]: value } })
    await trade(other, '30.00')
    await read()
    expect(await readAt()).toEqual(place.server.clock.now())
    expect(await shown(other)).toEqual(whole(1, 3_000n))
    expect(await shown(of)).toEqual(incomplete(0))
    const stalled = await stalledRowsOf(of)
    expect(stalled).toHaveLength(1)
    expect(stalled[0]?.cause).toContain(`Deal ${ticket}: `)
    expect(stalled[0]?.cause).toContain(cause)
    // Repeated readings write nothing, and a comment is not stored.
    const versions = () => rows<{ comment: boolean }>(place.server.dependencies.pool)`
      select (unreadable -> 'raw') ? 'comment' as comment from platform_deals
        where abs(deal) = ${ticket} and unreadable is not null`
    const before = await versions()
    expect(before.some(({ comment }) => comment)).toBe(false)
    await read()
    expect(await versions()).toHaveLength(before.length)
    await turn('reset')
    await read()
    expect(await shown(of)).toEqual(whole(1, 5_000n))
    expect(await stalledRowsOf(of)).toEqual([])
  },
)

test('staff see one row for the account and can have it read again', async () => {
  const of = await makeOwner()
  await read()
  const ticket = await trade(of)
  await turn('records/garble', { ticket, fields: { profit: 'n/a', comment: 'a\u0000b' } })
  await read()
  const as = await makeStaff(place.server, ['operations'])
  const failed = async () =>
    (await call(place.server, listFailedJobs, { as, query: { source: 'trades' } })).answer.rows.filter(
      ({ client }) => client?.id === of.client.id,
    )
  const [one, ...others] = await failed()
  expect(others).toEqual([])
  expect(one).toMatchObject({
    state: 'unreadable',
    ref: `MT4 ${of.account.login}`,
    lastError: `Deal ${ticket}: profit is not an amount (“n/a”).`,
  })
  const metrics = metricsText(await recoveryStatus(place.server.dependencies.pool, place.server.clock.now()))
  expect(metrics).toContain('\naccounts_with_unreadable_deals 1')
  await turn('reset')
  const retry = { as, params: { source: 'trades', id: one?.id ?? '' } as const, body: { reason: 'corrected there' } }
  expect((await call(place.server, retryJob, retry)).status).toBe(200)
  await read()
  expect([await shown(of), await failed()]).toEqual([whole(1, 5_000n), []])
})

test('an open order with an unreadable result does not make the closed trades incomplete', async () => {
  const of = await makeOwner()
  await read()
  await trade(of)
  const { position: ticket } = await turn('market/open', { login: of.account.login, profit: '1.00' })
  await turn('records/garble', { ticket, fields: { profit: 'n/a' } })
  await read()
  expect(await shown(of)).toEqual(whole(1, 5_000n))
  expect(await stalledRowsOf(of)).toEqual([])
  await turn('records/garble', { ticket, fields: { symbol: null } })
  await markUnread(of)
  await read()
  expect(await shown(of)).toEqual(incomplete(1))
  // Its price moves while it is open, but no further version is written.
  const count = () => rows(place.server.dependencies.pool)`select 1 from platform_deals where deal = ${-Number(ticket)}`
  expect(await count()).toHaveLength(2)
  await turn('market/move', { position: ticket, profit: '2.00' })
  await markUnread(of)
  await read()
  expect(await count()).toHaveLength(2)
  await turn('reset')
  await markUnread(of)
  await read()
  expect(await shown(of)).toEqual(whole(1, 5_000n))
})

test.each([
  ['ticket', 'n/a', 'ticket is not a number (“n/a”)'],
  ['openedAt', '-1', 'openedAt is not a time (“-1”)'],
  ['closedAt', 'soon', 'closedAt is not a time (“soon”)'],
])(
  'an order that cannot be stored because its %s is “%s” leaves the account incomplete, and no order is treated as deleted',
  async (field, value, cause) => {
    const [of, other] = [await makeOwner(), await makeOwner()]
    const known = await trade(of, '5.00')
    await read()
    const ticket = await trade(of)
    await turn('records/garble', { ticket, fields: { [field]: value } })
    await trade(other, '30.00')
    await read()
    expect(await shown(other)).toEqual(whole(1, 3_000n))
    expect(await shown(of)).toEqual(incomplete(1))
    expect((await stalledRowsOf(of))[0]?.cause).toContain(`Deal ?: ${cause}`)
    await turn('records/garble', { ticket: known, fields: { [field]: value } })
    await markUnread(of)
    await read()
    expect(await shown(of)).toEqual(incomplete(1))
    await turn('reset')
    await markUnread(of)
    await read()
    expect(await shown(of)).toEqual(whole(2, 5_500n))
    expect(await stalledRowsOf(of)).toEqual([])
  },
)

test('an order of another account in an account’s list is not treated as deleted', async () => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  const ticket = await trade(of)
  await trade(other, '30.00')
  await read()
  await turn('records/garble', { ticket, fields: { login: '77' } })
  await run(place.server.dependencies.pool)`update account_histories set unread = true
    where account_id = any (${[of.account.id, other.account.id]}::uuid[])`
  await read()
  expect([await shown(of), await shown(other)]).toEqual([whole(1, 5_000n), whole(1, 3_000n)])
  await turn('reset')
  await read(3_600)
})

test('an order without a readable account is found by the comparison of the account whose sum lacks it', async () => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  await read()
  const ticket = await trade(of)
  await turn('records/garble', { ticket, fields: { login: 'n/a' } })
  await trade(other, '30.00')
  await read()
  expect(await shown(other)).toEqual(whole(1, 3_000n))
  await run(place.server.dependencies.pool)`
    update account_histories set compared_at = null where account_id = ${of.account.id}`
  await read()
  expect((await stalledRowsOf(of))[0]?.cause).toContain('login is not a number (“n/a”)')
  expect((await shown(of)).checked).toEqual([true, true, true])
  await turn('reset')
})

test('an unreadable part of a position hides its other parts until it can be read', async () => {
  const of = await makeOwner()
  await read()
  const { position } = await turn('market/open', { login: of.account.login, lots: 1, profit: '10.00' })
  await turn('market/close', { position, lots: 0.4 })
  await turn('market/close', { position })
  await read()
  expect((await shown(of)).trades).toBe(2)
  await turn('records/garble', { ticket: position, fields: { commission: 'n/a' } })
  await markUnread(of)
  await read()
  expect(await shown(of)).toEqual(incomplete(0))
  await turn('reset')
  await markUnread(of)
  await read()
  expect(await shown(of)).toMatchObject({ trades: 2, checked: [false, false, false] })
})
