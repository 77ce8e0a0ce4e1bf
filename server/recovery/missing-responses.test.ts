/**
 * Card payments about which the provider has no usable response: recovery and refunds wait for it until two people in
 * finance decide (requirements 24.175, ADR 351).
 */
import { beforeEach, expect, test } from 'vitest'
import { requestCreditCardPayment } from '#contract/deposits.ts'
import {
  confirmDifference,
  explainDifference,
  listDifferences,
  proposeDifference,
} from '#contract/office/accounting.ts'
import { row, sql, transaction } from '#server/db/sql.ts'
import { queryCheckouts } from '#server/features/deposits/jobs.ts'
import { signSearches } from '#server/features.ts'
import { merchantReference } from '#server/ledger/references.ts'
import { findStalled } from '#server/operator/stalled.ts'
import { makePaidCheckout, sendWebhook } from '../../tests/card-provider.ts'
import { endRecovery } from '../../tests/end-recovery.ts'
import { cardsForFile, staffForFile } from '../../tests/for-file.ts'
import { cardBody, makeFundedAccount, settleOperations } from '../../tests/funded-account.ts'
import { call, makeClient, newReference, staffTokenFor } from '../../tests/factories.ts'
import { runRecover } from '../../tests/recovered.ts'
import { openRecovery } from './open-recovery.ts'
import { openSendingGate } from './sending-gate.ts'

const { server, cards } = cardsForFile()
const first = staffForFile(server, ['finance'])
const second = staffForFile(server, ['finance'])
beforeEach(async () => {
  await cards.turn('reset')
  await endRecovery(server, [])
})

async function openCheckout() {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const body = cardBody(account, '100.00')
  const { id } = (await call(server, requestCreditCardPayment, { as: client, body })).answer
  return { id, ...(await depositOf(id)) }
}

async function depositOf(id: string) {
  const found = await row<{ state: string; providerId: string; reference: string }>(
    server.dependencies.pool,
    sql`select state, provider_id as "providerId", reference from deposits where id = ${id}`,
  )
  if (!found) throw new Error(`no deposit ${id}`)
  return found
}

const refuseQueries = (providerId: string, status: number) =>
  cards.turn('refuse', { path: `/v1/1234/hostedcheckouts/${providerId}`, status, count: 0 })

const beginRecovery = () => {
  const now = server.clock.now()
  return transaction(server.dependencies.pool, (tx) => openRecovery(tx, { sign: 'lost-event', since: now, now }))
}

const stalledPayments = async (name: string) =>
  (await findStalled(server.dependencies.pool, server.clock.now())).filter(
    ({ what }) => what === `card payment ${name}`,
  )

/** Lets two people decide the open discrepancy about a payment; one person cannot. */
async function decide(fact: string): Promise<void> {
  for (const one of [first, second]) Object.assign(one, await staffTokenFor(server, one))
  const { rows: found } = (await call(server, listDifferences, { as: first, query: { q: fact } })).answer
  expect(found).toMatchObject([{ kind: 'provider-silent', state: 'open' }])
  const { id, version } = found[0] ?? { id: '', version: 0 }
  const reason = 'Checked at the card provider'
  const alone = { as: first, params: { id }, body: { version, reason } }
  expect((await call(server, explainDifference, alone)).failure.code).toMatch(
    /^(two-people-decide|money-stopped-office)$/,
  )
  const body = { version, reason, proposal: 'explain' as const }
  expect((await call(server, proposeDifference, { as: first, params: { id }, body })).status).toBe(200)
  const confirming = { params: { id }, body: { version: version + 1 } }
  expect((await call(server, confirmDifference, { as: first, ...confirming })).failure.code).toBe('own-act')
  expect((await call(server, confirmDifference, { as: second, ...confirming })).status).toBe(200)
}

function openGate() {
  const { pool, jobs, log } = server.dependencies
  const searches = signSearches(server.dependencies)
  return openSendingGate({ pools: [pool, jobs], searches, timeline: '00000001', log, now: server.clock.now })
}

test('a payment whose response cannot be used stops sends to the provider until two people decide', async () => {
  const payment = await openCheckout()
  await refuseQueries(payment.providerId, 400)
  const gate = openGate()
  expect(await gate.maySend('card:refund')).toBe(false)
  expect(gate.problemAt('card:refund')).toContain(payment.reference)
  server.clock.turn(31)
  await queryCheckouts(server.dependencies, server.clock.now())
  expect(await stalledPayments(payment.reference)).toMatchObject([{ next: 'within a minute', sick: true }])
  await decide(payment.reference)
  expect(await stalledPayments(payment.reference)).toEqual([])
  server.clock.turn(3)
  expect(await gate.maySend('card:refund')).toBe(true)
})

test('recovery waits for a response that cannot be used until two people decide, and the payment is credited later', async () => {
  const payment = await openCheckout()
  await beginRecovery()
  await refuseQueries(payment.providerId, 422)
  const waiting = await runRecover(server)
  expect(waiting.accountsOpened).toBe(false)
  expect(waiting.holds.join()).toContain(payment.reference)
  expect(await stalledPayments(payment.reference)).toMatchObject([
    { next: 'with the next npm run operator -- recover' },
  ])
  await decide(payment.reference)
  expect((await runRecover(server)).accountsOpened).toBe(true)
  await cards.turn('reset')
  await cards.turn('act', { id: payment.providerId, action: 'pay' })
  server.clock.turn(31)
  await queryCheckouts(server.dependencies, server.clock.now())
  await settleOperations(server)
  expect((await depositOf(payment.id)).state).toBe('approved')
})

test('recovery lets people decide about a missing response after an hour, not about one that arrived', async () => {
  const [missing, answered] = [await openCheckout(), await openCheckout()]
  await beginRecovery()
  for (const { providerId } of [missing, answered]) await refuseQueries(providerId, 500)
  await runRecover(server)
  expect(await stalledPayments(missing.reference)).toEqual([])
  server.clock.turn(3_601)
  await runRecover(server)
  for (const { reference } of [missing, answered]) expect(await stalledPayments(reference)).toHaveLength(1)
  await cards.turn('reset')
  await refuseQueries(missing.providerId, 500)
  expect((await runRecover(server)).holds.join()).not.toContain(answered.reference)
  expect(await stalledPayments(answered.reference)).toEqual([])
  await decide(missing.reference)
  expect((await runRecover(server)).accountsOpened).toBe(true)
})

test('recovery waits for a stored webhook whose response cannot be used until two people decide', async () => {
  const ref = merchantReference({ key: server.dependencies.keys.reference.bytes, shown: newReference() })
  const providerId = await makePaidCheckout(server, cards, ref)
  await beginRecovery()
  expect(await sendWebhook(server, providerId)).toBe(200)
  await refuseQueries(providerId, 400)
  expect((await runRecover(server)).holds.join()).toContain(providerId)
  await decide(providerId)
  expect((await runRecover(server)).accountsOpened).toBe(true)
})
