/** Refunds, chargebacks and their reversals of card payments: what is posted follows the provider's records. */
import { describe, expect, test } from 'vitest'
import { refundDeposit } from '#contract/office/deposits.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { cardPaymentsForFile, type CardPayment } from '../../../tests/card-payments.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { queryPaidCheckouts } from './jobs.ts'
import { queryProvider } from './settle-checkout.ts'

const { server, cards, ...payments } = cardPaymentsForFile()
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
    const { cards: provider } = server.dependencies
    if (!provider) throw new Error('no provider')
    // The chargeback is posted while this query is under way.
    const getStatus = provider.getStatus.bind(provider)
    let isFirst = true
    provider.getStatus = async (...args) => {
      const status = await getStatus(...args)
      if (isFirst) {
        isFirst = false
        await act(payment, 'chargeback')
        await notify(payment)
      }
      return status
    }
    await queryProvider(server.dependencies, payment.id as never, { identity: { kind: 'external' }, now: after(1) })
    provider.getStatus = getStatus
    expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
    expect(await differencesOf(payment)).toEqual([['charged_back', 'open', 10_000n, 0n]])
  })
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
