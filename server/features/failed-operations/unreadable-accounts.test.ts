/** An account whose data from the platform breaks the agreed format is one row for staff and operator (ADR 331). */
import { afterEach, expect, test, vi } from 'vitest'
import { getFailedJob, listFailedJobs, retryJob } from '#contract/office/records.ts'
import { readConfig } from '#server/config/config.ts'
import { money } from '#rules/money.ts'
import { row, rows, run, transaction } from '#server/db/sql.ts'
import { Unavailable } from '#server/integrations/errors.ts'
import { enqueueBalance } from '#server/jobs/balance.ts'
import { metricsText } from '#server/log/metrics.ts'
import { call, makeClient, makeStaff, newReference, type MadeClient } from '#tests/factories.ts'
import { platformForFile, startForFile } from '#tests/for-file.ts'
import { makeFundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { operate } from '../../operator/commands.ts'
import { findStalled } from '../../operator/stalled.ts'
import { recoveryStatus } from '../../recovery/recovery-status.ts'
import { compareAll } from '../reconciliation/compare.ts'
import { rereadAccounts } from '../reconciliation/reread-accounts.ts'

const mt5 = platformForFile({ now: new Date() })
const mt4 = startForFile(() => startServerWithPlatform({ now: new Date() }, 'MT4'))
afterEach(() => Promise.all([mt5.platform.turn('reset'), mt4.platform.turn('reset')]))

const hourSeconds = 3_600

async function makeAccountOwner(place: ServerWithPlatform, platform: 'MT4' | 'MT5') {
  const client = await makeClient(place.server)
  const account = await makeFundedAccount(place.server, client, 1_000_000n, 'EUR', platform)
  await place.platform.turn('market/open', { login: account.login, profit: '2.00' })
  return { client, account }
}

const compare = ({ server }: ServerWithPlatform) =>
  compareAll(server.dependencies, { identity: { kind: 'clock' }, now: server.clock.now(), reference: 'compare' })
const reread = ({ server }: ServerWithPlatform) => rereadAccounts(server.dependencies, server.clock.now())
const stalledRowsOf = async ({ server }: ServerWithPlatform, login: string) =>
  (await findStalled(server.dependencies.pool, server.clock.now())).filter(({ what }) => what.includes(login))
const unreadableMetric = async ({ server }: ServerWithPlatform) =>
  /\naccounts_that_cannot_be_read (\d+)/.exec(
    metricsText(await recoveryStatus(server.dependencies.pool, server.clock.now())),
  )?.[1]
const listedFailures = async ({ server }: ServerWithPlatform, { id }: MadeClient, language = 'en') => {
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
])(
  'a record of the %s whose %s is “%s” gives one row with this cause in every list and command',
  async (record, field, value, cause) => {
    const [of, other] = [await makeAccountOwner(mt5, 'MT5'), await makeAccountOwner(mt5, 'MT5')]
    await mt5.platform.turn(`${record}/garble`, { login: of.account.login, fields: { [field]: value } })
    await compare(mt5)
    const next = new Date(Math.floor(mt5.server.clock.now().getTime() / 1000) * 1000 + hourSeconds * 1000)
    const [one, ...more] = await listedFailures(mt5, of.client)
    expect([more, await listedFailures(mt5, other.client)]).toEqual([[], []])
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
    const stalled = await stalledRowsOf(mt5, of.account.login)
    expect(stalled).toMatchObject([{ what: `account MT5 ${of.account.login}`, cause, sick: true }])
    expect(stalled[0]?.next.slice(0, 19)).toBe(next.toISOString().slice(0, 19))
    expect(stalled[0]?.action).toContain(`npm run operator -- retry ${of.account.id}`)
    expect(await unreadableMetric(mt5)).toBe('1')
    // Another reading after an hour gives the same row; once the account can be read, the row is removed.
    mt5.server.clock.turn(hourSeconds)
    await reread(mt5)
    expect(await stalledRowsOf(mt5, of.account.login)).toHaveLength(1)
    await mt5.platform.turn('reset')
    mt5.server.clock.turn(hourSeconds)
    await reread(mt5)
    expect([await stalledRowsOf(mt5, of.account.login), await listedFailures(mt5, of.client)]).toEqual([[], []])
    expect(await unreadableMetric(mt5)).toBe('0')
  },
)

test('staff and the operator can have the account read again within a minute, which updates its balances', async () => {
  const of = await makeAccountOwner(mt5, 'MT5')
  const { pool } = mt5.server.dependencies
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  const equity = async () =>
    (
      await row<{ equity: bigint }>(pool)`
        select equity_minor as equity from platform_figures where account_id = ${of.account.id}`
    )?.equity
  expect(await equity()).toBe(1_000_000n)
  expect((await listedFailures(mt5, of.client, 'de'))[0]?.lastError).toBe('Equity ist kein Betrag („n/a“).')
  await mt5.platform.turn('reset')
  const as = await makeStaff(mt5.server, ['operations'])
  const params = { source: 'account', id: of.account.id } as const
  const detail = await call(mt5.server, getFailedJob, { as, params })
  expect(detail.answer.tries).toMatchObject([{ what: 'written', error: 'Equity is not an amount (“n/a”).' }])
  await reread(mt5)
  expect(await stalledRowsOf(mt5, of.account.login)).toHaveLength(1)
  const retry = () => call(mt5.server, retryJob, { as, params, body: { reason: 'corrected there' } })
  expect((await retry()).status).toBe(200)
  await reread(mt5)
  expect([await stalledRowsOf(mt5, of.account.login), await equity()]).toEqual([[], 1_000_200n])
  expect((await retry()).failure.code).toBe('job-gone')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  await mt5.platform.turn('reset')
  const printed: string[] = []
  await operate(
    readConfig(mt5.server.env),
    ['retry', of.account.id],
    (line) => printed.push(line),
    mt5.server.clock.now,
  )
  expect(printed).toEqual([`${of.account.id}: retried.`])
  await reread(mt5)
  expect(await stalledRowsOf(mt5, of.account.login)).toEqual([])
})

test('no account is read again while the platform does not respond', async () => {
  const of = await makeAccountOwner(mt5, 'MT5')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  await mt5.platform.turn('reset')
  mt5.server.clock.turn(hourSeconds)
  const { bulk } = mt5.server.dependencies.platforms.MT5
  vi.spyOn(bulk, 'health').mockRejectedValueOnce(new Unavailable('away'))
  await reread(mt5)
  expect(await stalledRowsOf(mt5, of.account.login)).toHaveLength(1)
  await reread(mt5)
  expect(await stalledRowsOf(mt5, of.account.login)).toEqual([])
})

test('accounts are read again over the bulk connection, and once even with several servers', async () => {
  const of = await makeAccountOwner(mt5, 'MT5')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  mt5.server.clock.turn(hourSeconds)
  const { MT5 } = mt5.server.dependencies.platforms
  const [ofPages, ofMany] = [vi.spyOn(MT5, 'getAccount'), vi.spyOn(MT5.bulk, 'readAccounts')]
  await Promise.all([reread(mt5), reread(mt5)])
  // On the other connection, the calls of pages would be delayed.
  expect([ofPages.mock.calls, ofMany.mock.calls.flatMap(([logins]) => logins)]).toEqual([[], [of.account.login]])
  vi.restoreAllMocks()
})

/** Returns the number of platform calls that `work` makes and of its health checks. */
async function callsOf(work: () => Promise<unknown>): Promise<{ calls: number; health: number }> {
  const { MT5 } = mt5.server.dependencies.platforms
  const asked = [vi.spyOn(MT5, 'health'), vi.spyOn(MT5.bulk, 'health')]
  const before = await mt5.platform.read<unknown[]>('calls')
  await work()
  const health = asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  vi.restoreAllMocks()
  return { calls: (await mt5.platform.read<unknown[]>('calls')).length - before.length, health }
}

test('more unreadable accounts need no more calls, neither in a reconciliation nor in an hourly reading', async () => {
  const owners = [
    await makeAccountOwner(mt5, 'MT5'),
    await makeAccountOwner(mt5, 'MT5'),
    await makeAccountOwner(mt5, 'MT5'),
  ]
  const [first] = owners
  const counts: Awaited<ReturnType<typeof callsOf>>[][] = []
  for (const unreadable of [owners.slice(0, 1), owners]) {
    for (const { account } of unreadable)
      await mt5.platform.turn('trade-states/garble', { login: account.login, fields: { Equity: 'n/a' } })
    await mt5.platform.turn('users/garble', { login: first?.account.login, fields: { Group: 'real\\Nowhere' } })
    const compared = await callsOf(() => compare(mt5))
    for (const { account } of unreadable) expect(await stalledRowsOf(mt5, account.login)).toHaveLength(1)
    mt5.server.clock.turn(hourSeconds)
    const read = await callsOf(() => reread(mt5))
    counts.push([compared, read])
    await mt5.platform.turn('reset')
    mt5.server.clock.turn(hourSeconds)
    await reread(mt5)
  }
  expect(counts[1]).toEqual(counts[0])
  // One health check in the reconciliation and one in the reading.
  expect(counts[1]).toMatchObject([{ health: 1 }, { health: 1 }])
})

/** Enqueues an operation for each account and runs a worker over them once. Returns their states. */
async function sendConcurrently(owners: readonly Awaited<ReturnType<typeof makeAccountOwner>>[]) {
  const { dependencies, driver, clock } = mt5.server
  const ids: string[] = []
  for (const { client, account } of owners) {
    const reference = newReference()
    const { id, login } = account
    const request = { id, clientId: client.id, reference, platform: 'MT5', login, accountId: id } as const
    const order = { request, subject: 'account', leg: 'demo-balance', amount: money(500n, 'EUR') } as const
    ids.push(await transaction(dependencies.pool, (tx) => enqueueBalance(tx, dependencies.keys, clock.now(), order)))
    clock.turn(1)
  }
  await driver.sweep()
  return rows<{ state: string; error: string | null }>(dependencies.pool)`
    select state, last_error as error from operations where id = any (${ids}::uuid[]) order by created_at`
}

/** Inserts accounts that could not be read two hours ago and that the platform does not have. */
async function overdue(place: ServerWithPlatform, count: number, unreadable: object): Promise<string[]> {
  const { server } = place
  const { id } = await makeClient(server)
  const now = server.clock.now()
  const made = await rows<{ id: string }>(server.dependencies.pool)`
    with made as (
        insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login, requested_at)
          select ${id}, 'live', 'MT5', 'Standard', 'EUR', 30, 'approved', (993000 + n)::text, ${now}
            from generate_series(1, ${count}::int) n returning id),
      noted as (
        insert into unreadable_accounts (account_id, matter, odd, since, tried_at)
          select id, 'record', ${JSON.stringify(unreadable)}::text::jsonb, ${now}::timestamptz, ${now}::timestamptz - interval '2 hours' from made)
      select id from made`
  return made.map((one) => one.id)
}

/** Returns when each account is read again, as staff and operator see it. */
async function promised({ server }: ServerWithPlatform): Promise<Map<string, number>[]> {
  const as = await makeStaff(server, ['operations'])
  const shown = new Map<string, number>()
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { source: 'account', size: '100', ...(cursor === null ? {} : { cursor }) }
    const { answer } = await call(server, listFailedJobs, { as, query })
    for (const { ref, nextTryAt } of answer.rows) shown.set(ref ?? '', Math.floor(Number(nextTryAt) / 1000))
    cursor = answer.next
  } while (cursor !== null)
  const lines = await findStalled(server.dependencies.pool, server.clock.now())
  const named = lines.filter(({ what }) => what.startsWith('account MT5'))
  return [shown, new Map(named.map(({ what, next }) => [what.slice(8), Math.floor(Date.parse(next) / 1000)]))]
}

test.each([
  ['alone', 45, { field: 'Login', reason: 'value', value: 'n/a' }],
  ['in a list', 250, { field: 'Equity', reason: 'value', value: 'n/a' }],
])('shows the time of its own turn for each of more accounts than one turn reads: %s', async (_, count, unreadable) => {
  const { pool } = mt5.server.dependencies
  await run(pool)`delete from unreadable_accounts`
  const ids = await overdue(mt5, count, unreadable)
  // The last turn was now.
  const [first, last] = [ids.toSorted()[0], ids.toSorted().at(-1) ?? '']
  await run(pool)`update unreadable_accounts set tried_at = ${mt5.server.clock.now()} where account_id = ${first}`
  const as = await makeStaff(mt5.server, ['operations'])
  const params = { source: 'account', id: last } as const
  const triedAccounts = async () => {
    const found = await rows<{ ref: string }>(pool)`
      select 'MT5 ' || a.login as ref from unreadable_accounts u join trading_accounts a on a.id = u.account_id`
    return found.map(({ ref }) => ref)
  }
  const [before] = await promised(mt5)
  expect((await call(mt5.server, retryJob, { as, params, body: { reason: 'corrected there' } })).status).toBe(200)
  const [shown, named] = await promised(mt5)
  const tried = new Map<string, number>()
  for (let turn = 0; turn < 3; turn += 1) {
    const waiting = await triedAccounts()
    mt5.server.clock.turn(60)
    await reread(mt5)
    // The platform does not have them, so a reading removes them from the unreadable accounts.
    const left = new Set(await triedAccounts())
    for (const ref of waiting.filter((one) => !left.has(one)))
      tried.set(ref, Math.floor(mt5.server.clock.now().getTime() / 1000))
  }
  await run(pool)`update trading_accounts set state = 'rejected', login = null where id = any (${ids}::uuid[])`
  await run(pool)`delete from unreadable_accounts`
  const isTried = ([ref]: [string, number]) => tried.has(ref)
  expect(tried.size).toBe(count - 1)
  expect(new Map([...(shown ?? [])].filter(isTried))).toEqual(tried)
  expect(named?.size).toBe(20)
  for (const [ref, at] of [...(named ?? [])].filter(isTried)) expect(at).toBe(tried.get(ref))
  // Before the retry, the account was in the last turn.
  const moved = [...(before ?? [])].filter(([ref, at]) => at > (shown?.get(ref) ?? 0))
  expect(moved.map(([, at]) => at)).toContain(Math.max(...tried.values()))
})

test('a group that cannot be read is one row for the operator and delays only the operations of its own accounts', async () => {
  const [of, second, other] = [
    await makeAccountOwner(mt5, 'MT5'),
    await makeAccountOwner(mt5, 'MT5'),
    await makeAccountOwner(mt5, 'MT5'),
  ]
  const group = 'real\\Odd'
  const others = [{ name: 'real\\standard-EUR', currency: 'EUR' }]
  await mt5.platform.turn('groups', { groups: [...others, { name: group, currency: '' }] })
  for (const { account } of [of, second])
    await mt5.platform.turn('users/garble', { login: account.login, fields: { Group: group } })
  await compare(mt5)
  const cause = `The currency of the group “${group}” cannot be read.`
  const [line, ...more] = await stalledRowsOf(mt5, group)
  expect([line, more]).toMatchObject([
    { what: expect.stringContaining(`group MT5 ${group}, accounts: 2, `), cause },
    [],
  ])
  expect(line?.next.slice(0, 16)).toBe(
    new Date(mt5.server.clock.now().getTime() + hourSeconds * 1000).toISOString().slice(0, 16),
  )
  expect(await listedFailures(mt5, of.client)).toMatchObject([{ lastError: cause, meaning: 'account-unread' }])
  expect(await listedFailures(mt5, of.client, 'de')).toMatchObject([
    { lastError: `Die Währung der Gruppe „${group}“ ist nicht lesbar.` },
  ])
  expect(await sendConcurrently([of, second, other])).toEqual([
    { state: 'waiting', error: `The currency of the group ${group} cannot be read` },
    { state: 'waiting', error: `The currency of the group ${group} cannot be read` },
    { state: 'done', error: null },
  ])
  await mt5.platform.turn('groups', { groups: others })
  await mt5.platform.turn('reset')
  mt5.server.clock.turn(hourSeconds)
  await reread(mt5)
  expect(await stalledRowsOf(mt5, group)).toEqual([])
})

test('an account that the platform has deleted has no row, as there is nothing to correct', async () => {
  const of = await makeAccountOwner(mt5, 'MT5')
  await mt5.platform.turn('trade-states/garble', { login: of.account.login, fields: { Equity: 'n/a' } })
  await compare(mt5)
  expect(await listedFailures(mt5, of.client)).toHaveLength(1)
  await mt5.platform.turn('accounts/delete', { login: of.account.login })
  mt5.server.clock.turn(hourSeconds)
  await reread(mt5)
  expect([await stalledRowsOf(mt5, of.account.login), await listedFailures(mt5, of.client)]).toEqual([[], []])
  expect(await unreadableMetric(mt5)).toBe('0')
  // Otherwise the platform would give its number to the next account.
  await mt5.platform.turn('accounts/restore', { login: of.account.login })
})

test.each([
  ['balance', '1e400', 'balance is not an amount (“1e400”).'],
  ['leverage', 'n/a', 'leverage is not valid (“n/a”).'],
  ['currency', 'USD', 'Currency is not valid (“USD”).'],
  ['openPositions', null, 'openPositions is missing in the platform’s response.'],
])('MetaTrader 4: a record whose %s is “%s” gives one row with this cause', async (field, value, cause) => {
  const of = await makeAccountOwner(mt4, 'MT4')
  await mt4.platform.turn('records/garble', { login: of.account.login, fields: { [field]: value } })
  await compare(mt4)
  expect(await stalledRowsOf(mt4, of.account.login)).toMatchObject([{ what: `account MT4 ${of.account.login}`, cause }])
  expect(await listedFailures(mt4, of.client)).toMatchObject([{ lastError: cause }])
  await mt4.platform.turn('reset')
  mt4.server.clock.turn(hourSeconds)
  await reread(mt4)
  expect(await stalledRowsOf(mt4, of.account.login)).toEqual([])
})
