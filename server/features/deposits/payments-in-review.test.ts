/** Card payments that differ from their deposit or are disputed, and what the return page says of payments. */
import { afterEach, describe, expect, test } from 'vitest'
import { rejectDeposit } from '#contract/office/deposits.ts'
import { hourMs } from '#rules/dates.ts'
import { requireRow, run, transaction } from '#server/db/sql.ts'
import type { CheckoutStatus } from '#server/integrations/card-provider/payment-provider.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { cardPaymentsForFile, type CardPayment } from '../../../tests/card-payments.ts'
import { endRecovery } from '../../../tests/end-recovery.ts'
import { staffForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { call } from '../../../tests/factories.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { queryExpiredCheckouts, queryPaidCheckouts } from './jobs.ts'
import { openPaymentDiscrepancy } from './payment-discrepancy.ts'
import { depositById } from './queries.ts'
import { queryProvider } from './settle-checkout.ts'

const { server, cards, ...payments } = cardPaymentsForFile()
const { openCheckout, act, notify, check, after, makeUncredited, makeDiffering, postedOf, itemOf } = payments
const { timelineOf, mailKindsOf, differencesOf, explain } = payments
const operations = staffForFile(server, ['operations'])
afterEach(() => cards.turn('reset'))
const dayMinutes = 24 * 60
const externalAt = (now: Date) => ({ identity: { kind: 'external' }, now }) as const

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

  test.each(['before', 'during'])('is not checked if recovery begins %s the query of the provider', async (moment) => {
    const payment = await makeDiffering()
    const { jobs, cards: provider } = server.dependencies
    if (!provider) throw new Error('no provider')
    const now = server.clock.now()
    const begin = () => transaction(jobs, (tx) => openRecovery(tx, { sign: 'lost-event', since: now, now }))
    const getStatus = provider.getStatus.bind(provider)
    if (moment === 'before') await begin()
    else
      provider.getStatus = async (...args) => {
        await begin()
        return { ...(await getStatus(...args)), state: 'failed' } as CheckoutStatus
      }
    const unchecked = await rejection(payment)
    provider.getStatus = getStatus
    // It may be closed before the decision is stored, so its own refusal is not enough.
    expect([unchecked.status, unchecked.failure.code]).toEqual([503, 'payment-not-checked'])
    await endRecovery(server, [])
    expect(await timelineOf(payment)).toMatchObject({ status: 'in_review' })
  })

  test('is not said to be with the provider if the provider does not report it any more, or was not queried', async () => {
    const payment = await makeDiffering()
    await cards.turn('reset')
    await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 1 })
    const reply = await check(payment)
    expect([reply.status, reply.failure.code]).toEqual([422, 'payment-review-open'])
    expect(reply.failure.error).toContain('reported a payment that does not match the deposit. We are checking it.')
    expect(reply.failure.error).not.toContain('The provider has the payment.')
    const { cards: provider } = server.dependencies
    Object.assign(server.dependencies, { cards: null })
    const german = (await check(payment, 'de')).failure
    Object.assign(server.dependencies, { cards: provider })
    expect(german.code).toBe('payment-review-open')
    expect(german.error).not.toContain('Der Anbieter hat die Zahlung.')
  })

  test('is told with the amount that the provider still has', async () => {
    const payment = await openCheckout()
    await act(payment, 'pay')
    await act(payment, 'refund', { amount: 4_000 })
    await cards.turn('lie', { id: payment.providerId, amount: 9_000, count: 0 })
    await notify(payment)
    expect(await mailsTo(server, payment.client.email)).toMatchObject([
      { kind: 'deposit-in-review', facts: { paidMinor: '5000', paidCurrency: 'EUR' } },
    ])
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

describe('a payment of a rejected deposit that an earlier version found', () => {
  /** Returns one with its discrepancy, which the return page then finds again. */
  async function makeFoundBefore(): Promise<CardPayment> {
    const payment = await openCheckout()
    await cards.turn('lie', { id: payment.providerId, state: 'failed', count: 1 })
    expect((await check(payment)).failure.code).toBe('payment-refused')
    const { pool, jobs } = server.dependencies
    const deposit = await depositById(pool, payment.id as never)
    if (!deposit) throw new Error('no deposit')
    const auditContext = externalAt(server.clock.now())
    const sides = { ours: 0n, theirs: 10_000n }
    await transaction(jobs, (tx) => openPaymentDiscrepancy(tx, deposit, 'paid-late', sides, auditContext))
    await act(payment, 'pay')
    return payment
  }

  test('stays the discrepancy that it is once finance has decided it', async () => {
    const payment = await makeFoundBefore()
    await explain(payment)
    expect((await check(payment)).failure.code).toBe('payment-ended')
    expect(await timelineOf(payment)).toMatchObject({ status: 'rejected' })
    expect(await postedOf(payment)).toEqual({})
    expect(await mailKindsOf(payment)).toEqual(['deposit-rejected'])
    expect(await differencesOf(payment)).toEqual([['paid-late', 'explained', 0n, 10_000n]])
  })

  test('is received money instead of a discrepancy while that is open', async () => {
    const payment = await makeFoundBefore()
    expect((await check(payment)).failure.code).toBe('payment-not-credited')
    expect(await timelineOf(payment)).toMatchObject({ status: 'uncredited' })
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
    expect(await differencesOf(payment)).toEqual([['paid-late', 'gone', 0n, 10_000n]])
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

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
