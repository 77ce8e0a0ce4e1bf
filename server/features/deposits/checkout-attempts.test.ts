/** Several payments of one checkout: on Connect a payer may try again on the same page (requirements 24.145; ADR 339). */
import { beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/deposits.ts'
import { getOfficeDeposit } from '#contract/office/deposits.ts'
import type { DepositId } from '#rules/ids.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { sendWebhook } from '../../../tests/card-provider.ts'
import { endRecovery } from '../../../tests/end-recovery.ts'
import { cardsForFile } from '../../../tests/for-file.ts'
import { cardBody, makeFundedAccount, settleOperations } from '../../../tests/funded-account.ts'
import { call, makeClient, makeStaff } from '../../../tests/factories.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { runRecover } from '../../../tests/recovered.ts'
import { queryCheckouts, queryExpiredCheckouts, queryPaidCheckouts } from './jobs.ts'

// The simulated platform uses the real time for its deals.
const place = cardsForFile({ now: new Date() })
const { server, cards } = place
beforeEach(async () => {
  await cards.turn('reset')
  await endRecovery(server, [])
})

async function openCheckout() {
  const client = await makeClient(server, { country: 'DE' })
  const account = await makeFundedAccount(server, client, 0n)
  const body = cardBody(account, '100.00')
  const { id, REF } = (await call(server, contract.requestCreditCardPayment, { as: client, body })).answer
  const kept = await row<{ providerId: string }>(
    server.dependencies.pool,
    sql`select provider_id as "providerId" from deposits where id = ${id}`,
  )
  if (!kept) throw new Error('no deposit was written')
  return { ...kept, id: id as DepositId, REF, client, account }
}
type OpenedCheckout = Awaited<ReturnType<typeof openCheckout>>

/** Acts at the provider, and returns the id of the payment. */
async function act({ providerId }: OpenedCheckout, action: string, more: object = {}): Promise<string> {
  const { paymentId } = (await cards.turn('act', { id: providerId, action, ...more })) as { paymentId: string }
  return paymentId
}

/** Sends a webhook about one payment of the checkout. */
function notify({ providerId }: OpenedCheckout, id: string): Promise<number> {
  const payment = { id, hostedCheckoutSpecificOutput: { hostedCheckoutId: providerId } }
  return sendWebhook(server, providerId, { about: { payment } })
}

async function actAndNotify(payment: OpenedCheckout, action: string, more: object = {}): Promise<string> {
  const id = await act(payment, action, more)
  expect(await notify(payment, id)).toBe(200)
  return id
}

function check({ client, REF }: OpenedCheckout) {
  return call(server, contract.checkCreditCardPayment, { as: client, body: { REF } })
}

const after = (minutes: number) => new Date(server.clock.now().getTime() + minutes * 60_000)
const dayMinutes = 24 * 60

/** Makes the provider answer that it no longer has the checkout. */
const forgetCheckout = () => cards.turn('refuse', { path: '/v1/1234/hostedcheckouts', status: 404, count: 0 })

/** Returns the result of a checkout once the platform has answered: its state, credit, discrepancies and mails. */
async function resultOf({ id, client, account }: OpenedCheckout) {
  await settleOperations(server)
  const { pool } = server.dependencies
  const kept = await row<{ state: string; paymentId: string | null }>(
    pool,
    sql`select state, payment_id as "paymentId" from deposits where id = ${id}`,
  )
  const found = await rows<{ kind: string; ours: bigint; theirs: bigint; ids: string | null }>(
    pool,
    sql`select kind, ours_minor as ours, theirs_minor as theirs, facts ->> 'providerIds' as ids from differences
        where record = ${id} order by id`,
  )
  return {
    ...kept,
    credited: await accountLiability(pool, { accountId: account.id }),
    differences: found.map(({ kind, ours, theirs, ids }) => [kind, ours, theirs, ids]),
    mails: (await mailsTo(server, client.email)).map(({ kind }) => kind),
  }
}

const creditedBy = (paymentId: string) => ({
  state: 'approved',
  paymentId,
  credited: 10_000n,
  differences: [],
  mails: ['deposit-credited'],
})

describe('a second payment of a checkout', () => {
  test('that is paid after a declined one is credited once, also if the declined one was reported first', async () => {
    const payment = await openCheckout()
    const first = await actAndNotify(payment, 'decline')
    await queryCheckouts(server.dependencies, after(1))
    expect(await resultOf(payment)).toMatchObject({ state: 'pending', paymentId: null, mails: [] })
    const second = await actAndNotify(payment, 'pay')
    expect(second).not.toBe(first)
    await notify(payment, first)
    await queryPaidCheckouts(server.dependencies, after(dayMinutes + 1))
    expect(await resultOf(payment)).toEqual(creditedBy(second))
  })

  test('that is paid while the first is pending is credited once, also if no webhook arrives', async () => {
    const payment = await openCheckout()
    await act(payment, 'pend')
    await queryCheckouts(server.dependencies, after(1))
    const second = await act(payment, 'pay', { another: true })
    await queryCheckouts(server.dependencies, after(20))
    expect(await resultOf(payment)).toEqual(creditedBy(second))
  })

  test('that is declined after the first does not hide the first, which is paid later', async () => {
    const payment = await openCheckout()
    const first = await actAndNotify(payment, 'pend')
    await actAndNotify(payment, 'decline', { another: true })
    expect((await check(payment)).answer.status).toBe('pending')
    // The checkout reports the declined payment.
    await act(payment, 'pay', { payment: first })
    await queryCheckouts(server.dependencies, after(3 * 60))
    expect(await resultOf(payment)).toEqual(creditedBy(first))
  })

  test.each([
    ['named by its webhook', (payment: OpenedCheckout, second: string) => notify(payment, second)],
    [
      'found by the daily query, because its webhook was lost',
      () => queryPaidCheckouts(server.dependencies, after(dayMinutes + 1)),
    ],
  ])('that is paid after the first was, %s, is not credited and opens one discrepancy', async (_case, tell) => {
    const payment = await openCheckout()
    const first = await actAndNotify(payment, 'pay')
    await settleOperations(server)
    const second = await act(payment, 'pay', { another: true })
    await tell(payment, second)
    await tell(payment, second)
    await queryPaidCheckouts(server.dependencies, after(2 * dayMinutes + 2))
    expect(await resultOf(payment)).toEqual({
      ...creditedBy(first),
      differences: [['paid-again', 0n, 10_000n, second]],
    })
  })

  test('that is paid between two queries, like the first, is not credited and opens one discrepancy', async () => {
    const payment = await openCheckout()
    const first = await actAndNotify(payment, 'pend')
    const second = await act(payment, 'pay', { another: true })
    await act(payment, 'pay', { payment: first })
    await Promise.all([notify(payment, first), notify(payment, second)])
    const result = await resultOf(payment)
    const further = result.paymentId === first ? second : first
    expect(result).toEqual({
      ...creditedBy(result.paymentId ?? ''),
      differences: [['paid-again', 0n, 10_000n, further]],
    })
  })

  test('that was refunded completely opens no discrepancy', async () => {
    const payment = await openCheckout()
    const first = await actAndNotify(payment, 'pay')
    await settleOperations(server)
    await act(payment, 'pay', { another: true })
    await actAndNotify(payment, 'refund')
    expect(await resultOf(payment)).toEqual(creditedBy(first))
  })
})

describe('a declined payment', () => {
  test('ends the deposit when the client returns from the page; another one that is paid then is not credited', async () => {
    const payment = await openCheckout()
    await actAndNotify(payment, 'decline')
    expect((await check(payment)).failure.code).toBe('payment-refused')
    const second = await actAndNotify(payment, 'pay')
    await notify(payment, second)
    await queryExpiredCheckouts(server.dependencies, after(61))
    expect(await resultOf(payment)).toEqual({
      state: 'uncredited',
      paymentId: second,
      credited: 0n,
      differences: [],
      mails: ['deposit-rejected', 'deposit-refused'],
    })
  })

  test('ends the deposit when the page has expired, even if the provider no longer has the checkout', async () => {
    const payment = await openCheckout()
    await actAndNotify(payment, 'decline')
    await forgetCheckout()
    await queryCheckouts(server.dependencies, after(119))
    expect(await resultOf(payment)).toMatchObject({ state: 'pending', mails: [] })
    await queryCheckouts(server.dependencies, after(130))
    expect(await resultOf(payment)).toMatchObject({ state: 'rejected', mails: ['deposit-rejected'] })
    expect((await check(payment)).failure.error).toBe('The card was declined. You have not been charged.')
  })
})

test('a pending payment is queried by its id if the provider no longer has the checkout', async () => {
  const payment = await openCheckout()
  // No webhook names it, so only the first answer does.
  const id = await act(payment, 'pend')
  await queryCheckouts(server.dependencies, after(1))
  await forgetCheckout()
  await queryCheckouts(server.dependencies, after(130))
  expect(await resultOf(payment)).toMatchObject({ state: 'pending', paymentId: null })
  await act(payment, 'pay')
  await queryCheckouts(server.dependencies, after(141))
  expect(await resultOf(payment)).toEqual(creditedBy(id))
})

test('staff see the payment that is pending, not the declined one that the checkout reports', async () => {
  const payment = await openCheckout()
  await actAndNotify(payment, 'pend')
  await actAndNotify(payment, 'decline', { another: true })
  const clerk = await makeStaff(server, ['operations'])
  const page = await call(server, getOfficeDeposit, { as: clerk, params: { id: payment.id } })
  expect(page.answer.deposit.provider?.state).toBe('pending')
})

test('payments that webhooks name during a recovery are all queried by recover, and one is credited', async () => {
  const payment = await openCheckout()
  const now = server.clock.now()
  await transaction(server.dependencies.pool, (tx) => openRecovery(tx, { sign: 'lost-event', since: now, now }))
  const first = await actAndNotify(payment, 'pend')
  await actAndNotify(payment, 'decline', { another: true })
  await act(payment, 'pay', { payment: first })
  await runRecover(server)
  await run(server.dependencies.pool, sql`update recovery set accounts_open_at = ${now} where closed_at is null`)
  expect(await resultOf(payment)).toEqual(creditedBy(first))
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
