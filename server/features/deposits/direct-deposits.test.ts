/** Deposits through Worldline Direct: from the request and the provider's webhook to the credit and refund. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/deposits.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { listenOnFreePort } from '../../../tests/card-contract.ts'
import { cardEnv } from '../../../tests/card-provider.ts'
import {
  cardBody,
  makeFundedAccount,
  settleOperations,
  startServerWithPlatform,
  type ServerWithPlatform,
} from '../../../tests/funded-account.ts'
import { call, makeClient, type TestServer } from '../../../tests/factories.ts'
import { queryCheckouts, queryExpiredCheckouts, queryPaidCheckouts } from './jobs.ts'

let place: ServerWithPlatform
let server: TestServer
let cards: RunningSimulator

/** A proxy at the portal's public address, in front of the server. */
const publicProxy = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>
    const sent = { method: request.method ?? 'GET', headers, body: new Uint8Array(Buffer.concat(chunks)) }
    fetch(`${server.url}${request.url ?? ''}`, sent).then(
      async (answer) => response.writeHead(answer.status).end(await answer.text()),
      () => response.destroy(),
    )
  })
})

beforeAll(async () => {
  cards = await startSimulator('card-provider', { KIND: 'direct' })
  const portal = { PORTAL_URL: `http://127.0.0.1:${await listenOnFreePort(publicProxy)}` }
  place = await startServerWithPlatform({ env: { ...cardEnv(cards, 'worldline-direct'), ...portal } })
  server = place.server
})
afterAll(async () => {
  publicProxy.closeAllConnections()
  publicProxy.close()
  await place.stop()
  await cards.stop()
})

async function openCheckout() {
  const client = await makeClient(server, { country: 'DE' })
  const account = await makeFundedAccount(server, client, 0n)
  const body = cardBody(account, '100.00')
  await cards.turn('webhooks', { hold: true })
  const { id, REF, paymentUrl } = (await call(server, contract.requestCreditCardPayment, { as: client, body })).answer
  const kept = await row<{ providerId: string; ref: string }>(
    server.dependencies.pool,
    sql`select provider_id as "providerId", provider_ref as ref from deposits where id = ${id}`,
  )
  if (!kept) throw new Error('no deposit was written')
  return { ...kept, id, REF, paymentUrl, client, account }
}
type OpenedCheckout = Awaited<ReturnType<typeof openCheckout>>

/** Lets the provider send its held webhooks to the address named by the checkout. */
async function releaseWebhooks({ providerId }: OpenedCheckout) {
  await cards.turn('webhooks/release')
  const sent = await cards.read<{ answers: number[] }[]>(`webhooks?id=${providerId}`)
  return sent.flatMap(({ answers }) => answers)
}

async function stateOf({ id }: OpenedCheckout) {
  const kept = sql`select state, refunded_minor as refunded from deposits where id = ${id}`
  return row<{ state: string; refunded: bigint }>(server.dependencies.pool, kept)
}

async function creditCheckout(): Promise<OpenedCheckout> {
  const payment = await openCheckout()
  const form = new URLSearchParams({ action: 'pay' })
  expect((await fetch(payment.paymentUrl, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(303)
  expect(await releaseWebhooks(payment)).toEqual([200])
  await settleOperations(server)
  return payment
}

test('a deposit paid on the provider’s page is reported to the webhook address of its checkout and credited', async () => {
  const payment = await creditCheckout()
  const { portalUrl } = server.dependencies.config
  expect(await cards.read(`checkouts?ref=${payment.ref}`)).toMatchObject([
    { products: [1], isSale: true, webhookUrls: [`${portalUrl}/api/webhooks/card`] },
  ])
  expect(await stateOf(payment)).toEqual({ state: 'approved', refunded: 0n })
  expect(await accountLiability(server.dependencies.pool, { accountId: payment.account.id })).toBe(10_000n)
  const checked = { as: payment.client, body: { REF: payment.REF } }
  expect((await call(server, contract.checkCreditCardPayment, checked)).answer.status).toBe('paid')
})

test('a refund reported under its own id and reference and a chargeback are each posted once', async () => {
  const payment = await creditCheckout()
  const paymentId = await paymentIdOf(payment)
  expect(paymentId).toMatch(/_0$/)
  const part = { minor: 2_500n, currency: 'EUR' } as const
  await server.dependencies.cards?.refund({ providerId: payment.providerId, paymentId }, part, `OWN-${payment.REF}`)
  expect(await releaseWebhooks(payment)).toEqual([200, 200])
  expect(await stateOf(payment)).toEqual({ state: 'approved', refunded: 2_500n })
  await cards.turn('act', { id: payment.providerId, action: 'chargeback', amount: 7_500 })
  await releaseWebhooks(payment)
  await queryPaidCheckouts(server.dependencies, new Date(server.clock.now().getTime() + 86_401_000))
  expect(await stateOf(payment)).toEqual({ state: 'approved', refunded: 10_000n })
  const found = await rows<{ kind: string }>(
    server.dependencies.pool,
    sql`select kind from differences where record = ${payment.id} order by id`,
  )
  expect(found.map(({ kind }) => kind)).toEqual(['refunded', 'charged_back'])
})

test('a deposit cancelled by its client is credited if it is paid after all', async () => {
  const payment = await openCheckout()
  const asked = { as: payment.client, body: { id: payment.id } }
  expect((await call(server, contract.cancelDeposit, asked)).status).toBe(200)
  expect((await stateOf(payment))?.state).toBe('cancelled')
  await cards.turn('act', { id: payment.providerId, action: 'pay' })
  await releaseWebhooks(payment)
  await settleOperations(server)
  expect((await stateOf(payment))?.state).toBe('approved')
})

test('a deposit cancelled by its client whose payment is returned before we see it stays cancelled', async () => {
  const payment = await openCheckout()
  const asked = { as: payment.client, body: { id: payment.id } }
  expect((await call(server, contract.cancelDeposit, asked)).status).toBe(200)
  await cards.turn('act', { id: payment.providerId, action: 'pay' })
  // The payment keeps its status: only its refund shows that the money was returned.
  await cards.turn('act', { id: payment.providerId, action: 'refund' })
  expect(await releaseWebhooks(payment)).toEqual([200, 200])
  await queryExpiredCheckouts(server.dependencies, new Date(server.clock.now().getTime() + 3_600_000))
  expect(await stateOf(payment)).toEqual({ state: 'cancelled', refunded: 0n })
  const checked = { as: payment.client, body: { REF: payment.REF } }
  expect((await call(server, contract.checkCreditCardPayment, checked)).failure.code).toBe('payment-ended')
})

test('a deposit cancelled by its client is in review if another amount is paid after all', async () => {
  const payment = await openCheckout()
  const asked = { as: payment.client, body: { id: payment.id } }
  expect((await call(server, contract.cancelDeposit, asked)).status).toBe(200)
  await cards.turn('act', { id: payment.providerId, action: 'pay' })
  await cards.turn('lie', { id: payment.providerId, amount: 9_000, count: 0 })
  expect(await releaseWebhooks(payment)).toEqual([200])
  expect((await stateOf(payment))?.state).toBe('in_review')
})

test('an unpaid deposit is rejected after 2 hours, even if the provider reports it as in progress', async () => {
  const payment = await openCheckout()
  await queryCheckouts(server.dependencies, new Date(server.clock.now().getTime() + 60_000))
  expect((await stateOf(payment))?.state).toBe('pending')
  const { pool } = server.dependencies
  await run(
    pool,
    sql`update deposits set requested_at = requested_at - interval '2 hours', asked_at = null where id = ${payment.id}`,
  )
  await queryCheckouts(server.dependencies, server.clock.now())
  expect((await stateOf(payment))?.state).toBe('rejected')
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})

async function paymentIdOf({ id }: OpenedCheckout): Promise<string> {
  const kept = sql`select payment_id as "paymentId" from deposits where id = ${id}`
  return (await row<{ paymentId: string }>(server.dependencies.pool, kept))?.paymentId ?? ''
}
