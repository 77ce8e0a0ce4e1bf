import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestCreditCardPayment } from '#contract/deposits.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { sendWebhook } from '../../../tests/card-provider.ts'
import { cardsForFile } from '../../../tests/for-file.ts'
import { fundedAccount } from '../../../tests/funded-account.ts'
import { call, makeClient } from '../../../tests/factories.ts'
import { forgetWebhooks } from './jobs.ts'

const { server, cards } = cardsForFile()

beforeAll(async () => {
  await cards.turn('webhooks/endpoint', { url: address() })
})
afterEach(async () => {
  await cards.turn('reset')
  await cards.turn('webhooks/release')
})

const address = () => `${server.url}/api/webhooks/card`

function verified(value?: string): Promise<Response> {
  return fetch(address(), value === undefined ? {} : { headers: { 'X-GCS-Webhooks-Endpoint-Verification': value } })
}

test('the address is taken by the provider, which asks it to echo a header as plain text', async () => {
  await expect(cards.turn('webhooks/endpoint', { url: server.url })).rejects.toThrow('verification')
  const answer = await verified('<script>alert(1)</script>')
  expect([answer.status, await answer.text()]).toEqual([200, '<script>alert(1)</script>'])
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['nothing', undefined],
  ['more than 200 characters', 'x'.repeat(201)],
  ['spaces', 'a b'],
])('the address echoes no header with %s', async (_case, value) => {
  expect((await verified(value)).status).toBe(400)
})

describe('a webhook', () => {
  test('three days old about a payment is followed, once', async () => {
    const payment = await opened()
    await paidWith(payment, { ageSeconds: 3 * 86_400 })
    expect(await cards.turn('webhooks/release')).toMatchObject({ released: 1 })
    expect(await stateOf(payment)).toBe('processing')
    await silent()
    expect(await cards.turn('webhooks/again', { id: payment.providerId })).toMatchObject({ status: 200 })
    expect(await stateOf(payment)).toBe('processing')
  })

  test('that meets no answer of the provider is followed when it comes again', async () => {
    const payment = await opened()
    await paidWith(payment, {})
    await silent()
    await cards.turn('webhooks/release')
    expect(await stateOf(payment)).toBe('pending')
    await cards.turn('webhooks/release')
    expect(await stateOf(payment)).toBe('processing')
    expect(await cards.read(`webhooks?id=${payment.providerId}`)).toMatchObject([{ answers: [503, 200] }])
  })

  test('that names no checkout is about the payment under our reference', async () => {
    const payment = await opened()
    await cards.turn('platform', { kind: 'ogone' })
    await paidWith(payment, {})
    await cards.turn('webhooks/release')
    expect(await cards.read(`webhooks?id=${payment.providerId}`)).not.toHaveProperty(
      '0.body.payment.hostedCheckoutSpecificOutput',
    )
    expect(await stateOf(payment)).toBe('processing')
  })

  test.each([
    ['refund', (merchantReference: string) => ({ refund: { refundOutput: { references: { merchantReference } } } })],
    ['capture', (merchantReference: string) => ({ capture: { captureOutput: { references: { merchantReference } } } })],
    ['dispute', (merchantReference: string) => ({ dispute: { disputeOutput: { reference: { merchantReference } } } })],
  ])('about a %s asks about the payment under its reference', async (_kind, about) => {
    const payment = await opened()
    await paidWith(payment, {})
    expect(await sendWebhook(server, '', { about: about(payment.ref) })).toBe(200)
    expect(await stateOf(payment)).toBe('processing')
  })

  test.each([['payout'], ['token']])('about a %s is answered, and nothing is asked', async (kind) => {
    expect(await sendWebhook(server, '', { about: { [kind]: { id: 'x' } } })).toBe(200)
  })

  test('is forgotten after 30 days', async () => {
    await sendWebhook(server, 'unknown-checkout')
    const day = 86_400_000
    const known = () => rows(server.dependencies.pool, sql`select from card_webhooks`)
    await forgetWebhooks(server.dependencies, new Date(server.clock.now().getTime() + 29 * day))
    expect(await known()).not.toEqual([])
    await forgetWebhooks(server.dependencies, new Date(server.clock.now().getTime() + 31 * day))
    expect(await known()).toEqual([])
  })

  test('that is not the provider’s is refused, and its address waits after 60 of them in a minute', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 61; sent += 1) statuses.push(await sendWebhook(server, 'x', { secret: 'guess' }))
    expect([...new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([400, 429])
    expect(await sendWebhook(server, 'unknown-checkout')).toBe(200)
  })
})

interface Opened {
  readonly id: string
  readonly providerId: string
  /** Our reference at the provider. */
  readonly ref: string
}

async function opened(): Promise<Opened> {
  const client = await makeClient(server, { country: 'DE' })
  const account = await fundedAccount(server, client, 0n)
  const method = { paymentGatewayService: 'gcen', depositType: 'cc_gcen', method: 'cc_gcen', ccType: 114 } as const
  const amount = { depositCurrency: 'EUR', depositAmountSent: '100.00' } as const
  const body = { accountPlatform: 'MT5', accountNumber: account.login, ...amount, ...method } as const
  const { id } = (await call(server, requestCreditCardPayment, { as: client, body })).answer
  const kept = await row<Opened>(
    server.dependencies.pool,
    sql`select id, provider_id as "providerId", provider_ref as ref from deposits where id = ${id}`,
  )
  if (!kept) throw new Error('no deposit was written')
  return kept
}

/** Pays at the provider and holds the webhook. */
async function paidWith({ providerId }: Opened, manner: object) {
  await cards.turn('webhooks', { hold: true, ...manner })
  await cards.turn('act', { id: providerId, action: 'pay' })
}

/** Makes the provider ignore the next query. */
function silent() {
  return cards.turn('refuse', { path: '/v1/1234/', status: 500 })
}

async function stateOf({ id }: Opened) {
  return (await row<{ state: string }>(server.dependencies.pool, sql`select state from deposits where id = ${id}`))
    ?.state
}
