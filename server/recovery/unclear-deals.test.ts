/**
 * A balance deal without a readable comment may be an operation of ours that this database lost: it neither shows that
 * data were lost nor rules it out (ADR 331).
 */
import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { listFailedJobs } from '#contract/office/records.ts'
import { money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import { row, run, transaction } from '#server/db/sql.ts'
import { enqueueBalance } from '#server/jobs/balance.ts'
import { platformComment } from '#server/ledger/references.ts'
import { call, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { fundedAccount, settleOperations } from '#tests/funded-account.ts'
import { compareAll } from '../features/reconciliation/compare.ts'
import { rereadAccounts } from '../features/reconciliation/reread-accounts.ts'
import { findStalled } from '../operator/stalled.ts'
import { dealSearch } from './deal-search.ts'
import { recoveryOf } from './stopped-money.ts'

const place = platformForFile({ now: new Date() })
const turn = (name: string, fields: object = {}) => place.platform.turn(name, fields)
const lost: string[] = []
afterEach(async () => {
  await turn('reset')
  // The next test would find the sign of this one.
  for (const ticket of lost.splice(0)) await turn('deals/cancel', { ticket })
  const { pool } = place.server.dependencies
  await run(pool)`delete from unreadable_accounts`
  const now = place.server.clock.now()
  await run(pool)`
    update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now} where closed_at is null`
})

interface Owner {
  readonly client: MadeClient
  readonly account: Awaited<ReturnType<typeof fundedAccount>>
}

async function owner(): Promise<Owner> {
  const client = await makeClient(place.server)
  return { client, account: await fundedAccount(place.server, client, 100_000n) }
}

const shown = () => referenceFrom('CR', randomBytes(5))
const key = () => place.server.dependencies.keys.reference.bytes

/** Carries out an operation of ours whose record was lost, or one by hand. Returns its deal. */
async function lostDeal({ account }: Owner, comment?: string): Promise<string> {
  const ref = comment ?? platformComment({ key: key(), shown: shown(), leg: 'deposit-credit', generation: 0 })
  const { ticket } = await place.server.dependencies.platforms.MT5.applyBalance({
    ref,
    login: account.login,
    amount: money(700n, 'EUR'),
    checkMargin: false,
  })
  lost.push(ticket)
  return ticket
}

const look = () => dealSearch(place.server.dependencies, 'MT5').look(null)
const isHeld = async ({ account }: Owner) =>
  (await findStalled(place.server.dependencies.pool, place.server.clock.now())).filter(
    ({ what }) => what === `account MT5 ${account.login}`,
  ).length === 1
const dealsThere = async ({ account }: Owner) =>
  (await place.platform.read<unknown[]>(`deals?login=${account.login}`)).length

/** Writes an operation of the account and lets workers send what may be sent. Returns its state and last error. */
async function sent({ client, account }: Owner) {
  const { pool, keys } = place.server.dependencies
  const request = {
    id: account.id,
    clientId: client.id,
    reference: shown(),
    platform: 'MT5',
    login: account.login,
  } as const
  const order = { request: { ...request, accountId: account.id }, subject: 'account', leg: 'demo-balance' } as const
  const id = await transaction(pool, (tx) =>
    enqueueBalance(tx, keys, place.server.clock.now(), { ...order, amount: money(500n, 'EUR') }),
  )
  await settleOperations(place.server)
  return () => row<{ state: string; error: string | null }>(pool)`
    select state, last_error as error from operations where id = ${id}`
}

const comparison = () => ({
  identity: { kind: 'clock' as const },
  now: place.server.clock.now(),
  reference: 'compare',
})
const isMissing = async ({ account }: Owner) =>
  (
    await row<{ missing: boolean }>(place.server.dependencies.pool)`
      select missing_since is not null as missing from trading_accounts where id = ${account.id}`
  )?.missing

async function nextHour(): Promise<void> {
  place.server.clock.turn(3_600)
  await rereadAccounts(place.server.dependencies, place.server.clock.now())
  await settleOperations(place.server)
}

test('nothing is sent to its account until it can be read, and then it is the sign that it always was', async () => {
  const [of, other] = [await owner(), await owner()]
  const ticket = await lostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await look()).toBeNull()
  expect([await isHeld(of), await isHeld(other)]).toEqual([true, false])
  const [held, free] = [await sent(of), await sent(other)]
  expect(await free()).toMatchObject({ state: 'done' })
  expect(await held()).toMatchObject({
    state: 'waiting',
    error: 'A deal of the account may be this operation: not sent',
  })
  const as = await makeStaff(place.server, ['operations'])
  const { rows } = (await call(place.server, listFailedJobs, { as, query: { source: 'account' } })).answer
  expect(rows.find(({ client }) => client?.id === of.client.id)).toMatchObject({
    kind: 'compare-account',
    state: 'unreadable',
    meaning: 'account-held',
    lastError: `Deal ${ticket}: the comment cannot be read. The deal may be one of our operations.`,
  })
  // Later searches begin after the deal and do not see it.
  await nextHour()
  expect([await isHeld(of), await dealsThere(of)]).toEqual([true, 2])
  await turn('reset')
  await nextHour()
  expect(await recoveryOf(place.server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
  expect(await dealsThere(of)).toBe(2)
})

test('one by hand is none of ours once it can be read: what waited is sent', async () => {
  const of = await owner()
  const ticket = await lostDeal(of, 'Rebate-October')
  await turn('deals/garble', { ticket, fields: { Comment: 17 } })
  expect(await look()).toBeNull()
  const held = await sent(of)
  expect(await held()).toMatchObject({ state: 'waiting' })
  await turn('reset')
  await nextHour()
  expect([await isHeld(of), await held()]).toMatchObject([false, { state: 'done' }])
  expect(await recoveryOf(place.server.dependencies.pool)).toBeNull()
})

test('one without a readable time is read from the same time on each hour, and is as old as it was', async () => {
  const of = await owner()
  await turn('deals/garble', { ticket: await lostDeal(of), fields: { Comment: null, Time: 'n/a' } })
  expect(await look()).toBeNull()
  const recorded = async () => {
    const as = await makeStaff(place.server, ['operations'])
    const { rows } = (await call(place.server, listFailedJobs, { as, query: { source: 'account' } })).answer
    return rows.find(({ client }) => client?.id === of.client.id)?.firstAt
  }
  const since = await recorded()
  const read = vi.spyOn(place.server.dependencies.platforms.MT5.bulk, 'balanceOperations')
  for (let hour = 0; hour < 3; hour += 1) await nextHour()
  const from = read.mock.calls.flatMap(([login, first]) => (login === of.account.login ? [first.getTime()] : []))
  read.mockRestore()
  // The reading of its balances is of less time.
  expect(from.length).toBeGreaterThanOrEqual(3)
  expect(Math.min(...from)).toBe(from[0])
  expect([since, await recorded()]).toEqual([expect.any(Date), since])
})

test('so does a comparison hold an account, and our own deal is known by its number', async () => {
  const [of, other] = [await owner(), await owner()]
  const deals = (login: string) => place.platform.read<{ ticket: string }[]>(`deals?login=${login}`)
  const [own] = await deals(other.account.login)
  await turn('deals/garble', { ticket: own?.ticket, fields: { Comment: null } })
  await turn('deals/garble', { ticket: await lostDeal(of), fields: { Comment: null, Deal: 'n/a', Time: 'n/a' } })
  place.server.clock.turn(180)
  await compareAll(place.server.dependencies, comparison())
  expect([await isHeld(of), await isHeld(other)]).toEqual([true, false])
})

test('of one without a readable account the search has no answer, but a sign elsewhere is found', async () => {
  const [of, other] = [await owner(), await owner()]
  const ticket = await lostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null, Login: 'n/a' } })
  await expect(look()).rejects.toThrow('without a readable account and comment')
  await lostDeal(other)
  expect(await look()).toMatchObject({ sign: 'unknown-reference' })
})

// Last, because the simulator gives the number of a deleted account to the next one.
test('an account that the platform no longer has is no row, because no one can correct it, but held all the same', async () => {
  const owners = [await owner(), await owner()] as const
  for (const of of owners) await turn('deals/garble', { ticket: await lostDeal(of), fields: { Comment: null } })
  expect(await look()).toBeNull()
  const ways = [nextHour, () => compareAll(place.server.dependencies, comparison())]
  for (const [index, find] of ways.entries()) {
    const of = owners[index] ?? owners[0]
    expect([await isHeld(of), await isMissing(of)]).toEqual([true, false])
    await turn('accounts/delete', { login: of.account.login })
    await find()
    expect([await isHeld(of), await isMissing(of)]).toEqual([false, true])
    expect(await (await sent(of))()).toMatchObject({ state: 'waiting' })
  }
})
