/** Card payments that the provider took and that are not credited: who has the money, and how each of them ends. */
import { afterEach, describe, expect, test } from 'vitest'
import { closeClient, holdPayments } from '#contract/office/client-decisions.ts'
import { getClientMoney } from '#contract/office/client-tabs.ts'
import { creditDeposit, refundDeposit } from '#contract/office/deposits.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { requireRow, rows, run, sql } from '#server/db/sql.ts'
import { lostRefundSettled } from '#server/features/recovery/settle-checkout-item.ts'
import { cardRefundKind, refundOperation } from '#server/jobs/card-refund.ts'
import { operationDriver, type OperationKind } from '#server/jobs/operations.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { cardPaymentsForFile, type CardPayment } from '../../../tests/card-payments.ts'
import { staffForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { call } from '../../../tests/factories.ts'
import { queryPaidCheckouts } from './jobs.ts'

const { place, server, cards, finance, ...payments } = cardPaymentsForFile()
const {
  openCheckout,
  act,
  notify,
  check,
  after,
  makeUncredited,
  makeDiffering,
  pageOf,
  possibleActions,
  refusalsOnPage,
} = payments
const { decide, postedOf, itemOf, timelineOf, mailKindsOf, differencesOf } = payments
const operations = staffForFile(server, ['operations'])
const compliance = staffForFile(server, ['compliance'])
afterEach(() => Promise.all([cards.turn('reset'), place.platform.turn('reset')]))
const dayMinutes = 24 * 60

describe('a card payment whose credit the platform refused', () => {
  test('stays client money and is an item of finance, and the client cannot be closed', async () => {
    const payment = await makeUncredited()
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
    expect(await itemOf(payment)).toMatchObject({ state: 'uncredited' })
    const { items } = (await call(server, listInbox, { as: finance, query: { kind: 'deposit', mine: 'true' } })).answer
    expect(items.map(({ record }) => record)).toContain(payment.id)
    expect(await possibleActions(payment)).toEqual(['credit', 'refund'])
    expect(await timelineOf(payment)).toMatchObject({ status: 'uncredited', verbs: ['request', 'paid', 'refused'] })
    expect((await decide(payment, creditDeposit, operations)).status).toBe(403)
    const { version } = await requireRow<{ version: number }>(server.dependencies.pool)`
      select version from clients where id = ${payment.client.id}`
    const closing = { as: compliance, params: { id: payment.client.id }, body: { version, reason: 'No longer used.' } }
    expect((await call(server, closeClient, closing)).failure.code).toBe('requests-open')
  })

  test('is credited to its account under another reference, once', async () => {
    const payment = await makeUncredited()
    const [first, second] = await Promise.all([decide(payment, creditDeposit), decide(payment, creditDeposit)])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, client: -10_000n })
    const sent = await rows<{ ref: string; state: string; generation: number }>(
      server.dependencies.pool,
      sql`select ref, state, generation from operations where record = ${payment.id} and kind = 'balance' order by id`,
    )
    expect(sent.map(({ state, generation }) => [state, generation])).toEqual([
      ['refused', 0],
      ['done', 1],
    ])
    expect(await timelineOf(payment)).toMatchObject({ status: 'approved' })
    expect(await itemOf(payment)).toBeNull()
    expect(await mailKindsOf(payment)).toEqual(['deposit-refused', 'deposit-credited'])
  })

  test('whose next credit is refused as well is an item again', async () => {
    const payment = await makeUncredited()
    await place.platform.turn('refuse', { retcode: 13, login: payment.account.login })
    expect((await decide(payment, creditDeposit)).status).toBe(200)
    await settleOperations(server)
    await place.platform.turn('reset')
    expect(await itemOf(payment)).toMatchObject({ state: 'uncredited' })
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
  })

  test('is refunded by the provider once, and the refund is paid from the account that held it', async () => {
    const payment = await makeUncredited()
    expect((await decide(payment, refundDeposit)).status).toBe(200)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunding' })
    await settleOperations(server)
    await Promise.all([notify(payment), notify(payment)])
    expect(await postedOf(payment)).toEqual({})
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 10_000n })
    const reply = await check(payment)
    expect([reply.status, reply.failure.code]).toEqual([422, 'payment-returned'])
    expect(await mailKindsOf(payment)).toEqual(['deposit-refused', 'deposit-refunded'])
    expect(await differencesOf(payment)).toEqual([])
    expect(await itemOf(payment)).toBeNull()
  })

  test('whose refund the provider has not settled stays open, and ends once the provider has', async () => {
    const payment = await makeUncredited()
    await cards.turn('refunds', { status: 'REFUND_REQUESTED' })
    await decide(payment, refundDeposit)
    await settleOperations(server)
    await cards.turn('reset')
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunding' })
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
    await act(payment, 'settle-refund')
    await queryPaidCheckouts(server.dependencies, after(dayMinutes + 1))
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 10_000n })
    expect(await postedOf(payment)).toEqual({})
    await settleOperations(server)
    expect(await mailKindsOf(payment)).toEqual(['deposit-refused', 'deposit-refunded'])
  })

  test('whose refund the provider rejects is an item again, and can be refunded under another reference', async () => {
    const payment = await makeUncredited()
    await cards.turn('refunds', { status: 'REJECTED' })
    await decide(payment, refundDeposit)
    await settleOperations(server)
    await cards.turn('reset')
    expect(await itemOf(payment)).toMatchObject({ state: 'uncredited' })
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
    await decide(payment, refundDeposit)
    await settleOperations(server)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    expect(await postedOf(payment)).toEqual({})
  })

  test('that the provider’s staff refund in parts ends with the last part, without a discrepancy', async () => {
    const payment = await makeUncredited()
    await act(payment, 'refund', { amount: 4_000 })
    await notify(payment)
    expect(await postedOf(payment)).toEqual({ provider: 6_000n, arrived_unmatched: -6_000n })
    const refused = await decide(payment, creditDeposit)
    expect([refused.status, refused.failure.code]).toEqual([409, 'payment-partly-returned'])
    await act(payment, 'refund')
    await queryPaidCheckouts(server.dependencies, after(dayMinutes + 1))
    expect(await postedOf(payment)).toEqual({})
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 10_000n })
    expect(await differencesOf(payment)).toEqual([])
  })

  test('that was returned while the credit was on its way holds the rest only', async () => {
    const payment = await openCheckout()
    await act(payment, 'pay')
    await place.platform.turn('refuse', { retcode: 13, login: payment.account.login })
    await act(payment, 'refund', { amount: 4_000 })
    await notify(payment)
    await settleOperations(server)
    await place.platform.turn('reset')
    expect(await postedOf(payment)).toEqual({ provider: 6_000n, arrived_unmatched: -6_000n })
    expect(await differencesOf(payment)).toEqual([['refunded', 'gone', 10_000n, 6_000n]])
  })

  test('is neither credited nor refunded while payments of its client are on hold', async () => {
    const payment = await makeUncredited()
    const held = { as: compliance, params: { id: payment.client.id }, body: { reason: 'Under review.' } }
    expect((await call(server, holdPayments, held)).status).toBe(201)
    for (const endpoint of [creditDeposit, refundDeposit]) {
      const refused = await decide(payment, endpoint)
      expect([refused.status, refused.failure.code]).toEqual([409, 'checks-block'])
    }
    expect(await possibleActions(payment)).toEqual([])
    expect(await timelineOf(payment)).toMatchObject({ status: 'uncredited' })
  })
})

test('a server of an earlier version leaves the refund of a deposit to a newer one', async () => {
  const payment = await makeUncredited()
  await decide(payment, refundDeposit)
  const { dependencies, clock } = server
  const known = [refundOperation(dependencies, cardRefundKind, lostRefundSettled)] as OperationKind[]
  expect(await operationDriver(dependencies.pool, known, 200, clock.now).sweep()).toBe(0)
  expect(await timelineOf(payment)).toMatchObject({ status: 'refunding' })
  await settleOperations(server)
  expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
})

describe('the decision of finance', () => {
  const refusalOf = async (payment: CardPayment, endpoint: typeof creditDeposit | typeof refundDeposit) => {
    const { status, failure } = await decide(payment, endpoint)
    return [status, failure.code]
  }

  test('needs the response of the provider', async () => {
    const payment = await makeUncredited()
    const { version } = await pageOf(payment)
    await cards.turn('drop-before', { path: '/', count: 0 })
    for (const endpoint of [creditDeposit, refundDeposit]) {
      const reply = await call(server, endpoint, { as: finance, params: { id: payment.id }, body: { version } })
      expect([reply.status, reply.failure.code]).toEqual([503, 'payment-not-checked'])
    }
  })

  test('finds what the provider has returned without a webhook', async () => {
    const payment = await makeUncredited()
    await act(payment, 'refund', { amount: 4_000 })
    expect((await decide(payment, creditDeposit)).status).toBe(409)
    expect(await postedOf(payment)).toEqual({ provider: 6_000n, arrived_unmatched: -6_000n })
  })

  test('waits while a refund is open at the provider, and the page says so', async () => {
    const payment = await makeUncredited()
    await act(payment, 'request-refund')
    expect(await refusalsOnPage(payment)).toMatchObject({ credit: 'refund-open', refund: 'refund-open' })
    for (const endpoint of [creditDeposit, refundDeposit])
      expect(await refusalOf(payment, endpoint)).toEqual([409, 'refund-open'])
    await act(payment, 'reject-refund')
    expect((await decide(payment, creditDeposit)).status).toBe(200)
  })

  test('is blocked while a chargeback of the client is open or announced', async () => {
    const payment = await makeUncredited()
    await act(payment, 'dispute')
    for (const endpoint of [creditDeposit, refundDeposit])
      expect(await refusalOf(payment, endpoint)).toEqual([409, 'checks-block'])
    expect((await pageOf(payment)).decisionChecks.find(({ name }) => name === 'chargeback')?.result).toBe('block')
    await act(payment, 'chargeback', { amount: 4_000 })
    await notify(payment)
    expect(await refusalOf(payment, refundDeposit)).toEqual([409, 'checks-block'])
    expect(await postedOf(payment)).toEqual({ provider: 6_000n, arrived_unmatched: -6_000n })
    expect(await differencesOf(payment)).toContainEqual(['charged_back', 'open', 10_000n, 6_000n])
  })

  test('is blocked while the client is flagged by screening', async () => {
    const payment = await makeUncredited()
    await run(server.dependencies.pool)`insert into client_flags (client_id, flag, note, set_by, set_at)
      values (${payment.client.id}, 'sanction', 'Hit', ${finance.id}, ${server.clock.now()})`
    for (const endpoint of [creditDeposit, refundDeposit])
      expect(await refusalOf(payment, endpoint)).toEqual([409, 'checks-block'])
  })

  test('is no credit to an account that is closed, or of a client whose relationship has ended', async () => {
    const payment = await makeUncredited()
    const { pool } = server.dependencies
    await run(pool)`update trading_accounts set missing_since = requested_at where id = ${payment.account.id}`
    expect(await refusalOf(payment, creditDeposit)).toEqual([409, 'account-not-approved'])
    await run(pool)`update clients set state = 'closed' where id = ${payment.client.id}`
    expect(await refusalOf(payment, creditDeposit)).toEqual([409, 'owner-closed'])
    expect((await pageOf(payment)).verbs.filter(({ refusal }) => refusal === null).map(({ verb }) => verb)).toEqual([
      'refund',
    ])
    await run(pool)`update clients set state = 'approved' where id = ${payment.client.id}`
  })
})

describe('a payment that arrives after its deposit was rejected', () => {
  test('is received money, of which the client is told, and can be credited', async () => {
    const payment = await openCheckout()
    await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 1 })
    expect((await check(payment)).failure.code).toBe('payment-refused')
    await act(payment, 'pay')
    const reply = await check(payment)
    expect([reply.status, reply.failure.code]).toEqual([422, 'payment-not-credited'])
    expect(reply.failure.error).toContain('The payment arrived after the deposit had ended. We have your money')
    expect(await timelineOf(payment)).toMatchObject({ status: 'uncredited' })
    expect(await mailKindsOf(payment)).toEqual(['deposit-rejected', 'deposit-refused'])
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
    await decide(payment, creditDeposit)
    await settleOperations(server)
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, client: -10_000n })
  })
})

test('the money of a client that is in review, not credited or being refunded is pending', async () => {
  const payment = await makeUncredited()
  await act(payment, 'refund', { amount: 4_000 })
  await notify(payment)
  const asked = { as: compliance, params: { id: payment.client.id }, query: {} }
  const pendingDeposits = async () =>
    (await call(server, getClientMoney, asked)).answer.sums.map((sum) => sum.pendingDeposits)
  expect(await pendingDeposits()).toEqual([6_000n])
  await cards.turn('refunds', { status: 'REFUND_REQUESTED' })
  await decide(payment, refundDeposit)
  expect(await pendingDeposits()).toEqual([6_000n])
  const differing = await makeDiffering()
  asked.params.id = differing.client.id
  expect(await pendingDeposits()).toEqual([10_000n])
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
