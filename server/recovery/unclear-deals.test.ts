/**
 * A balance deal without a readable comment may be an operation of ours that this database lost: it neither shows that
 * data were lost nor rules it out (ADR 331), until two people say that it is not ours (ADR 330).
 */
import { afterEach, expect, test, vi } from 'vitest'
import { getLiveAccounts } from '#contract/accounts.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'
import * as accounting from '#contract/office/accounting.ts'
import { listFailedJobs, retryJob } from '#contract/office/records.ts'
import { money } from '#rules/money.ts'
import { confirmRecoveryItem, dropRecoveryItem, proposeRecoveryItem } from '#contract/office/recovery.ts'
import { row, rows, run, transaction } from '#server/db/sql.ts'
import { adoptionsOfFeatures } from '#server/features.ts'
import { enqueueBalance } from '#server/jobs/balance.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { platformComment } from '#server/ledger/references.ts'
import { metricsText } from '#server/log/metrics.ts'
import { call, makeClient, makeStaff, newReference, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount, settleOperations } from '#tests/funded-account.ts'
import { compareAll } from '../features/reconciliation/compare.ts'
import { rereadAccounts } from '../features/reconciliation/reread-accounts.ts'
import { findStalled } from '../operator/stalled.ts'
import { dealSearch } from './deal-search.ts'
import { openRecovery } from './open-recovery.ts'
import { recover } from './recover.ts'
import { recoveryStatus } from './recovery-status.ts'
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
  readonly account: Awaited<ReturnType<typeof makeFundedAccount>>
}

async function makeOwner(): Promise<Owner> {
  const client = await makeClient(place.server)
  return { client, account: await makeFundedAccount(place.server, client, 100_000n) }
}

const key = () => place.server.dependencies.keys.reference.bytes

/** Carries out an operation of ours whose record was lost, or one by hand. Returns its deal. */
async function makeLostDeal({ account }: Owner, comment?: string, minor = 700n): Promise<string> {
  const ref = comment ?? platformComment({ key: key(), shown: newReference(), leg: 'deposit-credit', generation: 0 })
  const { ticket } = await place.server.dependencies.platforms.MT5.applyBalance({
    ref,
    login: account.login,
    amount: money(minor, 'EUR'),
    checkMargin: false,
  })
  lost.push(ticket)
  return ticket
}

const searchDeals = () => dealSearch(place.server.dependencies, 'MT5').look(null)
const rowsOf = async ({ account }: Owner) =>
  (await findStalled(place.server.dependencies.pool, place.server.clock.now())).filter(
    ({ what }) => what === `account MT5 ${account.login}`,
  )
const isHeldByStalledRow = async (of: Owner) => (await rowsOf(of)).length === 1
const dealsThere = async ({ account }: Owner) =>
  (await place.platform.read<unknown[]>(`deals?login=${account.login}`)).length

/** Writes an operation of the account and lets workers send what may be sent. Returns its state and last error. */
async function sendOperation({ client, account }: Owner) {
  const { pool, keys } = place.server.dependencies
  const request = {
    id: account.id,
    clientId: client.id,
    reference: newReference(),
    platform: 'MT5',
    login: account.login,
  } as const
  const order = { request: { ...request, accountId: account.id }, subject: 'account', leg: 'demo-balance' } as const
  const id = await transaction(pool, (tx) =>
    enqueueBalance(tx, keys, place.server.clock.now(), { ...order, amount: money(500n, 'EUR') }),
  )
  await settleOperations(place.server)
  return () => row<{ state: string; error: string | null; ref: string }>(pool)`
    select state, last_error as error, ref from operations where id = ${id}`
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

test('nothing is sent to the account of an unclear deal until the deal can be read, and then it opens recovery', async () => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  const ticket = await makeLostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  expect([await isHeldByStalledRow(of), await isHeldByStalledRow(other)]).toEqual([true, false])
  const [held, free] = [await sendOperation(of), await sendOperation(other)]
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
  expect([await isHeldByStalledRow(of), await dealsThere(of)]).toEqual([true, 2])
  await turn('reset')
  await nextHour()
  expect(await recoveryOf(place.server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
  expect(await dealsThere(of)).toBe(2)
})

test('an unclear deal that turns out to be manual releases the pending operations of its account', async () => {
  const of = await makeOwner()
  const ticket = await makeLostDeal(of, 'Rebate-October')
  await turn('deals/garble', { ticket, fields: { Comment: 17 } })
  expect(await searchDeals()).toBeNull()
  const held = await sendOperation(of)
  expect(await held()).toMatchObject({ state: 'waiting' })
  await turn('reset')
  await nextHour()
  expect([await isHeldByStalledRow(of), await held()]).toMatchObject([false, { state: 'done' }])
  expect(await recoveryOf(place.server.dependencies.pool)).toBeNull()
})

test('a deal without a readable time is searched from the same start each hour, and keeps its age', async () => {
  const of = await makeOwner()
  await turn('deals/garble', { ticket: await makeLostDeal(of), fields: { Comment: null, Time: 'n/a' } })
  expect(await searchDeals()).toBeNull()
  const recorded = async () => {
    const as = await makeStaff(place.server, ['operations'])
    const { rows } = (await call(place.server, listFailedJobs, { as, query: { source: 'account' } })).answer
    return rows.find(({ client }) => client?.id === of.client.id)?.firstAt
  }
  const since = await recorded()
  // The reading of its balances begins earlier, so that the deal has an earlier time from then on.
  await nextHour()
  const read = vi.spyOn(place.server.dependencies.platforms.MT5.bulk, 'balanceOperations')
  for (let hour = 0; hour < 3; hour += 1) await nextHour()
  const from = read.mock.calls.flatMap(([login, first]) => (login === of.account.login ? [first.getTime()] : []))
  read.mockRestore()
  // The reading of its balances is of less time.
  expect(from.length).toBeGreaterThanOrEqual(3)
  expect(Math.min(...from)).toBe(from[0])
  expect([since, await recorded()]).toEqual([expect.any(Date), since])
})

const compare = () => {
  place.server.clock.turn(180)
  const now = place.server.clock.now()
  return compareAll(place.server.dependencies, { identity: { kind: 'clock' }, now, reference: 'compare' })
}

/** Lets the next minute pass. */
async function nextMinute(): Promise<void> {
  place.server.clock.turn(60)
  await rereadAccounts(place.server.dependencies, place.server.clock.now())
  await settleOperations(place.server)
}

/** Lets staff have the account read again. */
async function readAgain({ account }: Owner): Promise<void> {
  const as = await makeStaff(place.server, ['operations'])
  const params = { source: 'account', id: account.id } as const
  const asked = await call(place.server, retryJob, { as, params, body: { reason: 'It has been corrected.' } })
  expect(asked.status).toBe(200)
  await nextMinute()
}

const discrepanciesOf = ({ account }: Owner) =>
  rows<{ id: string; kind: string; state: string; theirs: bigint | null }>(place.server.dependencies.pool)`
    select id, kind, state, theirs_minor as theirs from differences where account_id = ${account.id} order by found_at, id`

/** Makes two people in finance decide the account's only open discrepancy. Returns the second one's confirmation. */
async function decide(of: Owner, proposal: 'explain' | 'book-correction' | 'book-result' | 'reverse') {
  const first = await makeStaff(place.server, ['finance'])
  const open = (await discrepanciesOf(of)).filter(({ state }) => state === 'open')
  expect(open).toHaveLength(1)
  const params = { id: open[0]?.id ?? '' }
  const version = async () =>
    (await call(place.server, accounting.getDifference, { as: first, params })).answer.difference.version
  const body = { version: await version(), proposal, reason: 'The dealer booked it.' }
  const proposed = await call(place.server, accounting.proposeDifference, { as: first, params, body })
  expect(proposed.status, proposed.bytes.toString()).toBe(200)
  const confirmation = { version: await version(), note: '' }
  const own = await call(place.server, accounting.confirmDifference, { as: first, params, body: confirmation })
  expect(own.failure.code).toBe('own-act')
  return async () => {
    const second = await makeStaff(place.server, ['finance'])
    return call(place.server, accounting.confirmDifference, { as: second, params, body: confirmation })
  }
}

test('once two people in finance decide that it is not ours, pending operations are sent and its amount is decided like any other', async () => {
  const of = await makeOwner()
  const { pool } = place.server.dependencies
  const ticket = await makeLostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  expect(await discrepanciesOf(of)).toMatchObject([{ kind: 'unclear-deal', state: 'open', theirs: 700n }])
  expect((await rowsOf(of))[0]?.action).toContain('two people in finance')
  const held = await sendOperation(of)
  const confirm = await decide(of, 'explain')
  await nextMinute()
  // A proposal by one person does not end the hold.
  expect([await isHeldByStalledRow(of), await held()]).toMatchObject([true, { state: 'waiting' }])
  const confirmed = await confirm()
  expect(confirmed.status, confirmed.bytes.toString()).toBe(200)
  const [found] = await discrepanciesOf(of)
  expect(
    await rows(
      pool,
    )`select verb, reason from events where kind = 'difference' and record = ${found?.id ?? null} order by id`,
  ).toMatchObject([{ verb: 'find' }, { verb: 'propose', reason: 'The dealer booked it.' }, { verb: 'confirm' }])
  await nextMinute()
  expect([await isHeldByStalledRow(of), await held()]).toMatchObject([false, { state: 'done' }])
  expect(metricsText(await recoveryStatus(pool, place.server.clock.now()))).toContain(
    '\naccounts_that_cannot_be_read 0',
  )
  const as = await makeStaff(place.server, ['operations'])
  const { rows: listed } = (await call(place.server, listFailedJobs, { as, query: { source: 'account' } })).answer
  expect(listed.filter(({ client }) => client?.id === of.client.id)).toEqual([])
  // Neither a later search nor a comparison holds it again.
  expect(await searchDeals()).toBeNull()
  await compare()
  expect([await isHeldByStalledRow(of), await discrepanciesOf(of)]).toMatchObject([
    false,
    [{ state: 'explained' }, { kind: 'platform-only', state: 'open', theirs: 700n }],
  ])
  expect((await (await decide(of, 'book-correction'))()).status).toBe(200)
  await compare()
  expect((await discrepanciesOf(of)).map(({ state }) => state)).toEqual(['explained', 'settled'])
  expect(await recoveryOf(pool)).toBeNull()
  // The comment becomes readable and is one of our references, which overrides the decision of the two people.
  await turn('reset')
  await compare()
  expect(await recoveryOf(pool)).toMatchObject({ sign: 'unknown-reference' })
  // When two people then reverse it, what was posted before is not posted again.
  await decidedInRecovery(ticket, reversal)
  const owed = await accountLiability(pool, { accountId: of.account.id })
  const { balance } = await place.server.dependencies.platforms.MT5.getAccount(of.account.login)
  expect([owed, balance.minor]).toEqual([100_500n, 100_500n])
})

const reversal = { action: 'reverse', reason: 'It must not have been credited.' } as const
const adoption = { action: 'adopt', reason: 'The receipt was sent.', depositType: 'cc_gcen' } as const

/** Lets recovery list what the platform has and this database does not. */
async function runRecoverySearch(): Promise<void> {
  const { dependencies, clock } = place.server
  const askCheckout = () => Promise.reject(new Error('There are no card payments'))
  const since = new Date(clock.now().getTime() - 6 * 3_600_000)
  await recover({ dependencies, ...adoptionsOfFeatures(dependencies), askCheckout }, since)
}

type RecoveryDecision = Pick<
  BodyInputOf<typeof proposeRecoveryItem>,
  'action' | 'reason' | 'depositType' | 'destinationId'
>

/** Lets recovery find a deal, and two people in finance decide it. */
async function decidedInRecovery(ticket: string, decision: RecoveryDecision): Promise<void> {
  await runRecoverySearch()
  const { pool } = place.server.dependencies
  const found = await row<{ id: string }>(pool)`select id from recovery_items where ticket = ${ticket}`
  const params = { id: found?.id ?? '' }
  const [first, second] = [await makeStaff(place.server, ['finance']), await makeStaff(place.server, ['finance'])]
  const proposed = await call(place.server, proposeRecoveryItem, {
    as: first,
    params,
    body: { version: 1, ...decision },
  })
  expect(proposed.status, proposed.bytes.toString()).toBe(200)
  const confirmed = await call(place.server, confirmRecoveryItem, {
    as: second,
    params,
    body: { version: 2 },
  })
  expect(confirmed.status, confirmed.bytes.toString()).toBe(200)
  await settleOperations(place.server)
}

test('a deal that becomes readable before the second person confirms is no longer open for the decision', async () => {
  const of = await makeOwner()
  await turn('deals/garble', { ticket: await makeLostDeal(of, 'Rebate-October'), fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  const confirm = await decide(of, 'explain')
  await turn('reset')
  await readAgain(of)
  expect(await discrepanciesOf(of)).toMatchObject([
    { kind: 'unclear-deal', state: 'gone' },
    { kind: 'platform-only', state: 'open' },
  ])
  expect((await confirm()).status).toBe(409)
  expect(await isHeldByStalledRow(of)).toBe(false)
})

test('for a deal without readable amount and comment the decision ends the hold, and the amount is decided once readable', async () => {
  const of = await makeOwner()
  const ticket = await makeLostDeal(of, 'Rebate-October')
  await turn('deals/garble', { ticket, fields: { Comment: null, Profit: '1e400' } })
  expect(await searchDeals()).toBeNull()
  expect(await discrepanciesOf(of)).toMatchObject([{ kind: 'unclear-deal', theirs: null }])
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  expect([await isHeldByStalledRow(of), (await discrepanciesOf(of)).length]).toEqual([false, 1])
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  await compare()
  expect(await discrepanciesOf(of)).toMatchObject([
    { state: 'explained' },
    { kind: 'platform-only', state: 'open', theirs: 700n },
  ])
})

/**
 * Carries out an operation of ours whose answer is lost and whose deal has no readable comment, and lets two people say
 * that it is not ours. Returns the state of the operation.
 */
async function decideAsForeign(of: Owner) {
  const { pool } = place.server.dependencies
  const [first, second] = [await makeStaff(place.server, ['finance']), await makeStaff(place.server, ['finance'])]
  const body = { accountId: of.account.id, amount: '7.00', currency: 'EUR', reason: 'goodwill' } as const
  const { id } = (await call(place.server, accounting.requestCorrection, { as: first, body })).answer
  await turn('drop-after', { login: of.account.login })
  const decision = { as: second, params: { id }, body: { version: 1, note: '' } }
  expect((await call(place.server, accounting.approveCorrection, decision)).status).toBe(200)
  await settleOperations(place.server)
  const [, deal] = await place.platform.read<{ ticket: string }[]>(`deals?login=${of.account.login}`)
  await turn('deals/garble', { ticket: deal?.ticket, fields: { Comment: null } })
  place.server.clock.turn(180)
  await settleOperations(place.server)
  const corrected = () =>
    row<{ state: string }>(pool)`select state from operations where kind = 'balance' and record = ${id}`
  expect(await corrected()).toMatchObject({ state: 'unknown' })
  expect(await searchDeals()).toBeNull()
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  return corrected
}

/** Lets the comments of all deals be read, and operations find theirs. */
async function makeCommentsReadable(): Promise<void> {
  await turn('reset')
  place.server.clock.turn(3_600)
  await settleOperations(place.server)
}

/** Returns what the ledger owes on the account, and what the platform has there. */
async function ledgerAndPlatform({ account }: Owner) {
  const { pool, platforms } = place.server.dependencies
  const { balance } = await platforms.MT5.getAccount(account.login)
  return [await accountLiability(pool, { accountId: account.id }), balance.minor]
}

test('our own operation that two people mistook for another is posted only once when it becomes readable', async () => {
  const of = await makeOwner()
  const { pool } = place.server.dependencies
  const corrected = await decideAsForeign(of)
  expect((await (await decide(of, 'book-correction'))()).status).toBe(200)
  expect([await corrected(), await ledgerAndPlatform(of)]).toMatchObject([{ state: 'unknown' }, [100_700n, 100_700n]])
  await makeCommentsReadable()
  expect([await corrected(), await ledgerAndPlatform(of)]).toMatchObject([{ state: 'done' }, [100_700n, 100_700n]])
  await compare()
  expect(await ledgerAndPlatform(of)).toEqual([100_700n, 100_700n])
  expect(await brokenInvariants(pool, place.server.clock.now())).toEqual([])
})

test('a mistaken operation is not posted twice if the second person confirms its amount after it became readable', async () => {
  const of = await makeOwner()
  const corrected = await decideAsForeign(of)
  const confirm = await decide(of, 'book-correction')
  await makeCommentsReadable()
  expect(await corrected()).toMatchObject({ state: 'done' })
  expect((await discrepanciesOf(of)).map(({ kind, state }) => [kind, state])).toEqual([
    ['unclear-deal', 'explained'],
    ['platform-only', 'gone'],
  ])
  expect((await confirm()).status).toBe(409)
  expect(await ledgerAndPlatform(of)).toEqual([100_700n, 100_700n])
})

test('a mistaken operation is not reversed by a pending decision while the operation is queried', async () => {
  const of = await makeOwner()
  const corrected = await decideAsForeign(of)
  expect((await (await decide(of, 'reverse'))()).status).toBe(200)
  await settleOperations(place.server)
  expect([await corrected(), await dealsThere(of)]).toMatchObject([{ state: 'unknown' }, 2])
  await makeCommentsReadable()
  await nextMinute()
  expect([await corrected(), await dealsThere(of)]).toMatchObject([{ state: 'done' }, 2])
  expect((await discrepanciesOf(of)).map(({ kind, state }) => [kind, state])).toEqual([
    ['unclear-deal', 'explained'],
    ['platform-only', 'gone'],
  ])
  expect(await ledgerAndPlatform(of)).toEqual([100_700n, 100_700n])
})

test('a mistaken operation is posted once if recovery finds that it is ours before its amount is decided', async () => {
  const of = await makeOwner()
  const ticket = await makeLostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  await compare()
  await decide(of, 'book-correction')
  await turn('reset')
  await compare()
  await decidedInRecovery(ticket, reversal)
  expect((await discrepanciesOf(of)).map(({ state }) => state)).toEqual(['explained', 'gone'])
  expect(await ledgerAndPlatform(of)).toEqual([100_000n, 100_000n])
})

/** Makes a second deal under a reference that has one, and lets two people say that it is none of ours. */
async function decideSecondAsForeign(of: Owner): Promise<{ ref: string; ticket: string }> {
  const { ref = '' } = (await (await sendOperation(of))()) ?? {}
  const ticket = await makeLostDeal(of, ref)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  await compare()
  expect(await discrepanciesOf(of)).toMatchObject([{ state: 'explained' }, { kind: 'platform-only', state: 'open' }])
  return { ref, ticket }
}

test('a second deal under one of our references is decided as such when it becomes readable', async () => {
  const of = await makeOwner()
  await decideSecondAsForeign(of)
  const confirm = await decide(of, 'book-result')
  await turn('reset')
  await compare()
  expect((await discrepanciesOf(of)).map(({ kind, state }) => [kind, state])).toEqual([
    ['unclear-deal', 'explained'],
    ['platform-only', 'gone'],
    ['second-deal', 'open'],
  ])
  expect((await confirm()).status).toBe(409)
  expect((await (await decide(of, 'book-correction'))()).status).toBe(200)
  await compare()
  expect(await ledgerAndPlatform(of)).toEqual([101_200n, 101_200n])
  expect((await discrepanciesOf(of)).map(({ state }) => state)).toEqual(['explained', 'gone', 'settled'])
})

const findings = {
  'the comparison': compare,
  recovery: async () => {
    const { dependencies, clock } = place.server
    const [now, since] = [clock.now(), new Date(clock.now().getTime() - 6 * 3_600_000)]
    await transaction(dependencies.jobs, (tx) => openRecovery(tx, { sign: 'unknown-reference', since, now }))
    await runRecoverySearch()
  },
}

test.each(Object.entries(findings))(
  'a second deal that was posted as another one is reported by %s',
  async (_, find) => {
    const of = await makeOwner()
    const { ref, ticket } = await decideSecondAsForeign(of)
    expect((await (await decide(of, 'book-correction'))()).status).toBe(200)
    expect(await ledgerAndPlatform(of)).toEqual([101_200n, 101_200n])
    await turn('reset')
    await find()
    const as = await makeStaff(place.server, ['finance'])
    const { rows: open } = (await call(place.server, accounting.listDifferences, { as, query: { state: 'open' } }))
      .answer
    expect(open.filter(({ facts }) => facts['ticket'] === ticket)).toMatchObject([
      { kind: 'posted-second-deal', theirs: 700n, facts: { account: of.account.login, comment: ref } },
    ])
    await run(place.server.dependencies.pool)`
    update recovery set accounts_open_at = since, payouts_open_at = since, closed_at = since where closed_at is null`
    expect((await (await decide(of, 'explain'))()).status).toBe(200)
    await compare()
    // It is posted once and not reported again.
    expect(await ledgerAndPlatform(of)).toEqual([101_200n, 101_200n])
    expect((await discrepanciesOf(of)).map(({ state }) => state)).toEqual(['explained', 'settled', 'explained'])
  },
)

test('a second deal that two people have reversed as another one requires no further decision', async () => {
  const of = await makeOwner()
  await decideSecondAsForeign(of)
  expect((await (await decide(of, 'reverse'))()).status).toBe(200)
  await settleOperations(place.server)
  await turn('reset')
  await compare()
  expect((await discrepanciesOf(of)).map(({ state }) => state)).toEqual(['explained', 'settled'])
  expect(await ledgerAndPlatform(of)).toEqual([100_500n, 100_500n])
})

/** Returns the balance that the client sees, whose earlier session ends with recovery. */
async function shownBalance({ client, account }: Owner) {
  const as = await clientTokenFor(place.server, client)
  const { answer } = await call(place.server, getLiveAccounts, { as, params: { a: 'all', b: 'all' } })
  return answer.accounts.find(({ number }) => number === account.login)?.balance
}

const readBalances = ({ account }: Owner) => {
  const { dependencies, clock } = place.server
  const login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
  return fetchSnapshot(dependencies.pool, dependencies, login, clock.now())
}

test('a displayed balance that already includes the deal includes it once after recovery finds that it is ours', async () => {
  const of = await makeOwner()
  const ticket = await makeLostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  await readBalances(of)
  expect(await shownBalance(of)).toBe(100_700n)
  await turn('reset')
  await compare()
  await decidedInRecovery(ticket, adoption)
  expect([await shownBalance(of), await ledgerAndPlatform(of)]).toEqual([100_700n, [100_700n, 100_700n]])
  // Another deal is posted while no newer balance is stored.
  const later = await makeLostDeal(of)
  await decidedInRecovery(later, adoption)
  expect([await shownBalance(of), await ledgerAndPlatform(of)]).toEqual([101_400n, [101_400n, 101_400n]])
})

test('a displayed balance without the deal includes it from its posting on, and once after its operation finds it', async () => {
  const of = await makeOwner()
  const corrected = await decideAsForeign(of)
  expect(await shownBalance(of)).toBe(100_000n)
  expect((await (await decide(of, 'book-correction'))()).status).toBe(200)
  expect([await shownBalance(of), await ledgerAndPlatform(of)]).toEqual([100_700n, [100_700n, 100_700n]])
  await makeCommentsReadable()
  expect([await corrected(), await shownBalance(of)]).toMatchObject([{ state: 'done' }, 100_700n])
})

test('the deal is not added to a displayed balance that equals the ledger because another deal reversed it', async () => {
  const of = await makeOwner()
  const ticket = await makeLostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  await readBalances(of)
  await makeLostDeal(of, 'by-hand', -700n)
  await readBalances(of)
  expect(await shownBalance(of)).toBe(100_000n)
  await turn('reset')
  await compare()
  await decidedInRecovery(ticket, adoption)
  expect([await shownBalance(of), await ledgerAndPlatform(of)]).toEqual([100_000n, [100_700n, 100_000n]])
})

test('a second deal of the same amount does not replace ours that was deleted from the platform', async () => {
  const of = await makeOwner()
  const { ref = '' } = (await (await sendOperation(of))()) ?? {}
  const own = await row<{ ticket: string }>(place.server.dependencies.pool)`
    select result -> 'done' ->> 'ticket' as ticket from operations where ref = ${ref}`
  await makeLostDeal(of, ref, 500n)
  await turn('deals/cancel', { ticket: own?.ticket })
  place.server.clock.turn(3_600)
  await compare()
  const kinds = (await discrepanciesOf(of)).map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual(['ledger-only', 'second-deal'])
})

test('a second lost deal with the same reference is reported as such after the first was adopted', async () => {
  const of = await makeOwner()
  const ref = platformComment({ key: key(), shown: newReference(), leg: 'deposit-credit', generation: 0 })
  const [first, second] = [await makeLostDeal(of, ref), await makeLostDeal(of, ref)]
  await compare()
  await decidedInRecovery(first, adoption)
  expect(await discrepanciesOf(of)).toMatchObject([{ kind: 'second-deal', state: 'open', theirs: 700n }])
  await decidedInRecovery(second, reversal)
  expect((await discrepanciesOf(of)).map(({ state }) => state)).toEqual(['gone'])
  expect(await ledgerAndPlatform(of)).toEqual([100_700n, 100_700n])
})

test('a second lost debit with the same reference cannot be adopted, because nothing would be posted for it', async () => {
  const of = await makeOwner()
  const { id: destinationId } = await makeFundedAccount(place.server, of.client, 0n)
  const ref = platformComment({ key: key(), shown: newReference(), leg: 'transfer-withdraw', generation: 0 })
  const [first, second] = [await makeLostDeal(of, ref, -700n), await makeLostDeal(of, ref, -700n)]
  const adopted = { action: 'adopt', reason: 'The client asked for it.', destinationId } as const
  await compare()
  await runRecoverySearch()
  const item = await row<{ id: string }>(place.server.dependencies.pool)`
    select id from recovery_items where ticket = ${second}`
  const params = { id: item?.id ?? '' }
  const [proposer, colleague] = [await makeStaff(place.server, ['finance']), await makeStaff(place.server, ['finance'])]
  const early = await call(place.server, proposeRecoveryItem, {
    as: proposer,
    params,
    body: { version: 1, ...adopted },
  })
  expect(early.status).toBe(200)
  await decidedInRecovery(first, adopted)
  const refused = await call(place.server, confirmRecoveryItem, { as: colleague, params, body: { version: 2 } })
  expect(refused.failure).toMatchObject({ code: 'recovery-second' })
  await call(place.server, dropRecoveryItem, {
    as: colleague,
    params,
    body: { version: 2, reason: 'It is a second one.' },
  })
  const again = await call(place.server, proposeRecoveryItem, {
    as: proposer,
    params,
    body: { version: 3, ...adopted },
  })
  expect(again.failure).toMatchObject({ code: 'recovery-second' })
})

test('a lost deal cannot be adopted while its operation is being sent, because it may be executed a second time', async () => {
  const of = await makeOwner()
  const { pool, keys } = place.server.dependencies
  const { client, account } = of
  const asked = { accountId: account.id, amount: '7.00', currency: 'EUR', reason: 'goodwill' } as const
  const as = await makeStaff(place.server, ['finance'])
  const { id } = (await call(place.server, accounting.requestCorrection, { as, body: asked })).answer
  const { reference = '' } =
    (await row<{ reference: string }>(pool)`select reference from corrections where id = ${id}`) ?? {}
  const ref = platformComment({ key: key(), shown: reference, leg: 'correction', generation: 0 })
  const ticket = await makeLostDeal(of, ref)
  await compare()
  await runRecoverySearch()
  const item = () =>
    row<{ id: string; state: string }>(pool)`select id, state from recovery_items where ticket = ${ticket}`
  const params = { id: (await item())?.id ?? '' }
  const [proposer, colleague] = [await makeStaff(place.server, ['finance']), await makeStaff(place.server, ['finance'])]
  const body = { version: 1, action: 'adopt', reason: 'It was agreed.' } as const
  expect((await call(place.server, proposeRecoveryItem, { as: proposer, params, body })).status).toBe(200)
  const now = place.server.clock.now()
  const request = { id, clientId: client.id, reference, platform: 'MT5', login: account.login } as const
  const order = { request: { ...request, accountId: account.id }, subject: 'correction', leg: 'correction' } as const
  const operation = await transaction(pool, (tx) =>
    enqueueBalance(tx, keys, now, { ...order, amount: money(700n, 'EUR') }),
  )
  const until = new Date(now.getTime() + 45_000)
  await run(pool)`
    update operations set state = 'sending', sent_at = ${now}, lease_until = ${until} where id = ${operation}`
  const confirm = () => call(place.server, confirmRecoveryItem, { as: colleague, params, body: { version: 2 } })
  expect((await confirm()).failure).toMatchObject({ code: 'recovery-sending' })
  expect([await item(), await ledgerAndPlatform(of)]).toMatchObject([{ state: 'proposed' }, [100_000n, 100_700n]])
  // Its server has stopped, so no one else will settle it.
  place.server.clock.turn(60)
  const confirmed = await confirm()
  expect(confirmed.status, confirmed.bytes.toString()).toBe(200)
  const settled = await row(pool)`
    select state, result -> 'done' ->> 'ticket' as ticket from operations where id = ${operation}`
  expect(settled).toEqual({ state: 'done', ticket })
  expect([await item(), await ledgerAndPlatform(of)]).toMatchObject([{ state: 'settled' }, [100_700n, 100_700n]])
})

test('a balance reading that finds our lost operation opens recovery and stores no newer balance', async () => {
  const of = await makeOwner()
  const ticket = await makeLostDeal(of)
  await readBalances(of)
  expect(await recoveryOf(place.server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
  expect(await shownBalance(of)).toBe(100_000n)
  await decidedInRecovery(ticket, adoption)
  expect([await shownBalance(of), await ledgerAndPlatform(of)]).toEqual([100_700n, [100_700n, 100_700n]])
})

test('a deal that two people have reversed is not reversed again when recovery finds that it was ours', async () => {
  const of = await makeOwner()
  const ticket = await makeLostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  await compare()
  expect((await (await decide(of, 'reverse'))()).status).toBe(200)
  await settleOperations(place.server)
  expect([await dealsThere(of), await ledgerAndPlatform(of)]).toEqual([3, [100_000n, 100_000n]])
  await turn('reset')
  await compare()
  await decidedInRecovery(ticket, reversal)
  expect([await dealsThere(of), await ledgerAndPlatform(of)]).toEqual([3, [100_000n, 100_000n]])
})

test('an explanation by one person on a server of the previous version does not end the hold, and two people decide again', async () => {
  const of = await makeOwner()
  await turn('deals/garble', { ticket: await makeLostDeal(of), fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  await run(place.server.dependencies.pool)`
    update differences set state = 'explained', decided_at = ${place.server.clock.now()} where account_id = ${of.account.id}`
  await nextHour()
  expect([await isHeldByStalledRow(of), (await discrepanciesOf(of)).map(({ state }) => state)]).toEqual([
    true,
    ['explained', 'open'],
  ])
  expect((await (await decide(of, 'explain'))()).status).toBe(200)
  await nextMinute()
  expect(await isHeldByStalledRow(of)).toBe(false)
})

test('an earlier unclear deal that another server finds while an account is read again still holds the account', async () => {
  const of = await makeOwner()
  const [earlier, later] = [await makeLostDeal(of, 'Rebate-October'), await makeLostDeal(of, 'Rebate-November')]
  await turn('deals/garble', { ticket: later, fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  await turn('reset')
  const { bulk } = place.server.dependencies.platforms.MT5
  const readDeals = bulk.balanceOperations.bind(bulk)
  const read = vi.spyOn(bulk, 'balanceOperations').mockImplementationOnce(async (...window) => {
    const deals = await readDeals(...window)
    const there = await place.platform.read<{ ticket: string; time: number }[]>(`deals?login=${of.account.login}`)
    const time = there.find(({ ticket }) => ticket === earlier)?.time ?? 0
    const fields = { Comment: null, Time: String(time - 300) }
    await turn('deals/garble', { ticket: earlier, fields })
    expect(await searchDeals()).toBeNull()
    return deals
  })
  await readAgain(of)
  read.mockRestore()
  expect(await isHeldByStalledRow(of)).toBe(true)
  expect((await discrepanciesOf(of)).map(({ kind, state }) => [kind, state])).toContainEqual(['unclear-deal', 'open'])
})

test('a balance reading also holds the account, and creates the discrepancy that explains why no newer balance is stored', async () => {
  const of = await makeOwner()
  await turn('deals/garble', { ticket: await makeLostDeal(of), fields: { Comment: null } })
  const { balance } = await readBalances(of)
  expect([balance.minor, await isHeldByStalledRow(of)]).toEqual([100_000n, true])
  expect(await discrepanciesOf(of)).toMatchObject([{ kind: 'unclear-deal', state: 'open' }])
})

test('a reconciliation also holds an account, and our own deal is recognised by its number', async () => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  const deals = (login: string) => place.platform.read<{ ticket: string }[]>(`deals?login=${login}`)
  const [own] = await deals(other.account.login)
  await turn('deals/garble', { ticket: own?.ticket, fields: { Comment: null } })
  await turn('deals/garble', { ticket: await makeLostDeal(of), fields: { Comment: null, Deal: 'n/a', Time: 'n/a' } })
  await compare()
  expect([await isHeldByStalledRow(of), await isHeldByStalledRow(other)]).toEqual([true, false])
  // Without a number it could not be found again, so that no one can decide it.
  expect(await discrepanciesOf(of)).toEqual([])
  expect((await rowsOf(of))[0]?.action).not.toContain('two people')
  const as = await makeStaff(place.server, ['operations'])
  const { rows: listed } = (await call(place.server, listFailedJobs, { as, query: { source: 'account' } })).answer
  expect(listed.find(({ client }) => client?.id === of.client.id)?.lastError).toBe(
    'Number and comment of a deal cannot be read. The deal may be one of our operations. It must be corrected on the platform.',
  )
})

test('the search fails for a deal without a readable account, but still finds a sign elsewhere', async () => {
  const [of, other] = [await makeOwner(), await makeOwner()]
  const ticket = await makeLostDeal(of)
  await turn('deals/garble', { ticket, fields: { Comment: null, Login: 'n/a' } })
  await expect(searchDeals()).rejects.toThrow('without a readable account and comment')
  await makeLostDeal(other)
  expect(await searchDeals()).toMatchObject({ sign: 'unknown-reference' })
})

// Last, because the simulator gives the number of a deleted account to the next one.
test('an account deleted from the platform is not listed, because its deal cannot be corrected, but is still held', async () => {
  const owners = [await makeOwner(), await makeOwner()] as const
  for (const of of owners) await turn('deals/garble', { ticket: await makeLostDeal(of), fields: { Comment: null } })
  expect(await searchDeals()).toBeNull()
  const ways = [nextHour, () => compareAll(place.server.dependencies, comparison())]
  for (const [index, find] of ways.entries()) {
    const of = owners[index] ?? owners[0]
    expect([await isHeldByStalledRow(of), await isMissing(of)]).toEqual([true, false])
    await turn('accounts/delete', { login: of.account.login })
    await find()
    expect([await isHeldByStalledRow(of), await isMissing(of)]).toEqual([false, true])
    expect(await (await sendOperation(of))()).toMatchObject({ state: 'waiting' })
  }
})
