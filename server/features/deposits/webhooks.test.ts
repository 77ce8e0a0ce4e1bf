import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestCreditCardPayment } from '#contract/deposits.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { sendWebhook } from '../../../tests/card-provider.ts'
import { cardsForFile } from '../../../tests/for-file.ts'
import { cardBody, makeFundedAccount } from '../../../tests/funded-account.ts'
import { call, makeClient } from '../../../tests/factories.ts'
import { deleteOldWebhooks } from './jobs.ts'

const { server, cards } = cardsForFile()

beforeAll(async () => {
  await cards.turn('webhooks/endpoint', { url: address() })
})
afterEach(async () => {
  await cards.turn('reset')
  await cards.turn('webhooks/release')
})

const address = () => `${server.url}/api/webhooks/card`

function verifyWebhookUrl(value?: string): Promise<Response> {
  return fetch(address(), value === undefined ? {} : { headers: { 'X-GCS-Webhooks-Endpoint-Verification': value } })
}

test('the webhook endpoint passes the provider’s verification by echoing a header as plain text', async () => {
  await expect(cards.turn('webhooks/endpoint', { url: server.url })).rejects.toThrow('verification')
  const answer = await verifyWebhookUrl('<script>alert(1)</script>')
  expect([answer.status, await answer.text()]).toEqual([200, '<script>alert(1)</script>'])
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['no value', undefined],
  ['more than 200 characters', 'x'.repeat(201)],
  ['spaces', 'a b'],
])('the webhook endpoint does not echo a verification header with %s', async (_case, value) => {
  expect((await verifyWebhookUrl(value)).status).toBe(400)
})

describe('a webhook', () => {
  test('about a payment is processed once, even if it is 3 days old', async () => {
    const payment = await openCheckout()
    await payAndHoldWebhook(payment, { ageSeconds: 3 * 86_400 })
    expect(await cards.turn('webhooks/release')).toMatchObject({ released: 1 })
    expect(await stateOf(payment)).toBe('processing')
    await failNextQuery()
    expect(await cards.turn('webhooks/again', { id: payment.providerId })).toMatchObject({ status: 200 })
    expect(await stateOf(payment)).toBe('processing')
  })

  test('returns 503 while the provider does not respond to our query, and is processed when it is resent', async () => {
    const payment = await openCheckout()
    await payAndHoldWebhook(payment, {})
    await failNextQuery()
    await cards.turn('webhooks/release')
    expect(await stateOf(payment)).toBe('pending')
    await cards.turn('webhooks/release')
    expect(await stateOf(payment)).toBe('processing')
    expect(await cards.read(`webhooks?id=${payment.providerId}`)).toMatchObject([{ answers: [503, 200] }])
  })

  test('without a checkout id is assigned to the payment with our reference', async () => {
    const payment = await openCheckout()
    await cards.turn('platform', { kind: 'ogone' })
    await payAndHoldWebhook(payment, {})
    await cards.turn('webhooks/release')
    expect(await cards.read(`webhooks?id=${payment.providerId}`)).toMatchObject([
      { body: { payment: { hostedCheckoutSpecificOutput: { variant: '100' } } } },
    ])
    expect(await stateOf(payment)).toBe('processing')
  })

  test.each([
    ['refund', (merchantReference: string) => ({ refund: { refundOutput: { references: { merchantReference } } } })],
    ['capture', (merchantReference: string) => ({ capture: { captureOutput: { references: { merchantReference } } } })],
    ['dispute', (merchantReference: string) => ({ dispute: { disputeOutput: { reference: { merchantReference } } } })],
  ])('about a %s makes us query the payment with its reference', async (_kind, about) => {
    const payment = await openCheckout()
    await payAndHoldWebhook(payment, {})
    expect(await sendWebhook(server, '', { about: about(payment.ref) })).toBe(200)
    expect(await stateOf(payment)).toBe('processing')
  })

  test.each([['payout'], ['token']])('about a %s is acknowledged without a query to the provider', async (kind) => {
    expect(await sendWebhook(server, '', { about: { [kind]: { id: 'x' } } })).toBe(200)
  })

  test('is deleted after 30 days', async () => {
    await sendWebhook(server, 'unknown-checkout')
    const day = 86_400_000
    const known = () => rows(server.dependencies.pool, sql`select from card_webhooks`)
    await deleteOldWebhooks(server.dependencies, new Date(server.clock.now().getTime() + 29 * day))
    expect(await known()).not.toEqual([])
    await deleteOldWebhooks(server.dependencies, new Date(server.clock.now().getTime() + 31 * day))
    expect(await known()).toEqual([])
  })

  test('with a wrong signature is rejected, and rate limited after 60 in a minute, while valid ones still pass', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 61; sent += 1) statuses.push(await sendWebhook(server, 'x', { secret: 'guess' }))
    expect([...new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([400, 429])
    expect(await sendWebhook(server, 'unknown-checkout')).toBe(200)
  })
})

interface OpenedCheckout {
  readonly id: string
  readonly providerId: string
  /** Our reference at the provider. */
  readonly ref: string
}

async function openCheckout(): Promise<OpenedCheckout> {
  const client = await makeClient(server, { country: 'DE' })
  const account = await makeFundedAccount(server, client, 0n)
  const body = cardBody(account, '100.00')
  const { id } = (await call(server, requestCreditCardPayment, { as: client, body })).answer
  const kept = await row<OpenedCheckout>(
    server.dependencies.pool,
    sql`select id, provider_id as "providerId", provider_ref as ref from deposits where id = ${id}`,
  )
  if (!kept) throw new Error('no deposit was written')
  return kept
}

/** Pays at the provider and holds the webhook. */
async function payAndHoldWebhook({ providerId }: OpenedCheckout, manner: object) {
  await cards.turn('webhooks', { hold: true, ...manner })
  await cards.turn('act', { id: providerId, action: 'pay' })
}

/** Makes the provider respond with 500 to the next query. */
function failNextQuery() {
  return cards.turn('refuse', { path: '/v1/1234/', status: 500 })
}

async function stateOf({ id }: OpenedCheckout) {
  return (await row<{ state: string }>(server.dependencies.pool, sql`select state from deposits where id = ${id}`))
    ?.state
}
