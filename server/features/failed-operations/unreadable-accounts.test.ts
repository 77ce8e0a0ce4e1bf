/** An account that the platform does not answer as agreed is one row for staff and operator (ADR 331). */
import { afterEach, expect, test, vi } from 'vitest'
import { getFailedJob, listFailedJobs, retryJob } from '#contract/office/records.ts'
import { readConfig } from '#server/config/config.ts'
import { row } from '#server/db/sql.ts'
import { Unavailable } from '#server/integrations/errors.ts'
import { metricsText } from '#server/log/metrics.ts'
import { call, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { platformForFile, startedForFile } from '#tests/for-file.ts'
import { fundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { operate } from '../../operator/commands.ts'
import { findStalled } from '../../operator/stalled.ts'
import { recoveryStatus } from '../../recovery/recovery-status.ts'
import { compareAll } from '../reconciliation/compare.ts'
import { rereadAccounts } from '../reconciliation/reread-accounts.ts'

const mt5 = platformForFile({ now: new Date() })
const mt4 = startedForFile(() => startServerWithPlatform({ now: new Date() }, 'MT4'))
afterEach(() => Promise.all([mt5.platform.turn('reset'), mt4.platform.turn('reset')]))

const hourSeconds = 3_600

async function owner(place: ServerWithPlatform, platform: 'MT4' | 'MT5') {
  const client = await makeClient(place.server)
  const account = await fundedAccount(place.server, client, 1_000_000n, 'EUR', platform)
  await place.platform.turn('market/open', { login: account.login, profit: '2.00' })
  return { client, account }
}

const compare = ({ server }: ServerWithPlatform) =>
  compareAll(server.dependencies, { identity: { kind: 'clock' }, now: server.clock.now(), reference: 'compare' })
const reread = ({ server }: ServerWithPlatform) => rereadAccounts(server.dependencies, server.clock.now())
const named = async ({ server }: ServerWithPlatform, login: string) =>
  (await findStalled(server.dependencies.pool, server.clock.now())).filter(({ what }) => what.includes(login))
const measured = async ({ server }: ServerWithPlatform) =>
  /\naccounts_that_cannot_be_read (\d+)/.exec(
    metricsText(await recoveryStatus(server.dependencies.pool, server.clock.now())),
  )?.[1]
const listed = async ({ server }: ServerWithPlatform, { id }: MadeClient, language = 'en') => {
  const as = await makeStaff(server, ['operations'])
  const headers = { 'accept-language': language }
  const { rows } = (await call(server, listFailedJobs, { as, query: { source: 'account' }, headers })).answer
  return rows.filter(({ client }) => client?.id === id)
}

test.each([
  ['trade-states', 'Balance', '-nan(ind)', 'Balance is not an amount (“-nan(ind)”).'],
  ['trade-states', 'Credit', '1e400', 'Credit is not an amount (“1e400”).'],
  ['trade-states', 'Equity', null, 'Equity is missing in the platform’s response.'],
  ['trade-states', 'MarginFree', '', 'MarginFree is not an amount (“”).'],
  ['users', 'Leverage', 'n/a', 'Leverage is not a number (“n/a”).'],
  ['users', 'Rights', '99999999999999999999', 'Rights is not valid (“99999999999999999999”).'],
  ['users', 'Login', 'n/a', 'Login is not valid (“n/a”).'],
  ['users', 'Group', 'real\\Nowhere', 'Our login may not read the group “real\\Nowhere”.'],
])('of the %s the %s “%s” is the cause of one row, the same everywhere', async (record, field, value, cause) => {
  const [of, other] = [await owner(mt5, 'MT5'), await owner(mt5, 'MT5')]
  await mt5.platform.turn(`${record}/garble`, { login: of.account.login, fields: { [field]: value } })
  await compare(mt5)
  const next = new Date(Math.floor(mt5.server.clock.now().getTime() / 1000) * 1000 + hourSeconds * 1000)
  const [one, ...more] = await listed(mt5, of.client)
  expect([more, await listed(mt5, other.client)]).toEqual([[], []])
  expect(one).toMatchObject({
    ref: `MT5 ${of.account.login}`,
    kind: 'read-account',
    state: 'account-unreadable',
    meaning: 'account-unread',
    lastError: cause,
    nextTryAt: next,
    account: { platform: 'MT5', number: of.account.login },
    refusal: null,
  })
  const stalled = await named(mt5, of.account.login)
  expect(stalled).toMatchObject([{ what: `account MT5 ${of.account.login}`, cause, sick: true }])
  expect(stalled[0]?.next.slice(0, 19)).toBe(next.toISOString().slice(0, 19))
  expect(stalled[0]?.action).toContain(`npm run operator -- retry ${of.account.id}`)
  expect(await measured(mt5)).toBe('1')
  // Read again after an hour it is the same; once it can be read the row is gone.
  mt5.server.clock.turn(hourSeconds)
  await reread(mt5)
  expect(await named(mt5, of.account.login)).toHaveLength(1)
  await mt5.platform.turn('reset')
  mt5.server.clock.turn(hourSeconds)
  await reread(mt5)
  expect([await named(mt5, of.account.login), await listed(mt5, of.client)]).toEqual([[], []])
  expect(await measured(mt5)).toBe('0')
})

test('staff and operator have it read again in the next minute, and it has newer balances', async () => {
  const of = await owner(mt5, 'MT5')
  const { pool } = mt5.server.dependencies
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  const equity = async () =>
    (
      await row<{ equity: bigint }>(pool)`
        select equity_minor as equity from platform_figures where account_id = ${of.account.id}`
    )?.equity
  expect(await equity()).toBe(1_000_000n)
  expect((await listed(mt5, of.client, 'de'))[0]?.lastError).toBe('Equity ist kein Betrag („n/a“).')
  await mt5.platform.turn('reset')
  const as = await makeStaff(mt5.server, ['operations'])
  const params = { source: 'account', id: of.account.id } as const
  const detail = await call(mt5.server, getFailedJob, { as, params })
  expect(detail.answer.tries).toMatchObject([{ what: 'written', error: 'Equity is not an amount (“n/a”).' }])
  await reread(mt5)
  expect(await named(mt5, of.account.login)).toHaveLength(1)
  const retry = () => call(mt5.server, retryJob, { as, params, body: { reason: 'corrected there' } })
  expect((await retry()).status).toBe(200)
  await reread(mt5)
  expect([await named(mt5, of.account.login), await equity()]).toEqual([[], 1_000_200n])
  expect((await retry()).failure.code).toBe('job-gone')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  await mt5.platform.turn('reset')
  const said: string[] = []
  await operate(readConfig(mt5.server.env), ['retry', of.account.id], (line) => said.push(line), mt5.server.clock.now)
  expect(said).toEqual([`${of.account.id}: retried.`])
  await reread(mt5)
  expect(await named(mt5, of.account.login)).toEqual([])
})

test('while the platform does not answer, none of them is read', async () => {
  const of = await owner(mt5, 'MT5')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  await mt5.platform.turn('reset')
  mt5.server.clock.turn(hourSeconds)
  const { bulk } = mt5.server.dependencies.platforms.MT5
  vi.spyOn(bulk, 'health').mockRejectedValueOnce(new Unavailable('away'))
  await reread(mt5)
  expect(await named(mt5, of.account.login)).toHaveLength(1)
  await reread(mt5)
  expect(await named(mt5, of.account.login)).toEqual([])
})

test('they are read by the connection for many accounts, and once although several servers run', async () => {
  const of = await owner(mt5, 'MT5')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  mt5.server.clock.turn(hourSeconds)
  const { MT5 } = mt5.server.dependencies.platforms
  const [ofPages, ofMany] = [vi.spyOn(MT5, 'getAccount'), vi.spyOn(MT5.bulk, 'getAccount')]
  await Promise.all([reread(mt5), reread(mt5)])
  // A page would wait for calls on its own connection.
  expect([ofPages.mock.calls, ofMany.mock.calls]).toEqual([[], [[of.account.login]]])
  vi.restoreAllMocks()
})

test('one that the platform no longer has is no row that no one can correct', async () => {
  const of = await owner(mt5, 'MT5')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  expect(await listed(mt5, of.client)).toHaveLength(1)
  await mt5.platform.turn('accounts/delete', { login: of.account.login })
  mt5.server.clock.turn(hourSeconds)
  await reread(mt5)
  expect([await named(mt5, of.account.login), await listed(mt5, of.client)]).toEqual([[], []])
  expect(await measured(mt5)).toBe('0')
})

test.each([
  ['balance', '1e400', 'balance is not an amount (“1e400”).'],
  ['leverage', 'n/a', 'leverage is not valid (“n/a”).'],
  ['currency', 'USD', 'Currency is not valid (“USD”).'],
  ['openPositions', null, 'openPositions is missing in the platform’s response.'],
])('MetaTrader 4: the %s “%s” is the cause of one row', async (field, value, cause) => {
  const of = await owner(mt4, 'MT4')
  await mt4.platform.turn('records/garble', { login: of.account.login, fields: { [field]: value } })
  await compare(mt4)
  expect(await named(mt4, of.account.login)).toMatchObject([{ what: `account MT4 ${of.account.login}`, cause }])
  expect(await listed(mt4, of.client)).toMatchObject([{ lastError: cause }])
  await mt4.platform.turn('reset')
  mt4.server.clock.turn(hourSeconds)
  await reread(mt4)
  expect(await named(mt4, of.account.login)).toEqual([])
})
