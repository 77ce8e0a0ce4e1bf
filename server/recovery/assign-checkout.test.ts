/**
 * Payments at the card provider whose checkout was lost: two people assign each once, or return it to the payer (ADR
 * 145).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { holdPayments } from '#contract/office/client-decisions.ts'
import { retryJob } from '#contract/office/records.ts'
import * as recoveryCalls from '#contract/office/recovery.ts'
import { money } from '#rules/money.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { operationRef } from '#server/db/ids.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { merchantReference, platformComment } from '#server/ledger/references.ts'
import { makePaidCheckout, sendWebhook } from '../../tests/card-provider.ts'
import { endRecovery } from '../../tests/end-recovery.ts'
import { cardsForFile, staffForFile } from '../../tests/for-file.ts'
import { platformAccount } from '../../tests/platform-account.ts'
import { makeFundedAccount, settleOperations } from '../../tests/funded-account.ts'
import { call, makeClient, makeStaff, newReference, type MadeStaff } from '../../tests/factories.ts'
import { queryPaidCheckouts } from '../features/deposits/jobs.ts'
import { disableUnknownAccounts } from './unknown-accounts.ts'
import { waitForBlockedConnections } from '../../tests/lock-waits.ts'
import { findOpenRecoveryItem, runRecover, settleRecoveryItem } from '../../tests/recovered.ts'

// The simulated platform uses the real time for its deals.
const place = cardsForFile({ now: new Date() })
const { server, cards } = place
const twoOfFinance = [staffForFile(server, ['finance']), staffForFile(server, ['finance'])] as const
/** Each test starts without a recovery. */
beforeEach(() => endRecovery(server, []))

interface PaidCheckout {
  readonly id: string
  readonly shown: string
  readonly ref: string
}

/** Makes a paid checkout at the provider that no row has. */
async function paidAtProvider(): Promise<PaidCheckout> {
  const shown = newReference()
  const ref = merchantReference({ key: server.dependencies.keys.reference.bytes, shown })
  const id = await makePaidCheckout(server, cards, ref)
  return { id, shown, ref }
}

async function notify(providerId: string): Promise<void> {
  expect(await sendWebhook(server, providerId)).toBe(200)
  // Recovery ends all sessions, so this restores those of its staff.
  await run(server.dependencies.pool, sql`update sessions set ended_at = null`)
}

async function itemOf({ id: ticket }: PaidCheckout) {
  const { answer } = await call(server, recoveryCalls.listRecoveryItems, { as: twoOfFinance[0], query: {} })
  const found = answer.rows.filter((one) => one.ticket === ticket)
  expect(found).toHaveLength(1)
  const [item] = found
  if (!item) throw new Error('no item')
  return item
}

async function propose(paid: PaidCheckout, body: object) {
  const { id, version } = await itemOf(paid)
  return call(server, recoveryCalls.proposeRecoveryItem, {
    as: twoOfFinance[0],
    params: { id },
    body: { version, reason: 'The client sent the receipt', ...body } as never,
  })
}

async function confirm(paid: PaidCheckout, as: MadeStaff = twoOfFinance[1]) {
  const { id, version } = await itemOf(paid)
  return call(server, recoveryCalls.confirmRecoveryItem, { as, params: { id }, body: { version } })
}

/** Makes a paid checkout, and proposes to assign it to an account of a new client. */
async function proposeAssignment() {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const paid = await paidAtProvider()
  await notify(paid.id)
  await propose(paid, { action: 'adopt', platform: 'MT5', accountNumber: account.login })
  return { client, paid }
}

const deposits = ({ id }: PaidCheckout) =>
  rows<{ state: string; reference: string; ref: string; received: bigint; account: string; refunded: bigint }>(
    server.dependencies.pool,
    sql`select state, reference, provider_ref as ref, received_minor as received, account_id as account,
          refunded_minor as refunded from deposits where provider = 'card' and provider_id = ${id}`,
  )

const openAccounts = () =>
  run(
    server.dependencies.pool,
    sql`update recovery set accounts_open_at = ${server.clock.now()} where closed_at is null`,
  )

async function expectInvariantsHold(): Promise<void> {
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
}

test('a further payment of the checkout is one discrepancy, before and after the other one is assigned', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const paid = await paidAtProvider()
  const first = (await server.dependencies.cards?.getStatus(paid.id))?.paymentId ?? ''
  const { paymentId: second } = await cards.turn('act', { id: paid.id, action: 'pay', another: true })
  const notifyOf = (payment: unknown) =>
    sendWebhook(server, paid.id, {
      about: { payment: { id: payment, hostedCheckoutSpecificOutput: { hostedCheckoutId: paid.id } } },
    })
  const further = () =>
    rows(
      server.dependencies.pool,
      sql`select facts ->> 'providerIds' as id from differences
          where kind = 'paid-again' and facts ->> 'providerIds' in (${first}, ${String(second)})`,
    )
  for (const payment of [first, second]) expect(await notifyOf(payment)).toBe(200)
  await run(server.dependencies.pool, sql`update sessions set ended_at = null`)
  const before = await further()
  expect(before).toHaveLength(1)
  await propose(paid, { action: 'adopt', platform: 'MT5', accountNumber: account.login })
  expect((await confirm(paid)).status).toBe(200)
  await openAccounts()
  await settleOperations(server)
  for (const payment of [first, second]) expect(await notifyOf(payment)).toBe(200)
  expect(await deposits(paid)).toHaveLength(1)
  expect(await further()).toEqual(before)
})

test('a payment assigned by two people is credited once, however often the webhook and recover run again', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const paid = await paidAtProvider()
  await notify(paid.id)
  await notify(paid.id)
  await runRecover(server)
  const item = await itemOf(paid)
  expect(item).toMatchObject({ kind: 'checkout-lost', platform: 'card', amount: 10_000n, comment: paid.ref })
  const body = { action: 'adopt', platform: 'MT5', accountNumber: account.login }
  expect((await propose(paid, { ...body, accountNumber: '99999' })).failure.code).toBe('account-unknown')
  expect((await propose(paid, body)).status).toBe(200)
  expect((await confirm(paid, twoOfFinance[0])).failure.code).toBe('own-act')
  expect(await deposits(paid)).toEqual([])
  const done = await confirm(paid)
  expect(done.status, done.bytes.toString()).toBe(200)
  expect((await confirm(paid)).status).toBe(409)
  await openAccounts()
  await settleOperations(server)
  await notify(paid.id)
  await runRecover(server)
  await settleOperations(server)
  expect(await deposits(paid)).toEqual([
    { state: 'approved', reference: paid.shown, ref: paid.ref, received: 10_000n, account: account.id, refunded: 0n },
  ])
  const credits = await rows(
    server.dependencies.pool,
    sql`select state from operations where shown = ${paid.shown} and kind = 'balance'`,
  )
  expect(credits).toEqual([{ state: 'done' }])
  await itemOf(paid)
  const events = await rows<{ verb: string }>(
    server.dependencies.pool,
    sql`select verb from events where kind = 'recovery_item' and record = ${item.id} order by id`,
  )
  expect(events.map(({ verb }) => verb)).toEqual(['find', 'propose', 'confirm'])
  await expectInvariantsHold()
})

test('a payment is not assigned to a client whose payments are on hold, and can be refunded instead', async () => {
  const { client, paid } = await proposeAssignment()
  const officer = await makeStaff(server, ['compliance'])
  const hold = { reason: 'A report is being written.' }
  const holding = await call(server, holdPayments, { as: officer, params: { id: client.id }, body: hold })
  expect(holding.status).toBe(201)
  expect((await confirm(paid)).failure.code).toBe('payments-on-hold')
  expect(await deposits(paid)).toEqual([])
  const { id, version } = await itemOf(paid)
  const dropping = { as: twoOfFinance[1], params: { id }, body: { version, reason: 'On hold' } }
  expect((await call(server, recoveryCalls.dropRecoveryItem, dropping)).status).toBe(200)
  expect((await propose(paid, { action: 'reverse' })).status).toBe(200)
  expect((await confirm(paid)).status).toBe(200)
  await settleOperations(server)
  await expectInvariantsHold()
})

test('a payment is not assigned to a client who has been closed in the meantime', async () => {
  const { client, paid } = await proposeAssignment()
  await run(server.dependencies.pool, sql`update clients set state = 'closed' where id = ${client.id}`)
  expect((await confirm(paid)).failure.code).toBe('owner-closed')
  expect(await deposits(paid)).toEqual([])
})

test('a payment credited to an account that two people keep disabled can be refunded but not assigned to another account', async () => {
  const { platforms, keys, pool } = server.dependencies
  const account = await makeFundedAccount(server, await makeClient(server), 0n)
  const paid = await paidAtProvider()
  // An account of the lost time, whose client is lost as well.
  const platformOwned = await platforms.MT5.createAccount(
    platformAccount(operationRef(new Date()), 'real\\standard-EUR'),
  )
  const ref = platformComment({ key: keys.reference.bytes, shown: paid.shown, leg: 'deposit-credit', generation: 0 })
  await platforms.MT5.applyBalance({
    ref,
    login: platformOwned.login,
    amount: money(10_000n, 'EUR'),
    checkMargin: false,
  })
  await notify(paid.id)
  await runRecover(server)
  await disableUnknownAccounts(server.dependencies, { since: server.clock.now(), mt4Logins: [] })
  await propose(paid, { action: 'reverse' })
  expect((await confirm(paid)).failure.code).toBe('recovery-credited')
  const drop = async () => {
    const { id, version } = await itemOf(paid)
    const body = { version, reason: 'Another decision' }
    const reply = await call(server, recoveryCalls.dropRecoveryItem, { as: twoOfFinance[1], params: { id }, body })
    expect(reply.status).toBe(200)
  }
  await drop()
  const found = await row<{ id: string; version: number }>(
    pool,
    sql`select id, version from recovery_items where kind = 'account-found' and login = ${platformOwned.login}`,
  )
  const params = { id: found?.id ?? '' }
  const keeping = { version: found?.version ?? 0, action: 'keep' as const, reason: 'Its client is not known' }
  expect(
    (await call(server, recoveryCalls.proposeRecoveryItem, { as: twoOfFinance[0], params, body: keeping })).status,
  ).toBe(200)
  const body = { version: keeping.version + 1 }
  expect((await call(server, recoveryCalls.confirmRecoveryItem, { as: twoOfFinance[1], params, body })).status).toBe(
    200,
  )
  await propose(paid, { action: 'adopt', platform: 'MT5', accountNumber: account.login })
  expect((await confirm(paid)).failure.code).toBe('recovery-credited')
  await drop()
  await propose(paid, { action: 'reverse' })
  expect((await confirm(paid)).status).toBe(200)
  await settleOperations(server)
  await expectInvariantsHold()
})

test('a payment hold that is set concurrently prevents the assignment', async () => {
  const { client, paid } = await proposeAssignment()
  const officer = await makeStaff(server, ['compliance'])
  const { pool } = server.dependencies
  const confirming = await transaction(pool, async (tx) => {
    await run(tx, sql`select 1 from clients where id = ${client.id} for no key update`)
    const now = server.clock.now()
    await run(
      tx,
      sql`insert into payment_holds (client_id, reason, set_by, from_at) values (${client.id}, 'A report', ${officer.id}, ${now})`,
    )
    const waiting = confirm(paid)
    await waitForBlockedConnections(pool)
    return { waiting }
  })
  expect((await confirming.waiting).failure.code).toBe('payments-on-hold')
  expect(await deposits(paid)).toEqual([])
})

test('a proposal is not confirmed by the person who made it, even if they made it while the confirmation was in progress', async () => {
  const { paid } = await proposeAssignment()
  const { id, version } = await itemOf(paid)
  const { pool } = server.dependencies
  const confirming = await transaction(pool, async (tx) => {
    await run(tx, sql`select 1 from recovery_items where id = ${id} for update`)
    const body = { version: version + 2 }
    const waiting = call(server, recoveryCalls.confirmRecoveryItem, { as: twoOfFinance[1], params: { id }, body })
    await waitForBlockedConnections(pool)
    // Dropped, and proposed again by the person who confirms.
    await run(
      tx,
      sql`update recovery_items set proposed_by = ${twoOfFinance[1].id}, version = version + 2 where id = ${id}`,
    )
    return { waiting }
  })
  expect((await confirming.waiting).failure.code).toBe('own-act')
  expect(await deposits(paid)).toEqual([])
})

test('a later refund at the provider is recorded on the assigned deposit', async () => {
  const { paid } = await proposeAssignment()
  expect((await confirm(paid)).status).toBe(200)
  await openAccounts()
  await settleOperations(server)
  await cards.turn('act', { id: paid.id, action: 'refund' })
  await notify(paid.id)
  expect(await deposits(paid)).toMatchObject([{ refunded: 10_000n }])
  await expectInvariantsHold()
})

test('a chargeback of an assigned deposit is found by the daily query without a webhook', async () => {
  const { paid } = await proposeAssignment()
  await confirm(paid)
  await openAccounts()
  await settleOperations(server)
  await endRecovery(server, [])
  await cards.turn('act', { id: paid.id, action: 'chargeback' })
  const nextDay = new Date(server.clock.now().getTime() + 2 * 86_400_000)
  await queryPaidCheckouts(server.dependencies, nextDay)
  expect((await deposits(paid)).map(({ refunded }) => refunded)).toEqual([10_000n])
})

test('a payment returned by two people is refunded once, even while accounts are stopped, and does not open recovery again', async () => {
  const paid = await paidAtProvider()
  await notify(paid.id)
  expect((await propose(paid, { action: 'reverse' })).status).toBe(200)
  const done = await confirm(paid)
  expect(done.status, done.bytes.toString()).toBe(200)
  await settleOperations(server)
  await runRecover(server)
  await settleOperations(server)
  expect(await server.dependencies.cards?.getStatus(paid.id)).toMatchObject({
    state: 'refunded',
    back: [{ kind: 'refunded', amount: money(10_000n, 'EUR') }],
  })
  const sent = await rows(
    server.dependencies.pool,
    sql`select kind, state, ref like ${`${paid.shown}-B0-%`} as derived from operations where shown = ${paid.shown}`,
  )
  expect(sent).toEqual([{ kind: 'card-refund', state: 'done', derived: true }])
  expect(await deposits(paid)).toEqual([])
  const now = server.clock.now()
  await run(
    server.dependencies.pool,
    sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now} where closed_at is null`,
  )
  await notify(paid.id)
  expect(await row(server.dependencies.pool, sql`select 1 from recovery where closed_at is null`)).toBeNull()
  await expectInvariantsHold()
})

test('a returned payment is queried and refunded by its payment id if the provider no longer has the checkout', async () => {
  const paid = await paidAtProvider()
  await notify(paid.id)
  await cards.turn('act', { id: paid.id, action: 'refund', amount: 2_500 })
  expect((await propose(paid, { action: 'reverse' })).status).toBe(200)
  await cards.turn('refuse', { path: '/v1/1234/hostedcheckouts', status: 404, count: 0 })
  expect((await confirm(paid)).status).toBe(200)
  await settleOperations(server)
  await cards.turn('reset')
  const parts = [2_500n, 7_500n].map((minor) => ({ kind: 'refunded', amount: { minor } }))
  expect(await server.dependencies.cards?.getStatus(paid.id)).toMatchObject({ state: 'refunded', back: parts })
})

/** Returns the refunds of a payment by us, and what was posted as returned for them, in minor units. */
async function refundsOf({ shown }: PaidCheckout) {
  const sent = await rows<{ state: string; problem: string | null; generation: number }>(
    server.dependencies.pool,
    sql`select state, last_error as problem, generation from operations
        where kind = 'card-refund' and shown = ${shown} order by generation`,
  )
  const posted = await row<{ minor: bigint }>(
    server.dependencies.pool,
    sql`select coalesce(sum(p.minor), 0)::bigint as minor from entries e join postings p on p.entry_id = e.id
        join ledger_accounts l on l.id = p.ledger_account join operations o on o.ref = e.ref
        where o.kind = 'card-refund' and o.shown = ${shown} and l.kind = 'provider'`,
  )
  return { sent, returned: -(posted?.minor ?? 0n) }
}

describe('a refund that the provider', () => {
  const settledLater = 'The card provider has not settled the refund'
  let begunAt: Date
  beforeEach(() => void (begunAt = server.clock.now()))
  // Later than this the sessions of finance would have ended.
  afterEach(() => server.clock.set(begunAt))
  afterEach(() => cards.turn('reset'))

  async function requestRefund(status: string): Promise<PaidCheckout> {
    const paid = await paidAtProvider()
    await notify(paid.id)
    await propose(paid, { action: 'reverse' })
    await cards.turn('refunds', { status })
    expect((await confirm(paid)).status).toBe(200)
    await settleOperations(server)
    return paid
  }

  /** Lets a minute pass, after which each waiting operation is due. */
  async function tryAgainLater() {
    server.clock.turn(60)
    await settleOperations(server)
  }

  test.each([['REFUND_REQUESTED'], ['PENDING_APPROVAL']])(
    'has not settled (%s) stays open, is not requested again, and is posted once it is settled',
    async (status) => {
      const paid = await requestRefund(status)
      const open = { sent: [{ state: 'waiting', problem: settledLater, generation: 0 }], returned: 0n }
      expect(await refundsOf(paid)).toEqual(open)
      // Another request would be rejected, and end the operation.
      await cards.turn('refuse', { status: 400, count: 0 })
      await tryAgainLater()
      expect(await refundsOf(paid)).toEqual(open)
      await cards.turn('act', { id: paid.id, action: 'settle-refund' })
      await tryAgainLater()
      expect(await refundsOf(paid)).toMatchObject({ sent: [{ state: 'done' }], returned: 10_000n })
      await expectInvariantsHold()
    },
  )

  test('has not settled does not keep the accounts stopped', async () => {
    await requestRefund('REFUND_REQUESTED')
    const { holds } = await runRecover(server)
    expect(holds.filter((text) => text.startsWith('Reversals being sent'))).toEqual([])
  })

  test.each([['REJECTED'], ['CANCELLED']])(
    'answers with %s is not posted, and is requested again under a new reference by a person',
    async (status) => {
      const paid = await requestRefund(status)
      const problem = `The card provider has ended the refund: ${status}`
      expect(await refundsOf(paid)).toEqual({ sent: [{ state: 'refused', problem, generation: 0 }], returned: 0n })
      await cards.turn('reset')
      await openAccounts()
      await retryRefund(paid)
      await settleOperations(server)
      const sent = [{ state: 'refused' }, { state: 'done', generation: 1 }]
      expect(await refundsOf(paid)).toMatchObject({ sent, returned: 10_000n })
      await expectInvariantsHold()
    },
  )

  test('has not settled for hours is looked for once an hour', async () => {
    const paid = await requestRefund('REFUND_REQUESTED')
    const triesAfter = async (minutes: number) => {
      server.clock.turn(minutes * 60)
      await settleOperations(server)
      const found = await row<{ tries: number }>(server.dependencies.pool)`
        select tries from operations where kind = 'card-refund' and shown = ${paid.shown}`
      return found?.tries
    }
    // The first looks are a minute apart, and those after hours an hour.
    const tries: (number | undefined)[] = []
    for (const minutes of [1, 1, 8 * 60, 59, 2, 59, 2]) tries.push(await triesAfter(minutes))
    expect(tries).toEqual([2, 3, 4, 4, 5, 5, 6])
    expect((await refundsOf(paid)).sent).toMatchObject([{ problem: settledLater }])
  })

  test('rejects after a day, when it has forgotten the key, is not requested again', async () => {
    const paid = await requestRefund('REFUND_REQUESTED')
    await cards.turn('clock', { offsetSeconds: 25 * 3600 })
    server.clock.turn(25 * 3600)
    await cards.turn('reset')
    await cards.turn('act', { id: paid.id, action: 'reject-refund' })
    await settleOperations(server)
    expect(await refundsOf(paid)).toMatchObject({ sent: [{ state: 'refused' }], returned: 0n })
    const status = await server.dependencies.cards?.getStatus(paid.id)
    expect(status).toMatchObject({ state: 'paid', back: [], failedRefunds: [expect.any(String)] })
    await cards.turn('clock', { offsetSeconds: 0 })
  })

  test('rejects later is not posted', async () => {
    const paid = await requestRefund('PENDING_APPROVAL')
    await cards.turn('act', { id: paid.id, action: 'reject-refund' })
    await tryAgainLater()
    expect(await refundsOf(paid)).toMatchObject({ sent: [{ state: 'refused' }], returned: 0n })
    await expectInvariantsHold()
  })
})

/** Sends the refused refund of a payment again, as with Try again. */
async function retryRefund({ shown }: PaidCheckout) {
  const { pool } = server.dependencies
  const refused = sql`select id from operations where kind = 'card-refund' and shown = ${shown} and state = 'refused'`
  const found = await row<{ id: string }>(pool, refused)
  const { status, bytes } = await call(server, retryJob, {
    as: await makeStaff(server, ['operations']),
    params: { source: 'operation', id: found?.id ?? '' },
    body: { reason: 'The provider has corrected it' },
  })
  expect(status, bytes.toString()).toBe(200)
}

test('a credit that is found after its payment was refunded can only be reversed, not adopted', async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 0n)
  const paid = await paidAtProvider()
  await notify(paid.id)
  await propose(paid, { action: 'reverse' })
  expect((await confirm(paid)).status).toBe(200)
  const { keys, platforms, pool } = server.dependencies
  const ref = platformComment({ key: keys.reference.bytes, shown: paid.shown, leg: 'deposit-credit', generation: 0 })
  await platforms.MT5.applyBalance({ ref, login: account.login, amount: money(10_000n, 'EUR'), checkMargin: false })
  await runRecover(server)
  const look = { leg: 'deposit-credit', reference: paid.shown }
  const adopt = async () => {
    const { id, version } = await findOpenRecoveryItem(server, look)
    const body = { version, action: 'adopt' as const, depositType: 'cc_gcen' as const, reason: 'It was credited' }
    return call(server, recoveryCalls.proposeRecoveryItem, { as: twoOfFinance[0], params: { id }, body })
  }
  expect((await adopt()).failure.code).toBe('recovery-refunded')
  await settleOperations(server)
  expect((await adopt()).failure.code).toBe('recovery-refunded')
  // The same if the refund came between proposal and confirmation.
  const setState = (state: string) =>
    run(pool, sql`update operations set state = ${state} where kind = 'card-refund' and shown = ${paid.shown}`)
  await setState('refused')
  expect((await adopt()).status).toBe(200)
  await setState('done')
  const proposed = await row<{ id: string; version: number }>(
    pool,
    sql`select id, version from recovery_items where leg = ${look.leg} and reference = ${look.reference}`,
  )
  const deciding = { params: { id: proposed?.id ?? '' }, body: { version: proposed?.version ?? 0 } }
  const confirmed = await call(server, recoveryCalls.confirmRecoveryItem, { as: twoOfFinance[1], ...deciding })
  expect(confirmed.failure.code).toBe('recovery-refunded')
  const dropping = { ...deciding.body, reason: 'The payment has been refunded' }
  await call(server, recoveryCalls.dropRecoveryItem, { as: twoOfFinance[1], params: deciding.params, body: dropping })
  expect((await settleRecoveryItem(server, look, twoOfFinance, { action: 'reverse' })).status).toBe(200)
  await settleOperations(server)
  expect((await platforms.MT5.getAccount(account.login)).balance.minor).toBe(0n)
  await expectInvariantsHold()
})

test('recover finds a payment that a webhook stored before, and a dropped proposal leaves no client on the item', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const first = await paidAtProvider()
  await notify(first.id)
  const kept = await paidAtProvider()
  await notify(kept.id)
  await runRecover(server)
  await runRecover(server)
  await propose(kept, { action: 'adopt', platform: 'MT5', accountNumber: account.login })
  const proposed = await itemOf(kept)
  expect(proposed.client?.id).toBe(client.id)
  const dropped = await call(server, recoveryCalls.dropRecoveryItem, {
    as: twoOfFinance[1],
    params: { id: proposed.id },
    body: { version: proposed.version, reason: 'Another account' },
  })
  expect(dropped.status).toBe(200)
  expect(await itemOf(kept)).toMatchObject({ state: 'open', client: null, accountNumber: '' })
})

test('a payment credited in the lost time can only be assigned to that account and is not credited again', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const other = await makeFundedAccount(server, await makeClient(server), 0n)
  const paid = await paidAtProvider()
  const ref = platformComment({
    key: server.dependencies.keys.reference.bytes,
    shown: paid.shown,
    leg: 'deposit-credit',
    generation: 0,
  })
  const balance = async () => (await server.dependencies.platforms.MT5.getAccount(account.login)).balance.minor
  await server.dependencies.platforms.MT5.applyBalance({
    ref,
    login: account.login,
    amount: money(9_900n, 'EUR'),
    checkMargin: false,
  })
  const balanceBefore = await balance()
  await notify(paid.id)
  await runRecover(server)
  await propose(paid, { action: 'adopt', platform: 'MT5', accountNumber: other.login })
  expect((await confirm(paid)).failure.code).toBe('recovery-credited')
  const { id, version } = await itemOf(paid)
  const body = { version, reason: 'The credit is on another account' }
  await call(server, recoveryCalls.dropRecoveryItem, { as: twoOfFinance[1], params: { id }, body })
  await propose(paid, { action: 'adopt', platform: 'MT5', accountNumber: account.login })
  const done = await confirm(paid)
  expect(done.status, done.bytes.toString()).toBe(200)
  await openAccounts()
  await settleOperations(server)
  expect(await balance()).toBe(balanceBefore)
  expect(await deposits(paid)).toMatchObject([{ state: 'approved', received: 10_000n, account: account.id }])
  await expectInvariantsHold()
})

test('a payment whose credit two people reverse is refunded once the platform has reversed the credit', async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 0n)
  const paid = await paidAtProvider()
  const { keys, platforms } = server.dependencies
  const ref = platformComment({ key: keys.reference.bytes, shown: paid.shown, leg: 'deposit-credit', generation: 0 })
  await platforms.MT5.applyBalance({ ref, login: account.login, amount: money(9_900n, 'EUR'), checkMargin: false })
  await notify(paid.id)
  await runRecover(server)
  await propose(paid, { action: 'reverse' })
  expect((await confirm(paid)).failure.code).toBe('recovery-credited')
  const look = { leg: 'deposit-credit', reference: paid.shown }
  expect((await settleRecoveryItem(server, look, twoOfFinance, { action: 'reverse' })).status).toBe(200)
  expect((await confirm(paid)).failure.code).toBe('recovery-credited')
  await settleOperations(server)
  expect((await confirm(paid)).status).toBe(200)
  await settleOperations(server)
  await expectInvariantsHold()
})

test('a payment whose deposit was adopted from its credit is linked to that deposit, and its item is closed', async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 0n)
  const paid = await paidAtProvider()
  const { reference } = server.dependencies.keys
  const ref = platformComment({ key: reference.bytes, shown: paid.shown, leg: 'deposit-credit', generation: 0 })
  const amount = money(10_000n, 'EUR')
  await server.dependencies.platforms.MT5.applyBalance({ ref, login: account.login, amount, checkMargin: false })
  await notify(paid.id)
  await runRecover(server)
  const settled = await settleRecoveryItem(server, { leg: 'deposit-credit', reference: paid.shown }, twoOfFinance, {
    depositType: 'cc_gcen',
  })
  expect(settled.status, settled.bytes.toString()).toBe(200)
  await propose(paid, { action: 'reverse' })
  expect((await confirm(paid)).failure.code).toBe('recovery-credited')
  await runRecover(server)
  expect(await itemOf(paid)).toMatchObject({ state: 'settled' })
  expect(await deposits(paid)).toMatchObject([{ state: 'approved', received: 10_000n, account: account.id }])
  await expectInvariantsHold()
})
