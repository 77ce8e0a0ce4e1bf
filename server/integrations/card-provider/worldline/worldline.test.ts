import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator } from '../../start-simulator.ts'
import type { RunningSimulator } from '../../start-simulator.ts'
import { tlsProxy } from '../../tls-proxy.ts'
import { Rejected, Unavailable, Unknown, WebhookRefused } from '../payment-provider.ts'
import type { CheckoutRequest, PaymentProvider } from '../payment-provider.ts'
import { signedText } from './signature.ts'
import { worldline } from './worldline.ts'
import type { WorldlineOptions } from './worldline.ts'

interface Received {
  raw: Buffer
  headers: IncomingMessage['headers']
}

const keys = {
  merchant: '1234',
  key: 'simulator-key',
  secret: 'simulator-api-secret',
  webhookKey: 'simulator-webhook-key',
  webhookSecret: 'simulator-webhook-secret',
}
const hundredEuro = { minor: 10_000n, currency: 'EUR' } as const

let simulator: RunningSimulator
let provider: PaymentProvider
let receiver: Server
let number = 0
const arrivals = new EventEmitter()
const received: Received[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const webhook = { raw: Buffer.concat(chunks), headers: request.headers }
      received.push(webhook)
      arrivals.emit('webhook')
      response.end()
    })
  })
  const webhookUrl = `http://127.0.0.1:${await listening(receiver)}/webhook`
  simulator = await startSimulator('card-provider', { WEBHOOK_URL: webhookUrl })
  provider = connected()
})
afterEach(() => simulator.turn('reset'))
afterAll(async () => {
  provider.close()
  receiver.closeAllConnections()
  receiver.close()
  await simulator.stop()
})

function connected(options: Partial<WorldlineOptions> = {}): PaymentProvider {
  return worldline({ url: `http://127.0.0.1:${simulator.port}`, ...keys, ...options })
}

function request(change: Partial<CheckoutRequest> = {}): CheckoutRequest {
  number += 1
  return {
    ref: `D-TEST${number}`,
    amount: hundredEuro,
    country: 'DE',
    productIds: [1, 114],
    returnUrl: 'http://localhost:3000/gcen-payments?REF=D-TEST',
    ...change,
  }
}

/** The first webhook about this checkout that was not taken yet. */
async function nextWebhook(providerId: string): Promise<Received> {
  for (;;) {
    const index = received.findIndex(({ raw }) => raw.includes(providerId))
    const [webhook] = index < 0 ? [] : received.splice(index, 1)
    if (webhook !== undefined) return webhook
    await once(arrivals, 'webhook')
  }
}

async function onPage(redirectUrl: string, form: Record<string, string>): Promise<Response> {
  return fetch(redirectUrl, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
}

describe('a checkout', () => {
  test('is opened for amount, reference and products, and the same one when asked again', async () => {
    const asked = request()
    const first = await provider.createCheckout(asked)
    expect(await provider.createCheckout(asked)).toEqual(first)
    expect(await provider.getStatus(first.providerId)).toEqual({ state: 'open' })
    const kept = await simulator.read<object[]>(`checkouts?ref=${asked.ref}`)
    expect(kept).toMatchObject([{ amount: 10_000, currency: 'EUR', products: [1, 114], country: 'DE' }])
  })

  test('is paid on its page, and returns with the proof that was given at its opening', async () => {
    const asked = request()
    const { providerId, redirectUrl, returnMac } = await provider.createCheckout(asked)
    const page = await (await fetch(redirectUrl)).text()
    expect(page).toContain('Card provider simulator')
    expect(page).toContain('€100.00')
    const back = await onPage(redirectUrl, { action: 'pay' })
    const returned = new URL(back.headers.get('location') ?? '')
    expect(returned.searchParams.get('REF')).toBe('D-TEST')
    expect(returned.searchParams.get('RETURNMAC')).toBe(returnMac)
    expect(returned.searchParams.get('hostedCheckoutId')).toBe(providerId)
    const status = await provider.getStatus(providerId)
    expect(status).toEqual({ state: 'paid', amount: hundredEuro, ref: asked.ref, paymentId: status.paymentId })
    expect(await provider.getStatus('gone', status.paymentId)).toEqual(status)
    expect((await onPage(redirectUrl, { action: 'pay' })).status).toBe(410)
  })

  test('is paid after 3-D Secure with the right code alone', async () => {
    for (const [code, state] of [
      ['123456', 'paid'],
      ['000000', 'failed'],
    ] as const) {
      const { providerId, redirectUrl } = await provider.createCheckout(request({ language: 'de' }))
      const challenge = await onPage(redirectUrl, { action: 'challenge' })
      expect(await challenge.text()).toContain('Einmalcode')
      await onPage(redirectUrl, { button: 'confirm', code })
      expect(await provider.getStatus(providerId)).toMatchObject({ state })
    }
  })

  test.each([
    ['decline', 'failed'],
    ['cancel', 'cancelled'],
    ['pend', 'pending'],
    ['close', 'paid'],
  ])('on whose page one chooses %s is %s', async (action, state) => {
    const { providerId, redirectUrl } = await provider.createCheckout(request())
    await onPage(redirectUrl, { action })
    expect(await provider.getStatus(providerId)).toMatchObject({ state })
  })

  test('that no one used for two hours is expired', async () => {
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('clock', { offsetSeconds: 7300 })
    expect(await provider.getStatus(providerId)).toEqual({ state: 'expired' })
    await simulator.turn('clock', { offsetSeconds: 0 })
  })

  test('is ended twice without harm, and then takes no money', async () => {
    const { providerId, redirectUrl } = await provider.createCheckout(request())
    await provider.closeCheckout(providerId)
    await provider.closeCheckout(providerId)
    expect((await onPage(redirectUrl, { action: 'pay' })).status).toBe(410)
    expect(await provider.getStatus(providerId)).toEqual({ state: 'cancelled' })
  })

  test('with a payment is not ended; without a clear answer it may be either', async () => {
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('act', { id: providerId, action: 'pend' })
    await expect(provider.closeCheckout(providerId)).rejects.toThrow(Rejected)
    await simulator.turn('drop-after')
    await expect(provider.closeCheckout(providerId)).rejects.toThrow(Unavailable)
    await simulator.turn('refuse', { status: 502 })
    await expect(provider.closeCheckout(providerId)).rejects.toThrow(Unavailable)
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'pending' })
  })

  test('that was removed is over; one that only a proxy does not know may be anything', async () => {
    const { providerId } = await provider.createCheckout(request())
    for (const status of [404, 410]) {
      await simulator.turn('refuse', { status, path: '/' })
      expect(await provider.getStatus(providerId)).toEqual({ state: 'expired' })
      await simulator.turn('refuse', { status, path: '/' })
      await simulator.turn('garble', { kind: 'html', path: '/' })
      await expect(provider.getStatus(providerId)).rejects.toThrow(Unavailable)
    }
  })

  test('whose capture is queued is paid, or stays pending where only what was captured counts', async () => {
    const careful = connected({ creditAt: 'captured' })
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('act', { id: providerId, action: 'request-capture' })
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'paid' })
    expect(await careful.getStatus(providerId)).toMatchObject({ state: 'pending' })
    await simulator.turn('act', { id: providerId, action: 'pay' })
    expect(await careful.getStatus(providerId)).toMatchObject({ state: 'paid' })
    careful.close()
  })

  test('declined says why', async () => {
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('act', { id: providerId, action: 'decline' })
    expect(await provider.getStatus(providerId)).toMatchObject({ reason: 'Not authorised by the bank' })
  })

  test('whose answer is lost is opened once all the same', async () => {
    const asked = request()
    await simulator.turn('drop-after')
    await provider.createCheckout(asked)
    await simulator.turn('drop-before')
    await provider.createCheckout(request())
    expect(await simulator.read(`checkouts?ref=${asked.ref}`)).toHaveLength(1)
  })

  test('is unavailable while the provider fails, and refused where it refuses', async () => {
    await simulator.turn('refuse', { status: 500, count: 2 })
    await expect(provider.createCheckout(request())).rejects.toThrow(Unavailable)
    await simulator.turn('garble', { kind: 'half', count: 2 })
    await expect(provider.createCheckout(request())).rejects.toThrow(Unavailable)
    await simulator.turn('refuse', { status: 400 })
    await expect(provider.createCheckout(request())).rejects.toThrow(Rejected)
    await simulator.turn('drop-before', { count: 2 })
    await expect(provider.createCheckout(request())).rejects.toThrow(Unavailable)
    await simulator.turn('garble', { kind: 'html', path: '/' })
    await expect(provider.getStatus('none')).rejects.toThrow(Unavailable)
  })

  test('outlives the death of the provider', async () => {
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('act', { id: providerId, action: 'pay' })
    provider.close()
    simulator = await simulator.restart()
    provider = connected()
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'paid' })
  })
})

describe('a refund', () => {
  test('goes once under one key, and never beyond what was paid', async () => {
    const { providerId } = await provider.createCheckout(request())
    await expect(provider.refund(providerId, hundredEuro, 'R-1')).rejects.toMatchObject({ reason: 'not-found' })
    await simulator.turn('act', { id: providerId, action: 'pay' })
    const sixty = { minor: 6_000n, currency: 'EUR' } as const
    const first = await provider.refund(providerId, sixty, `R-${providerId}`)
    expect(await provider.refund(providerId, sixty, `R-${providerId}`)).toEqual(first)
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'paid', amount: hundredEuro, back: sixty })
    await expect(provider.refund(providerId, sixty, `S-${providerId}`)).rejects.toThrow(Rejected)
    await provider.refund(providerId, { minor: 4_000n, currency: 'EUR' }, `T-${providerId}`)
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'refunded' })
  })

  test('whose answer is lost twice is unknown, and found under its key', async () => {
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('act', { id: providerId, action: 'pay' })
    await simulator.turn('drop-after', { count: 2 })
    const key = `U-${providerId}`
    await expect(provider.refund(providerId, hundredEuro, key)).rejects.toThrow(Unknown)
    expect((await provider.refund(providerId, hundredEuro, key)).refundId).not.toBe('')
  })
})

describe('a webhook', () => {
  test('says which checkout to ask about', async () => {
    const asked = request()
    const { providerId } = await provider.createCheckout(asked)
    await simulator.turn('act', { id: providerId, action: 'pay' })
    const { raw, headers } = await nextWebhook(providerId)
    const hint = await provider.parseWebhook(raw, headers)
    expect(hint).toMatchObject({ providerId, ref: asked.ref, type: 'payment.paid' })
    await simulator.turn('act', { id: providerId, action: 'chargeback' })
    const second = await nextWebhook(providerId)
    expect((await provider.parseWebhook(second.raw, second.headers)).eventId).not.toBe(hint.eventId)
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'charged_back' })
  })

  test('counts only over its own bytes, by the right key, for this merchant, however old it is', async () => {
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('act', { id: providerId, action: 'pay' })
    const { raw, headers } = await nextWebhook(providerId)
    const spaced = Buffer.from(JSON.stringify(JSON.parse(raw.toString()), null, 1))
    const signed = (body: object) => {
      const bytes = Buffer.from(JSON.stringify({ ...(JSON.parse(raw.toString()) as object), ...body }))
      const signature = createHmac('sha256', keys.webhookSecret).update(bytes).digest('base64')
      return provider.parseWebhook(bytes, { ...headers, 'x-gcs-signature': signature })
    }
    await expect(provider.parseWebhook(spaced, headers)).rejects.toThrow(WebhookRefused)
    await expect(provider.parseWebhook(raw, { ...headers, 'x-gcs-keyid': 'other' })).rejects.toThrow(WebhookRefused)
    await expect(provider.parseWebhook(raw, {})).rejects.toThrow(WebhookRefused)
    await expect(signed({ merchantId: '99' })).rejects.toThrow(WebhookRefused)
    expect((await signed({ created: '2020-01-01T00:00:00.000+0000' })).providerId).toBe(providerId)
  })

  test('comes badly signed, twice or in reverse where a switch says so', async () => {
    const { providerId } = await provider.createCheckout(request())
    await simulator.turn('webhooks', { hold: true, reverse: true })
    await simulator.turn('act', { id: providerId, action: 'pend' })
    await simulator.turn('act', { id: providerId, action: 'pay' })
    await simulator.turn('webhooks/release')
    const types = [await nextWebhook(providerId), await nextWebhook(providerId)].map(
      ({ raw }) => (JSON.parse(raw.toString()) as { type: string }).type,
    )
    expect(types).toEqual(['payment.paid', 'payment.redirected'])
    await simulator.turn('webhooks', { copies: 2, bad: true })
    await simulator.turn('act', { id: providerId, action: 'chargeback' })
    for (const { raw, headers } of [await nextWebhook(providerId), await nextWebhook(providerId)]) {
      await expect(provider.parseWebhook(raw, headers)).rejects.toThrow(WebhookRefused)
    }
  })
})

describe('the connection', () => {
  test('signs what the vendor says is signed', () => {
    const headers = { 'X-GCS-ServerMetaInfo': 'b', 'X-GCS-Idempotence-Key': ' a  b ', Accept: 'c' }
    const text = signedText({ method: 'POST', contentType: 'application/json', date: 'D', headers, path: '/v1/1/x' })
    expect(text).toBe('POST\napplication/json\nD\nx-gcs-idempotence-key:a b\nx-gcs-servermetainfo:b\n/v1/1/x\n')
  })

  test('with a wrong secret is refused', async () => {
    const stranger = connected({ secret: 'wrong' })
    await expect(stranger.createCheckout(request())).rejects.toThrow(Rejected)
    stranger.close()
  })

  test('is over TLS, and only to a certificate that is trusted', async () => {
    const front = await tlsProxy(simulator.port)
    const url = `https://localhost:${front.port}`
    const trusting = connected({ url, ca: front.certificate })
    expect(await trusting.getStatus('none')).toEqual({ state: 'expired' })
    trusting.close()
    const careful = connected({ url })
    await expect(careful.getStatus('none')).rejects.toThrow(Unavailable)
    careful.close()
    front.stop()
  })

  test('leads to no private network, follows no redirect, and sends clients to the provider alone', async () => {
    expect(() => connected({ url: 'https://169.254.169.254' })).toThrow('private')
    expect(() => connected({ url: 'https://[::1]:1' })).not.toThrow()
    let followed = 0
    const lying = createServer((asked, response) => {
      if (asked.method === 'GET' && asked.url?.startsWith('/v1')) response.writeHead(302, { location: '/elsewhere' })
      else if (asked.url === '/elsewhere') followed += 1
      response.end('{"hostedCheckoutId":"1","partialRedirectUrl":"evil.example/checkout"}')
    })
    const adapter = worldline({ url: `http://127.0.0.1:${await listening(lying)}`, ...keys })
    await expect(adapter.getStatus('none')).rejects.toThrow(Unavailable)
    await expect(adapter.createCheckout(request())).rejects.toThrow('not its own')
    expect(followed).toBe(0)
    adapter.close()
    lying.closeAllConnections()
    lying.close()
  })
})

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('No port was bound'))
      else resolve(address.port)
    })
  })
}
