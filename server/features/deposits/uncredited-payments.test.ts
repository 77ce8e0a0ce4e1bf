/** Card payments that the provider took and that are not credited: who has the money, and how each of them ends. */
import { afterEach, describe, expect, test } from 'vitest'
import { closeClient, holdPayments } from '#contract/office/client-decisions.ts'
import { getClientMoney } from '#contract/office/client-tabs.ts'
import { creditDeposit, refundDeposit, rejectDeposit } from '#contract/office/deposits.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { requireRow, rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { cardPaymentsForFile, type CardPayment } from '../../../tests/card-payments.ts'
import { staffForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { call } from '../../../tests/factories.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { queryExpiredCheckouts, queryPaidCheckouts } from './jobs.ts'
import { queryProvider } from './settle-checkout.ts'

const { place, server, cards, finance, ...payments } = cardPaymentsForFile()
const { openCheckout, act, notify, check, after, makeUncredited, makeDiffering, pageOf, possibleActions } = payments
const { decide, postedOf, itemOf, timelineOf, mailKindsOf, differencesOf } = payments
const operations = staffForFile(server, ['operations'])
const compliance = staffForFile(server, ['compliance'])
afterEach(() => cards.turn('reset'))
const dayMinutes = 24 * 60
const hourMs = 3_600_000
const externalAt = (now: Date) => ({ identity: { kind: 'external' }, now }) as const

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

  test('waits while a refund is open at the provider', async () => {
    const payment = await makeUncredited()
    await act(payment, 'request-refund')
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

describe('a payment that differs from its deposit', () => {
  test('is in review: the client is told who has it and when we act, once', async () => {
    const payment = await makeDiffering()
    const reply = await check(payment)
    expect([reply.status, reply.failure.code]).toEqual([422, 'payment-in-review'])
    expect(reply.failure.error).toContain('reported a payment that does not match the deposit. We are checking it.')
    expect(reply.failure.error).toMatch(/We have not credited your deposit of 100\.00\sEUR/)
    expect(reply.failure.error).toContain('The provider has the payment.')
    expect(reply.failure.error).not.toContain('not been charged')
    expect((await check(payment, 'de')).failure.error).toContain('Der Anbieter hat die Zahlung.')
    expect(await mailsTo(server, payment.client.email)).toMatchObject([
      { kind: 'deposit-in-review', facts: { paidMinor: '9000', paidCurrency: 'EUR', minor: '10000' } },
    ])
    expect(await timelineOf(payment)).toMatchObject({ status: 'in_review', verbs: ['request', 'review'] })
  })

  test('stays in review after days, and keeps the due time of the first finding', async () => {
    const payment = await makeDiffering()
    const due = (await itemOf(payment))?.dueAt
    expect(due?.getTime()).toBeGreaterThan(server.clock.now().getTime() + hourMs)
    await queryPaidCheckouts(server.dependencies, after(3 * dayMinutes))
    expect(await itemOf(payment)).toEqual({ state: 'in_review', dueAt: due })
    expect((await check(payment)).failure.code).toBe('payment-in-review')
    expect(await mailKindsOf(payment)).toEqual(['deposit-in-review'])
  })

  test('ends as refunded once the provider has returned it', async () => {
    const payment = await makeDiffering()
    await cards.turn('reset')
    await cards.turn('lie', { id: payment.providerId, ref: 'CR-OTHER', count: 0 })
    await act(payment, 'refund')
    await queryPaidCheckouts(server.dependencies, after(dayMinutes + 1))
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    expect(await itemOf(payment)).toBeNull()
    expect(await postedOf(payment)).toEqual({})
    expect(await mailKindsOf(payment)).toEqual(['deposit-in-review', 'deposit-refunded'])
  })

  const rejection = async ({ id }: CardPayment) => {
    const { version } = await requireRow<{ version: number }>(server.dependencies.pool)`
      select version from deposits where id = ${id}`
    const body = { version, reason: 'Resolved at the provider.' }
    return call(server, rejectDeposit, { as: operations, params: { id }, body })
  }

  test('is not rejected while the provider has it, or does not respond', async () => {
    const payment = await makeDiffering()
    const refused = await rejection(payment)
    expect([refused.status, refused.failure.code]).toEqual([409, 'payment-not-returned'])
    await cards.turn('drop-before', { path: '/', count: 0 })
    const unchecked = await rejection(payment)
    expect([unchecked.status, unchecked.failure.code]).toEqual([503, 'payment-not-checked'])
    expect(await timelineOf(payment)).toMatchObject({ status: 'in_review' })
  })

  test('is rejected once the provider no longer has it, and is received money if it is the expected one after all', async () => {
    const payment = await makeDiffering()
    await cards.turn('reset')
    await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 1 })
    expect((await rejection(payment)).status).toBe(200)
    expect(await timelineOf(payment)).toMatchObject({ status: 'rejected' })
    await queryExpiredCheckouts(server.dependencies, after(61))
    expect(await timelineOf(payment)).toMatchObject({ status: 'uncredited' })
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
  })

  test('that is the expected one is credited, and no reason of the review is left', async () => {
    const payment = await makeDiffering()
    await cards.turn('reset')
    await notify(payment)
    await settleOperations(server)
    expect(await timelineOf(payment)).toMatchObject({ status: 'approved', comment: '' })
  })

  test('follows a declined one: each step of the history has its own reason', async () => {
    const payment = await openCheckout()
    await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 1 })
    expect((await check(payment)).failure.code).toBe('payment-refused')
    await act(payment, 'pay')
    await cards.turn('lie', { id: payment.providerId, amount: 9_000, count: 0 })
    await notify(payment)
    expect((await timelineOf(payment)).texts.slice(1)).toEqual([
      'Payment failed',
      'In review: The payment provider reported a payment that does not match the deposit. We are checking it.',
    ])
  })

  test('that was returned is found again if it is paid after all, also after months', async () => {
    const payment = await makeDiffering()
    await cards.turn('reset')
    await cards.turn('lie', { id: payment.providerId, amount: 9_000, count: 0 })
    await act(payment, 'chargeback', { amount: 9_000 })
    await notify(payment)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    expect(await timelineOf(payment)).toMatchObject({ comment: '' })
    await act(payment, 'reverse-chargeback')
    await queryPaidCheckouts(server.dependencies, after(100 * dayMinutes))
    expect(await timelineOf(payment)).toMatchObject({ status: 'in_review' })
  })

  test('is a discrepancy if the provider does not respond about it for an hour', async () => {
    const payment = await makeDiffering()
    await cards.turn('drop-before', { path: '/', count: 0 })
    for (const minutes of [1, 62]) {
      const queried = queryProvider(server.dependencies, payment.id as never, externalAt(after(minutes)))
      await expect(queried).rejects.toThrow()
    }
    expect((await differencesOf(payment)).map(([kind]) => kind)).toEqual(['provider-silent'])
  })

  test('is told as disputed if the provider reports the expected payment and a dispute', async () => {
    const payment = await openCheckout()
    await act(payment, 'pay')
    await act(payment, 'dispute')
    await notify(payment)
    expect(await timelineOf(payment)).toMatchObject({ status: 'in_review' })
    const { error } = (await check(payment)).failure
    expect(error).toContain('The payment provider reported that the payment was disputed or returned in part.')
    expect(error).not.toContain('does not match')
    expect(await mailsTo(server, payment.client.email)).toMatchObject([
      { kind: 'deposit-in-review', facts: { reason: 'refusal:payment-disputed' } },
    ])
  })
})

describe('the return page', () => {
  test('does not say that nothing was charged while a payment is pending, or if the provider was not queried', async () => {
    const payment = await openCheckout()
    await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 1 })
    expect((await check(payment)).failure.code).toBe('payment-refused')
    await act(payment, 'pend')
    expect((await check(payment)).failure.code).toBe('payment-ended')
    const { cards: provider } = server.dependencies
    Object.assign(server.dependencies, { cards: null })
    expect((await check(payment)).failure.code).toBe('payment-ended')
    Object.assign(server.dependencies, { cards: provider })
  })

  test('shows a returned payment that an earlier version left rejected as returned', async () => {
    const payment = await makeUncredited()
    await act(payment, 'refund')
    await notify(payment)
    const setState = (state: string) =>
      run(server.dependencies.pool)`update deposits set state = ${state} where id = ${payment.id}`
    await setState('rejected')
    expect((await check(payment)).failure.code).toBe('payment-returned')
    await setState('refunded')
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
