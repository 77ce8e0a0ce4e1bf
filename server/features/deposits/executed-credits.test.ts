/**
 * A credit that the platform refused and executed nevertheless, and the refund of its payment: the client has one of
 * them (requirements 24.161).
 */
import { afterEach, expect, test } from 'vitest'
import { confirmDifference, proposeDifference } from '#contract/office/accounting.ts'
import { creditDeposit, refundDeposit } from '#contract/office/deposits.ts'
import { money } from '#rules/money.ts'
import { requireRow } from '#server/db/sql.ts'
import { compareAll } from '#server/features/reconciliation/compare.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { cardPaymentsForFile, type CardPayment } from '../../../tests/card-payments.ts'
import { call } from '../../../tests/factories.ts'
import { staffForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'

const { place, server, cards, finance, after, ...payments } = cardPaymentsForFile()
const { act, notify, makeUncredited, pageOf, refusalsOnPage, decide, timelineOf, postedOf, differencesOf } = payments
afterEach(() => Promise.all([place.platform.turn('reset'), cards.turn('reset')]))
const second = staffForFile(server, ['finance'])

/** Executes the refused credit of a payment on the platform; returns its ticket. */
async function execute({ id, account }: CardPayment): Promise<string> {
  const { ref } = await requireRow<{ ref: string }>(server.dependencies.pool)`
    select ref from operations where record = ${id} and kind = 'balance'`
  const amount = money(10_000n, 'EUR')
  const { MT5 } = server.dependencies.platforms
  return (await MT5.applyBalance({ ref, login: account.login, amount, checkMargin: false })).ticket
}

/** Lets the reconciliation find the deal, and one person in finance propose a decision; returns the confirmation. */
async function propose({ account }: CardPayment, proposal: 'reverse' | 'book-correction') {
  // A comparison leaves out operations that were settled just now.
  await compareAll(server.dependencies, { identity: { kind: 'clock' }, now: after(3), reference: 'compare' })
  const { id, kind, version } = await requireRow<{ id: string; kind: string; version: number }>(
    server.dependencies.pool,
  )`select id, kind, version from differences where account_id = ${account.id} and state = 'open'`
  expect(kind).toBe('second-deal')
  const body = { version, proposal, reason: 'The platform executed it.' }
  const proposed = await call(server, proposeDifference, { as: finance, params: { id }, body })
  const confirm = () => call(server, confirmDifference, { as: second, params: { id }, body: { version: version + 1 } })
  return { proposed, confirm }
}

const refusalOfRefund = async (payment: CardPayment) => {
  const { status, failure } = await decide(payment, refundDeposit)
  return [status, failure.code]
}

test('a payment is not refunded before two people and the platform have reversed its credit', async () => {
  const payment = await makeUncredited()
  await execute(payment)
  expect(await refusalOfRefund(payment)).toEqual([409, 'credit-on-platform'])
  const { confirm } = await propose(payment, 'reverse')
  expect(await refusalOfRefund(payment)).toEqual([409, 'credit-on-platform'])
  expect((await confirm()).status).toBe(200)
  expect(await refusalOfRefund(payment)).toEqual([409, 'credit-on-platform'])
  await settleOperations(server)
  expect((await decide(payment, refundDeposit)).status).toBe(200)
  await settleOperations(server)
  expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
  expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(0n)
})

test('a payment is not refunded once two people have posted its credit, and is credited with it', async () => {
  const payment = await makeUncredited()
  await execute(payment)
  expect((await (await propose(payment, 'book-correction')).confirm()).status).toBe(200)
  expect(await refusalOfRefund(payment)).toEqual([409, 'credit-on-platform'])
  expect((await decide(payment, creditDeposit)).status).toBe(200)
  await settleOperations(server)
  expect(await timelineOf(payment)).toMatchObject({ status: 'approved' })
  expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
})

test('a credit is not posted once the refund of its payment has been requested', async () => {
  const payment = await makeUncredited()
  const ticket = await execute(payment)
  const { confirm } = await propose(payment, 'book-correction')
  await place.platform.turn('deals/garble', { ticket, fields: { Comment: 'Rebate' } })
  expect((await decide(payment, refundDeposit)).status).toBe(200)
  await place.platform.turn('reset')
  const reply = await confirm()
  expect([reply.status, reply.failure.code]).toEqual([409, 'recovery-refunded'])
  await settleOperations(server)
  expect((await confirm()).failure.code).toBe('recovery-refunded')
  expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(0n)
})

test('a credit that is found after the refund can only be reversed', async () => {
  const payment = await makeUncredited()
  expect((await decide(payment, refundDeposit)).status).toBe(200)
  await settleOperations(server)
  await execute(payment)
  expect((await propose(payment, 'book-correction')).proposed.failure.code).toBe('recovery-refunded')
  expect((await (await propose(payment, 'reverse')).confirm()).status).toBe(200)
  await settleOperations(server)
})

test('a credit can only be reversed once the provider has returned a part of its payment', async () => {
  const payment = await makeUncredited()
  await execute(payment)
  await act(payment, 'refund', { amount: 4_000 })
  await notify(payment)
  expect((await propose(payment, 'book-correction')).proposed.failure.code).toBe('recovery-refunded')
  expect((await (await propose(payment, 'reverse')).confirm()).status).toBe(200)
  await settleOperations(server)
})

test('a part that the provider returns after two people have posted the credit is a discrepancy, and the payment is credited', async () => {
  const payment = await makeUncredited()
  await execute(payment)
  expect((await (await propose(payment, 'book-correction')).confirm()).status).toBe(200)
  await act(payment, 'refund', { amount: 4_000 })
  await notify(payment)
  expect(await differencesOf(payment)).toContainEqual(['refunded', 'open', 10_000n, 6_000n])
  expect((await decide(payment, creditDeposit)).status).toBe(200)
  await settleOperations(server)
  expect(await timelineOf(payment)).toMatchObject({ status: 'approved', refunded: 4_000n })
  expect((await postedOf(payment))['arrived_unmatched']).toBeUndefined()
  expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
})

test('nothing is decided while an earlier refund has not been settled, and the page says so', async () => {
  const payment = await makeUncredited()
  expect((await decide(payment, refundDeposit)).status).toBe(200)
  await act(payment, 'chargeback')
  await notify(payment)
  await act(payment, 'reverse-chargeback')
  await notify(payment)
  expect(await timelineOf(payment)).toMatchObject({ status: 'uncredited' })
  expect(await refusalsOnPage(payment)).toMatchObject({ credit: 'refund-open', refund: 'refund-open' })
  for (const endpoint of [creditDeposit, refundDeposit])
    expect((await decide(payment, endpoint)).failure.code).toBe('refund-open')
  await settleOperations(server)
})

test('a payment that the provider does not report is not refunded', async () => {
  const payment = await makeUncredited()
  await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 0 })
  expect(await refusalOfRefund(payment)).toEqual([409, 'provider-payment-unknown'])
})

test('a deal without a readable comment may be the credit', async () => {
  const payment = await makeUncredited()
  const ticket = await execute(payment)
  await place.platform.turn('deals/garble', { ticket, fields: { Comment: null } })
  expect(await refusalOfRefund(payment)).toEqual([409, 'deal-unreadable'])
  await place.platform.turn('reset')
  expect(await refusalOfRefund(payment)).toEqual([409, 'credit-on-platform'])
  expect((await (await propose(payment, 'reverse')).confirm()).status).toBe(200)
  await settleOperations(server)
})

test('the platform is queried before each refund, unless it no longer has the account', async () => {
  const payment = await makeUncredited()
  const { version } = await pageOf(payment)
  await place.platform.turn('drop-before', { path: '/', count: 0 })
  const reply = await call(server, refundDeposit, { as: finance, params: { id: payment.id }, body: { version } })
  expect([reply.status, reply.failure.code]).toEqual([503, 'platform-unavailable'])
  await place.platform.turn('reset')
  await place.platform.turn('accounts/delete', { login: payment.account.login })
  expect((await decide(payment, refundDeposit)).status).toBe(200)
  await place.platform.turn('accounts/restore', { login: payment.account.login })
  await settleOperations(server)
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
