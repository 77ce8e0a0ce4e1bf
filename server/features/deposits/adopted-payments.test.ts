/** Credits that recovery finds for card payments that are not credited here (requirements 20.14, 24.160). */
import { afterEach, expect, test } from 'vitest'
import { refundDeposit } from '#contract/office/deposits.ts'
import { money } from '#rules/money.ts'
import { adoptionsOfFeatures } from '#server/features.ts'
import { requireRow, run, transaction } from '#server/db/sql.ts'
import { platformComment } from '#server/ledger/references.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { adoptRequest } from '#server/recovery/adopt-deal.ts'
import type { FoundDeal } from '#server/recovery/adoption.ts'
import { cardPaymentsForFile, type CardPayment } from '../../../tests/card-payments.ts'
import { endRecovery } from '../../../tests/end-recovery.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { runRecover } from '../../../tests/recovered.ts'
import { queryPaidCheckouts } from './jobs.ts'

const { server, cards, ...payments } = cardPaymentsForFile()
const {
  openCheckout,
  act,
  notify,
  after,
  decide,
  makeUncredited,
  makeDiffering,
  postedOf,
  timelineOf,
  differencesOf,
  explain,
} = payments
const auditContext = () => ({ identity: { kind: 'recovery' }, now: server.clock.now() }) as const

afterEach(() => cards.turn('reset'))

/** Returns a credit of a payment that only the platform has. */
function dealOf({ REF, account }: CardPayment, generation = 1): FoundDeal {
  const { bytes: key } = server.dependencies.keys.reference
  return {
    platform: 'MT5',
    login: account.login,
    ticket: `found-${REF}-${generation}`,
    amount: money(10_000n, 'EUR'),
    comment: platformComment({ key, shown: REF, leg: 'deposit-credit', generation }),
    at: server.clock.now(),
    shown: REF,
    leg: 'deposit-credit',
    generation,
  }
}

/** Returns whether two people may adopt the credit of a payment. */
async function fits(payment: CardPayment): Promise<boolean> {
  const { adoptions } = adoptionsOfFeatures(server.dependencies)
  return transaction(
    server.dependencies.jobs,
    (tx) => adoptions['deposit']?.fits(tx, payment.id, dealOf(payment)) ?? Promise.reject(new Error('no adoption')),
  )
}

async function adopt(payment: CardPayment): Promise<void> {
  const { jobs } = server.dependencies
  const people = await requireRow<{ id: string }>(jobs)`select id from staff limit 1`
  const proposal = { proposedBy: people.id, confirmedBy: people.id }
  const adopting = adoptionsOfFeatures(server.dependencies)
  await transaction(jobs, (tx) => adoptRequest(tx, adopting, dealOf(payment), 'deposit', proposal, auditContext()))
}

const credited = { client: -10_000n, provider: 10_000n }

test('a payment that is not credited takes the credit that recovery finds', async () => {
  const payment = await makeUncredited()
  expect(await fits(payment)).toBe(true)
  await adopt(payment)
  expect(await postedOf(payment)).toEqual(credited)
  expect(await timelineOf(payment)).toMatchObject({ status: 'approved' })
})

test('a payment that the provider has returned in part keeps the whole credit, and the rest is a discrepancy', async () => {
  const payment = await makeUncredited()
  await act(payment, 'refund', { amount: 4_000 })
  await notify(payment)
  await adopt(payment)
  expect(await postedOf(payment)).toEqual({ client: -10_000n, provider: 6_000n, corrections: 4_000n })
  expect(await differencesOf(payment)).toEqual([['refunded', 'open', 10_000n, 6_000n]])
})

test('a payment in review takes the credit that recovery finds', async () => {
  const payment = await makeDiffering()
  expect(await fits(payment)).toBe(true)
  await adopt(payment)
  expect(await postedOf(payment)).toEqual(credited)
})

test('recovery queries a payment in review, however long ago it was made', async () => {
  const payment = await makeDiffering()
  const { jobs } = server.dependencies
  await run(jobs)`update deposits set requested_at = requested_at - interval '3 days' where id = ${payment.id}`
  await act(payment, 'refund')
  const now = server.clock.now()
  await transaction(jobs, (tx) => openRecovery(tx, { sign: 'lost-event', since: now, now }))
  await runRecover(server)
  expect(await timelineOf(payment)).toMatchObject({ status: 'refunded' })
  await endRecovery(server, [])
})

test('a payment that is being returned, or was, does not', async () => {
  const payment = await makeUncredited()
  await cards.turn('refunds', { status: 'REFUND_REQUESTED' })
  await decide(payment, refundDeposit)
  expect(await timelineOf(payment)).toMatchObject({ status: 'refunding' })
  expect(await fits(payment)).toBe(false)
  const returned = await makeUncredited()
  await act(returned, 'refund')
  await notify(returned)
  expect(await timelineOf(returned)).toMatchObject({ status: 'refunded' })
  expect(await fits(returned)).toBe(false)
})

test('a payment whose credit two people posted for another account stays rejected, and is a discrepancy', async () => {
  const payment = await openCheckout()
  await act(payment, 'pay')
  await notify(payment)
  const { comment, ticket, amount, at, shown, leg } = dealOf(payment, 0)
  const { jobs } = server.dependencies
  const people = await requireRow<{ id: string }>(jobs)`select id from staff limit 1`
  await run(jobs)`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at,
      reference, leg, subject, record, found_at, state, action, decided_by)
    values ('mismatch', 'MT5', '999', ${ticket}, ${comment}, ${amount.minor}, 'EUR', ${at}, ${shown}, ${leg}, 'deposit',
      ${payment.id}, ${at}, 'settled', 'adopt', ${people.id})`
  await settleOperations(server)
  expect(await timelineOf(payment)).toMatchObject({ status: 'rejected' })
  expect(await differencesOf(payment)).toEqual([['credit-refused', 'open', 10_000n, 0n]])
  expect((await decide(payment, refundDeposit)).status).toBe(409)
  // The other account still has the credit, so a refund is a discrepancy, also once the first one has been explained.
  await explain(payment)
  await act(payment, 'refund', { amount: 4_000 })
  await queryPaidCheckouts(server.dependencies, after(24 * 60 + 1))
  expect(await differencesOf(payment)).toContainEqual(['refunded', 'open', 10_000n, 6_000n])
  expect(await postedOf(payment)).toEqual({ provider: 6_000n, arrived_unmatched: -6_000n })
})

test('no invariant of money or states is broken after these tests', async () => {
  await settleOperations(server)
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
