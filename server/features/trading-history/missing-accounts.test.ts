/** Accounts that the platform no longer has keep their history and do not stop the reading of others. */
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { listFailedJobs } from '#contract/office/records.ts'
import * as contract from '#contract/trading-history.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, makeStaff, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { rows, run } from '#server/db/sql.ts'
import { findStalled } from '../../operator/stalled.ts'
import { rereadAccounts } from '../reconciliation/reread-accounts.ts'
import { readTrades } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-06-01T08:00:00Z') })
beforeAll(() => at('2026-06-01T08:00:00Z'))

const at = (time: string) => setBothClocks(place, time)

interface Owner {
  readonly client: MadeClient
  readonly account: Awaited<ReturnType<typeof makeFundedAccount>>
}

/** Makes an account with two closed trades that have been read. */
async function makeTradedAccount(): Promise<Owner & { tickets: string[] }> {
  const client = await makeClient(place.server)
  const of = { client, account: await makeFundedAccount(place.server, client, 1_000_000n) }
  for (const profit of ['50.00', '30.00']) {
    const { position } = await place.platform.turn('market/open', { login: of.account.login, profit })
    await place.platform.turn('market/close', { position })
  }
  await read()
  return { ...of, tickets: (await tradesOf(of)).trades.map(({ ticket }) => ticket) }
}

async function read(): Promise<void> {
  place.server.clock.turn(60)
  await readTrades(place.server.dependencies)
}

const tradesOf = async ({ client, account }: Owner) =>
  (
    await call(place.server, contract.getTrades, {
      as: await clientTokenFor(place.server, client),
      params: { platform: 'MT5', number: account.login },
      query: {},
    })
  ).answer
const notRead = async () =>
  (await findStalled(place.server.dependencies.pool, place.server.clock.now())).filter(({ what }) =>
    what.startsWith('trades not read'),
  )

test('an account that is deleted before it is read again keeps its trades', async () => {
  const deleted = await makeTradedAccount()
  await run(
    place.server.dependencies.pool,
  )`update account_histories set unread = true where account_id = ${deleted.account.id}`
  await place.platform.turn('accounts/delete', { login: deleted.account.login })
  await read()
  expect((await tradesOf(deleted)).total).toBe(2)
  expect((await notRead()).map(({ what }) => what).join()).toContain(deleted.account.login)
  // Once the platform has it again, the account is read completely, including changes made in the meantime.
  await place.platform.turn('accounts/restore', { login: deleted.account.login })
  await place.platform.turn('deals/cancel', { ticket: deleted.tickets[0] })
  place.server.clock.turn(60 * 60)
  await read()
  expect((await tradesOf(deleted)).total).toBe(1)
})

const isMarkedMissing = async ({ account }: Owner) =>
  (
    await rows<{ missing: boolean }>(place.server.dependencies.pool)`
      select missing_since is not null as missing from trading_accounts where id = ${account.id}`
  )[0]?.missing

test('absence from a list is noted, but only a query for the single account marks it as missing', async () => {
  const of = await makeTradedAccount()
  const unread = async () => {
    place.server.clock.turn(60 * 60)
    await run(
      place.server.dependencies.pool,
    )`update account_histories set unread = true where account_id = ${of.account.id}`
  }
  await unread()
  const { history } = place.server.dependencies.platforms.MT5.bulk
  if (history === null) throw new Error('MetaTrader 5 has trade history')
  const list = vi.spyOn(history, 'groupsOf').mockResolvedValueOnce(new Map())
  await read()
  list.mockRestore()
  expect((await notRead()).map(({ what }) => what).join()).toContain(of.account.login)
  expect(await isMarkedMissing(of)).toBe(false)
  await place.platform.turn('accounts/delete', { login: of.account.login })
  await unread()
  await read()
  expect(await isMarkedMissing(of)).toBe(true)
  await place.platform.turn('accounts/restore', { login: of.account.login })
  await unread()
  await read()
  expect(await notRead()).toEqual([])
})

test('an account with an unreadable record is one row with the cause and is not treated as deleted', async () => {
  const [unreadable, other] = [await makeTradedAccount(), await makeTradedAccount()]
  await place.platform.turn('users/garble', { login: unreadable.account.login, fields: { Group: null } })
  const named = async () =>
    (await findStalled(place.server.dependencies.pool, place.server.clock.now()))
      .filter(({ what }) => what.includes(unreadable.account.login))
      .map(({ what, cause }) => [what, cause])
  const row = [`account MT5 ${unreadable.account.login}`, 'Group is missing in the platform’s response.']
  // The account's sums are compared once a day, together with those of the others.
  place.server.clock.turn(24 * 60 * 60)
  await read()
  expect(await named()).toEqual([row])
  // A reading of the whole account gives the same row.
  place.server.clock.turn(60 * 60)
  await run(
    place.server.dependencies.pool,
  )`update account_histories set unread = true where account_id = ${unreadable.account.id}`
  await read()
  expect(await named()).toEqual([row])
  expect([await isMarkedMissing(unreadable), await isMarkedMissing(other)]).toEqual([false, false])
  await place.platform.turn('reset')
  place.server.clock.turn(60 * 60)
  await rereadAccounts(place.server.dependencies, place.server.clock.now())
  await read()
  expect(await named()).toEqual([])
  expect((await tradesOf(unreadable)).total).toBe(2)
})

// Readings continue from the last deal, so the clock is never set back.
story('an account that the platform deleted', (step) => {
  step('does not stop the comparison of the others, and the doctor names it', async () => {
    const deleted = await makeTradedAccount()
    const other = await makeTradedAccount()
    expect(await notRead()).toEqual([])
    // A newer deal moves the cursor beyond the deal that is changed.
    await at('2026-06-09T08:00:00Z')
    await place.platform.turn('deals/write', { login: other.account.login, action: 5, amount: '0.01' })
    await read()
    await place.platform.turn('accounts/delete', { login: deleted.account.login })
    await at('2026-06-10T08:00:00Z')
    await place.platform.turn('deals/cancel', { ticket: other.tickets[0] })
    await read()
    await read()
    expect((await tradesOf(other)).total).toBe(1)
    expect((await tradesOf(deleted)).total).toBe(2)
    const [named] = await notRead()
    expect(named?.what).toContain(deleted.account.login)
    expect(await isMarkedMissing(deleted)).toBe(true)
    // The account is read again once the platform has it.
    await place.platform.turn('accounts/restore', { login: deleted.account.login })
    await at('2026-06-11T08:00:00Z')
    await read()
    expect(await notRead()).toEqual([])
    expect(await isMarkedMissing(deleted)).toBe(false)
  })

  step('has no end-of-day value, instead of one without open positions', async () => {
    await at('2026-08-03T12:00:00Z')
    const deleted = await makeTradedAccount()
    const other = await makeTradedAccount()
    await place.platform.turn('accounts/delete', { login: deleted.account.login })
    await at('2026-08-04T08:00:00Z')
    await read()
    const days = async ({ account }: Owner) =>
      (
        await rows<{ day: string }>(place.server.dependencies.pool)`
          select day::text as day from account_days where account_id = ${account.id} and day = '2026-08-03'`
      ).length
    expect([await days(deleted), await days(other)]).toEqual([0, 1])
    await place.platform.turn('accounts/restore', { login: deleted.account.login })
    place.server.clock.turn(60 * 60)
    await read()
    expect(await notRead()).toEqual([])
  })
})

const written: string[] = []
/** These accounts fail in every reading, so they are removed before later tests. */
afterEach(async () => {
  const { pool } = place.server.dependencies
  const ids = written.splice(0)
  await run(pool)`update trading_accounts set state = 'rejected', login = null where id = any (${ids}::uuid[])`
  await run(pool)`delete from unreadable_accounts where account_id = any (${ids}::uuid[])`
  await run(pool)`delete from account_histories where account_id = any (${ids}::uuid[])`
})

/** Inserts accounts that the platform does not have. */
async function insertAbsentAccounts({ client }: Owner, first: number, count: number): Promise<string[]> {
  const { dependencies, clock } = place.server
  const made = await rows<{ id: string }>(dependencies.pool)`
    insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login, requested_at)
      select ${client.id}, 'live', 'MT5', 'Standard', 'EUR', 30, 'approved', (${first}::int + n)::text, ${clock.now()}
        from generate_series(0, ${count - 1}::int) n returning id`
  const ids = made.map(({ id }) => id)
  written.push(...ids)
  return ids
}

test('the doctor and Failed operations show the time at which each of many failing accounts is read again', async () => {
  const of = await makeTradedAccount()
  const { pool } = place.server.dependencies
  const failed = await insertAbsentAccounts(of, 992_000, 25)
  await run(pool)`
    insert into account_histories (account_id, unread, failed_at, problem, unreadable, unreadable_since)
      select id, true, ${new Date(place.server.clock.now().getTime() - 59 * 60_000)}, 'many at once',
          '{"deal":"1","field":"Profit","reason":"value","value":"1e400","at":"2026-05-01T08:00:00Z"}', '2026-05-01'
        from unnest(${failed}::uuid[]) id`
  const as = await makeStaff(place.server, ['operations'])
  const { rows: listed } = (await call(place.server, listFailedJobs, { as, query: { source: 'trades' } })).answer
  const promised = new Map(listed.map(({ id, nextTryAt }) => [id, nextTryAt?.getTime()]))
  const stalled = await findStalled(pool, place.server.clock.now())
  const triedAt = new Map<string, number>()
  for (let turn = 0; turn < 3; turn += 1) {
    await read()
    const tried = await rows<{ id: string }>(pool)`
      select account_id as id from account_histories
        where account_id = any (${failed}::uuid[]) and failed_at = ${place.server.clock.now()}`
    for (const { id } of tried) triedAt.set(id, place.server.clock.now().getTime())
  }
  expect(triedAt.size).toBe(failed.length)
  expect(new Map(failed.map((id) => [id, promised.get(id)]))).toEqual(triedAt)
  const [first, last] = [Math.min(...triedAt.values()), Math.max(...triedAt.values())].map((ms) =>
    new Date(ms).toISOString(),
  )
  expect(stalled.find(({ cause }) => cause === 'many at once')?.next).toBe(
    `10 accounts a minute: the first at ${first}, the last at ${last}`,
  )
})

test('hundreds of failing accounts do not delay the others, and unreadable ones are not compared', async () => {
  const of = await makeTradedAccount()
  const { dependencies, clock } = place.server
  const { pool } = dependencies
  const [deleted, unreadable] = [
    await insertAbsentAccounts(of, 990_000, 150),
    await insertAbsentAccounts(of, 991_000, 150),
  ]
  const failedAt = new Date(clock.now().getTime() - 2 * 3_600_000)
  await run(pool)`
    insert into account_histories (account_id, unread, failed_at, problem)
      select id, false, ${failedAt}, 'absent' from unnest(${[...deleted, ...unreadable]}::uuid[]) id`
  await run(pool)`
    insert into unreadable_accounts (account_id, matter, odd, since, tried_at)
      select id, 'record', '{"field":"Group","reason":"value","value":""}', ${failedAt}, ${clock.now()}
        from unnest(${unreadable}::uuid[]) id`
  await run(pool)`
    update account_histories set compared_at = ${new Date(clock.now().getTime() - 24 * 3_600_000)}
      where account_id = ${of.account.id}`
  const { history } = dependencies.platforms.MT5.bulk
  if (history === null) throw new Error('MetaTrader 5 has trade history')
  const sums = vi.spyOn(history, 'sums')
  const compared = async () => {
    sums.mockClear()
    await read()
    return sums.mock.calls.map(([login]) => login)
  }
  const first = await compared()
  expect(first).toContain(of.account.login)
  expect(first.filter((login) => login.startsWith('99'))).toHaveLength(10)
  // Each turn takes the same number, and each account once.
  const second = (await compared()).filter((login) => login.startsWith('99'))
  expect([second.length, new Set([...first, ...second]).size]).toEqual([10, first.length + 10])
  expect([...first, ...second].filter((login) => login.startsWith('991'))).toEqual([])
  sums.mockRestore()
})
