/** Refunds, chargebacks and their reversals of card payments: what is posted follows the provider's records. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { confirmDifference, listDifferences, proposeDifference } from '#contract/office/accounting.ts'
import { refundDeposit } from '#contract/office/deposits.ts'
import { money } from '#rules/money.ts'
import { run, transaction } from '#server/db/sql.ts'
import type { CheckoutStatus, StatusWithAmount } from '#server/integrations/card-provider/payment-provider.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { post } from '#server/ledger/post.ts'
import { cardPaymentsForFile, type CardPayment } from '../../../tests/card-payments.ts'
import { call } from '../../../tests/factories.ts'
import { staffForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { queryPaidCheckouts } from './jobs.ts'
import { queryProvider } from './settle-checkout.ts'

const { server, cards, finance, ...payments } = cardPaymentsForFile()
const second = staffForFile(server, ['finance'])
const { openCheckout, act, notify, after, makeUncredited, decide, postedOf, itemOf, timelineOf } = payments
const { mailKindsOf, differencesOf } = payments
const dayMinutes = 24 * 60
const queryDaily = (days = 1) => queryPaidCheckouts(server.dependencies, after(days * dayMinutes + 1))

async function makeCredited(): Promise<CardPayment> {
  const payment = await openCheckout()
  await act(payment, 'pay')
  await notify(payment)
  await settleOperations(server)
  return payment
}

/** Changes the provider's statuses until the end of the test. */
function changeStatuses(change: (status: CheckoutStatus) => CheckoutStatus | Promise<CheckoutStatus>): void {
  const { cards: provider } = server.dependencies
  if (!provider) throw new Error('no provider')
  const getStatus = provider.getStatus.bind(provider)
  provider.getStatus = async (...args) => change(await getStatus(...args))
  onTestFinished(() => {
    provider.getStatus = getStatus
  })
}

describe('the result of a refund that finance requested', () => {
  test('is posted as the chargeback that came before it', async () => {
    const payment = await makeUncredited()
    await decide(payment, refundDeposit)
    await act(payment, 'chargeback')
    await settleOperations(server)
    expect(await postedOf(payment)).toEqual({})
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 0n })
    expect(await mailKindsOf(payment)).toEqual(['deposit-refused', 'deposit-charged-back'])
    await queryDaily()
    expect(await differencesOf(payment)).toEqual([['charged_back', 'open', 10_000n, 0n]])
  })

  test('is posted with the part that the provider’s staff refunded before it', async () => {
    const payment = await makeUncredited()
    await decide(payment, refundDeposit)
    await act(payment, 'refund', { amount: 3_000 })
    await settleOperations(server)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 10_000n })
    expect(await postedOf(payment)).toEqual({})
    await queryDaily()
    expect(await differencesOf(payment)).toEqual([])
  })

  test('comes once another refund at the provider is settled or rejected', async () => {
    const payment = await makeUncredited()
    await decide(payment, refundDeposit)
    await act(payment, 'request-refund')
    await settleOperations(server)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunding' })
    await act(payment, 'reject-refund')
    server.clock.turn(600)
    await settleOperations(server)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 10_000n })
    expect(await postedOf(payment)).toEqual({})
  })
})

describe('a refund that a server of an earlier version posts to corrections', () => {
  /** Posts a refund like that version, which knows no payment that is not credited. */
  const postLikeBefore = async ({ id }: CardPayment, minor: bigint) => {
    const { jobs } = server.dependencies
    await run(
      jobs,
    )`update deposits set refunded_minor = refunded_minor + ${minor}, version = version + 1 where id = ${id}`
    const entry = { ref: `refunded:${id}:${minor}`, kind: 'refunded', subject: 'deposit', record: id }
    await transaction(jobs, (tx) =>
      post(tx, server.clock.now(), entry, [
        { account: { kind: 'corrections', currency: 'EUR' }, minor },
        { account: { kind: 'provider', currency: 'EUR', name: 'card' }, minor: -minor },
      ]),
    )
  }

  test.each([
    ['in part', 4_000, 'uncredited', { provider: 6_000n, arrived_unmatched: -6_000n }],
    ['completely', 10_000, 'refunded', {}],
  ])('is moved to the unallocated receipts: %s', async (_case, amount, status, posted) => {
    const payment = await makeUncredited()
    await act(payment, 'refund', { amount })
    await postLikeBefore(payment, BigInt(amount))
    await notify(payment)
    expect(await timelineOf(payment)).toMatchObject({ status })
    expect(await postedOf(payment)).toEqual(posted)
  })

  test('ends the refund that finance requested', async () => {
    const payment = await makeUncredited()
    await decide(payment, refundDeposit)
    await act(payment, 'refund')
    await postLikeBefore(payment, 10_000n)
    await settleOperations(server)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    expect((await timelineOf(payment)).verbs).not.toContain('refundFailed')
    expect(await postedOf(payment)).toEqual({})
  })
})

describe('an announced chargeback', () => {
  const announcements = async (payment: CardPayment) =>
    (await differencesOf(payment)).filter(([kind]) => kind === 'chargeback-announced').map(([, state]) => state)

  /** Lets two people explain the announcement that is open. */
  async function explain({ id: record }: CardPayment): Promise<void> {
    const { rows } = (await call(server, listDifferences, { as: finance, query: {} })).answer
    const found = rows.find((one) => one.record === record && one.state === 'open')
    const { id, version } = found ?? { id: '', version: 0 }
    const body = { version, reason: 'The bank has withdrawn it.', proposal: 'explain' as const }
    expect((await call(server, proposeDifference, { as: finance, params: { id }, body })).status).toBe(200)
    const confirming = { as: second, params: { id }, body: { version: version + 1 } }
    expect((await call(server, confirmDifference, confirming)).status).toBe(200)
  }

  test('is a discrepancy once, and again if the payment is disputed another time', async () => {
    const payment = await makeCredited()
    await cards.turn('lie', { id: payment.providerId, state: 'disputed', count: 0 })
    await notify(payment)
    await explain(payment)
    await notify(payment)
    expect(await announcements(payment)).toEqual(['explained'])
    await cards.turn('reset')
    await notify(payment)
    await act(payment, 'dispute')
    await notify(payment)
    await notify(payment)
    expect((await announcements(payment)).toSorted()).toEqual(['explained', 'open'])
  })
})

describe('the reversal of a return', () => {
  test('of a credited payment is posted and a discrepancy, and so is the next chargeback', async () => {
    const payment = await makeCredited()
    await act(payment, 'chargeback')
    await notify(payment)
    expect(await postedOf(payment)).toEqual({ corrections: 10_000n, client: -10_000n })
    await act(payment, 'reverse-chargeback')
    await queryDaily()
    await notify(payment)
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, client: -10_000n })
    expect(await differencesOf(payment)).toHaveLength(2)
    expect(await differencesOf(payment)).toContainEqual(['chargeback-reversed', 'open', 0n, 10_000n])
    expect((await timelineOf(payment)).verbs.slice(-2)).toEqual(['charged_back', 'returnReversed'])
    await act(payment, 'chargeback')
    await notify(payment)
    await notify(payment)
    expect(await postedOf(payment)).toEqual({ corrections: 10_000n, client: -10_000n })
    const found = (await differencesOf(payment)).filter(([kind]) => kind === 'charged_back')
    expect(found).toEqual([
      ['charged_back', 'open', 10_000n, 0n],
      ['charged_back', 'open', 10_000n, 0n],
    ])
    expect(await timelineOf(payment)).toMatchObject({ status: 'approved' })
  })

  test('is not posted while the payment itself still reports the return', async () => {
    const payment = await makeUncredited()
    await act(payment, 'refund')
    await notify(payment)
    // The payment is still refunded; only the record of its refund is missing.
    changeStatuses((status) => ({
      ...(status as StatusWithAmount),
      back: [],
      claimedBack: money(10_000n, 'EUR'),
    }))
    await notify(payment)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 10_000n })
    expect(await postedOf(payment)).toEqual({})
    expect(await differencesOf(payment)).toEqual([['money-back-differs', 'open', 10_000n, 0n]])
  })

  test('of our own refund is posted only if the provider reports it as failed, not while its records do not have it', async () => {
    const payment = await makeUncredited()
    await decide(payment, refundDeposit)
    await settleOperations(server)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    let isFailed = false
    changeStatuses((status) => {
      const { back, ...paid } = status as StatusWithAmount
      return { ...paid, state: 'paid', back: [], ...(isFailed && { failedRefunds: back.map(({ id }) => id) }) }
    })
    await notify(payment)
    await queryDaily()
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded', refunded: 10_000n })
    expect(await postedOf(payment)).toEqual({})
    isFailed = true
    await notify(payment)
    expect(await itemOf(payment)).toMatchObject({ state: 'uncredited' })
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
  })

  test('of a refunded payment leaves it to finance again, also after months', async () => {
    const payment = await makeUncredited()
    await act(payment, 'chargeback')
    await notify(payment)
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    expect(await postedOf(payment)).toEqual({})
    await act(payment, 'reverse-chargeback')
    await queryDaily(100)
    expect(await itemOf(payment)).toMatchObject({ state: 'uncredited' })
    expect(await postedOf(payment)).toEqual({ provider: 10_000n, arrived_unmatched: -10_000n })
  })

  test('is not posted from a response that is older than the return', async () => {
    const payment = await makeUncredited()
    let isFirst = true
    changeStatuses(async (status) => {
      if (!isFirst) return status
      isFirst = false
      // The chargeback is posted while this query is under way.
      await act(payment, 'chargeback')
      await notify(payment)
      return status
    })
    await queryProvider(server.dependencies, payment.id as never, { identity: { kind: 'external' }, now: after(1) })
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    expect(await differencesOf(payment)).toEqual([['charged_back', 'open', 10_000n, 0n]])
  })
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
