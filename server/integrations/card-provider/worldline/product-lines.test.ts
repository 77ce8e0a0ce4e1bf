/**
 * The differences between the card provider's two products, and what is the same for both: signature, TLS, addresses.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  cardContractForFile,
  checkoutRequest,
  hundredEuro,
  listenOnFreePort,
  submitProviderPage,
  startCardContract,
} from '../../../../tests/card-contract.ts'
import { startForFile } from '../../../../tests/for-file.ts'
import type { RunningSimulator } from '#tests/start-simulator.ts'
import { tlsProxy } from '#tests/tls-proxy.ts'
import { CallCounts } from '../../call-counts.ts'
import { Deferred } from '../../errors.ts'
import { Rejected, Unavailable } from '../payment-provider.ts'
import { authorization, signedText } from './signature.ts'

describe('worldline-connect', () => {
  const { place, simulator, provider } = cardContractForFile('worldline-connect')

  test('reports a payment of the Ogone platform, which names no checkout', async () => {
    await simulator.turn('platform', { kind: 'ogone' })
    const { providerId } = await provider.createCheckout(checkoutRequest())
    await simulator.turn('act', { id: providerId, action: 'pay' })
    const status = await provider.getStatus(providerId)
    expect(status).toMatchObject({ state: 'paid', amount: hundredEuro })
    expect(await provider.getStatus(providerId, status.paymentId)).toEqual(status)
  })

  test('forgets the key of a refund after a day', async () => {
    const { providerId } = await provider.createCheckout(checkoutRequest())
    await simulator.turn('act', { id: providerId, action: 'pay' })
    const forty = { minor: 4_000n, currency: 'EUR' } as const
    const refundId = async () => (await provider.refund({ providerId, paymentId: null }, forty, 'R-1')).refundId
    const first = await refundId()
    await simulator.turn('clock', { offsetSeconds: 23 * 3600 })
    expect(await refundId()).toBe(first)
    await simulator.turn('clock', { offsetSeconds: 25 * 3600 })
    expect(await refundId()).not.toBe(first)
    await simulator.turn('clock', { offsetSeconds: 0 })
  })

  test('has answered a query that it rejects, but not one that a proxy rejects', async () => {
    const counts = new CallCounts(() => new Date())
    const counted = place.connected({ calls: counts.of('card') })
    await simulator.turn('refuse', { status: 400, path: '/' })
    await expect(counted.getStatus('any')).rejects.toThrow(Deferred)
    expect(counts.take()).toMatchObject([{ answers: 1, failures: 0 }])
    await simulator.turn('refuse', { status: 400, path: '/' })
    await simulator.turn('garble', { kind: 'html', path: '/' })
    await expect(counted.getStatus('any')).rejects.toThrow(Unavailable)
    expect(counts.take()).toMatchObject([{ answers: 0, failures: 1 }])
    counted.close()
  })

  test('expires a checkout that is unused for two hours', async () => {
    const { providerId } = await provider.createCheckout(checkoutRequest())
    await simulator.turn('clock', { offsetSeconds: 7300 })
    expect(await provider.getStatus(providerId)).toEqual({ state: 'expired' })
    await simulator.turn('clock', { offsetSeconds: 0 })
  })

  test('cancels a checkout, also a second time, and the cancelled checkout accepts no payment', async () => {
    const { providerId, redirectUrl } = await provider.createCheckout(checkoutRequest())
    await provider.closeCheckout(providerId)
    await provider.closeCheckout(providerId)
    expect((await submitProviderPage(redirectUrl, { action: 'pay' })).status).toBe(410)
    expect(await provider.getStatus(providerId)).toEqual({ state: 'cancelled' })
  })

  test('does not cancel a checkout that has a payment, and reports an unclear answer as unavailable', async () => {
    const { providerId } = await provider.createCheckout(checkoutRequest())
    await simulator.turn('act', { id: providerId, action: 'pend' })
    await expect(provider.closeCheckout(providerId)).rejects.toThrow(Rejected)
    await simulator.turn('drop-after')
    await expect(provider.closeCheckout(providerId)).rejects.toThrow(Unavailable)
    await simulator.turn('refuse', { status: 502 })
    await expect(provider.closeCheckout(providerId)).rejects.toThrow(Unavailable)
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'pending' })
  })

  test('treats a removed checkout as expired, but a 404 or 410 from a proxy as unavailable', async () => {
    const { providerId } = await provider.createCheckout(checkoutRequest())
    for (const status of [404, 410]) {
      await simulator.turn('refuse', { status, path: '/' })
      expect(await provider.getStatus(providerId)).toEqual({ state: 'expired' })
      await simulator.turn('refuse', { status, path: '/' })
      await simulator.turn('garble', { kind: 'html', path: '/' })
      await expect(provider.getStatus(providerId)).rejects.toThrow(Unavailable)
    }
  })

  test.each([
    ['feedbacks', { feedbacks: {} }],
    ['order.discount', { order: { discount: {} } }],
    ['hostedCheckoutSpecificInput.sessionTimeout', { hostedCheckoutSpecificInput: { sessionTimeout: 1 } }],
  ])('rejects %s, which only Direct supports', async (name, body) => {
    expect(await refusalOf(simulator, 'v1', body)).toBe(`${name} is not known`)
  })

  test('does not add the two amounts that it gives for one refund, and reports an amount that the refunds do not explain', async () => {
    const { providerId } = await provider.createCheckout(checkoutRequest())
    await simulator.turn('act', { id: providerId, action: 'pay' })
    await simulator.turn('act', { id: providerId, action: 'refund', amount: 4_000 })
    const back = [{ kind: 'refunded', amount: { minor: 4_000n, currency: 'EUR' } }]
    const agreed = await provider.getStatus(providerId)
    expect(agreed).toMatchObject({ state: 'paid', back })
    expect(agreed).not.toHaveProperty('claimedBack')
    await simulator.turn('lie', { id: providerId, back: 7_000 })
    expect(await provider.getStatus(providerId)).toMatchObject({ back, claimedBack: { minor: 7_000n } })
    // The payment's status alone is not a chargeback that could be posted.
    await simulator.turn('lie', { id: providerId, state: 'charged_back' })
    const unnamed = { state: 'charged_back', back, claimedBack: { minor: 4_000n } }
    expect(await provider.getStatus(providerId)).toMatchObject(unnamed)
  })
})

describe('worldline-direct', () => {
  const { place, simulator, provider } = cardContractForFile('worldline-direct')

  test('captures with the payment, notifies one webhook address, and allows one attempt within two hours', async () => {
    const asked = checkoutRequest()
    const { redirectUrl, providerId } = await provider.createCheckout(asked)
    expect(redirectUrl).toBe(`http://127.0.0.1:${simulator.port}/checkout/${providerId}`)
    const [kept] = await simulator.read<object[]>(`checkouts?ref=${asked.ref}`)
    expect(kept).toMatchObject({ isSale: true, attempts: 1, lifeSeconds: 6_600, webhookUrls: [place.webhookUrl] })
    await submitProviderPage(redirectUrl, { action: 'decline' })
    expect((await submitProviderPage(redirectUrl, { action: 'pay' })).status).toBe(410)
    expect(await provider.getStatus(providerId)).toMatchObject({ state: 'failed' })
  })

  test('cannot cancel a checkout, and one that is over still shows as open', async () => {
    expect(provider.closesCheckouts).toBe(false)
    const { providerId, redirectUrl } = await provider.createCheckout(checkoutRequest())
    await provider.closeCheckout(providerId)
    expect(await provider.getStatus(providerId)).toEqual({ state: 'open' })
    await simulator.turn('clock', { offsetSeconds: 6_700 })
    expect((await submitProviderPage(redirectUrl, { action: 'pay' })).status).toBe(410)
    expect(await provider.getStatus(providerId)).toEqual({ state: 'open' })
    await simulator.turn('clock', { offsetSeconds: 0 })
  })

  test('has an id for each operation, and a webhook about a refund leads to its payment', async () => {
    const { providerId } = await provider.createCheckout(checkoutRequest())
    await simulator.turn('act', { id: providerId, action: 'pay' })
    const { paymentId = '' } = await provider.getStatus(providerId)
    expect(paymentId).toMatch(/^\d+_0$/)
    const { refundId } = await provider.refund({ providerId, paymentId }, hundredEuro, `V-${providerId}`)
    expect(refundId).toBe(paymentId.replace('_0', '_1'))
    const { raw, headers } = await place.nextWebhook(refundId)
    const hint = await provider.parseWebhook(raw, headers)
    expect(hint).toMatchObject({ providerId: '', paymentId, ref: `V-${providerId}` })
    // The payment's own status is unchanged: the refund is another operation.
    expect(await provider.getStatus(providerId, paymentId)).toMatchObject({ state: 'paid', back: [{ id: refundId }] })
  })

  test.each([
    ['merchant', { merchant: {} }],
    ['hostedCheckoutSpecificInput.returnCancelState', { hostedCheckoutSpecificInput: { returnCancelState: true } }],
    [
      'cardPaymentMethodSpecificInput.requiresApproval',
      { cardPaymentMethodSpecificInput: { requiresApproval: false } },
    ],
  ])('rejects %s, which only Connect supports', async (name, body) => {
    expect(await refusalOf(simulator, 'v2', body)).toBe(`${name} is not known`)
  })
})

describe('the connection', () => {
  const place = startForFile(() => startCardContract('worldline-connect'))

  test('identifies the caller in a header that is part of the signature', async () => {
    const seen: IncomingMessage[] = []
    const listener = createServer((asked, response) => {
      seen.push(asked)
      response.writeHead(404).end('{"errors":[]}')
    })
    const adapter = place.connected({}, await listenOnFreePort(listener))
    await adapter.getStatus('none')
    adapter.close()
    listener.closeAllConnections()
    listener.close()
    const headers = seen[0]?.headers ?? {}
    const info = String(headers['x-gcs-servermetainfo'])
    expect(JSON.parse(Buffer.from(info, 'base64').toString())).toEqual({
      sdkIdentifier: expect.any(String),
      integrator: expect.any(String),
      platformIdentifier: expect.stringContaining('Node.js/'),
    })
    const signed = { method: 'GET', contentType: '', date: headers.date ?? '', path: seen[0]?.url ?? '' }
    const named = { ...signed, headers: { 'X-GCS-ServerMetaInfo': info } }
    expect(headers.authorization).toBe(authorization('simulator-key', 'simulator-api-secret', named))
  })

  test.each([
    ['worldline-connect', 'eu.secured-by-ingenico.com/1', 'https://payment.eu.secured-by-ingenico.com/1'],
    ['worldline-connect', 'pay.worldline-solutions.com.evil.example/1', null],
    ['worldline-direct', 'https://payment.preprod.direct.worldline-solutions.com/1', 'the same'],
    ['worldline-direct', 'https://payment.direct.worldline-solutions.com/1', 'the same'],
    ['worldline-direct', 'http://payment.direct.worldline-solutions.com/1', null],
    ['worldline-direct', 'https://evil.worldline-solutions.com/1', null],
    ['worldline-direct', 'direct.worldline-solutions.com/1', null],
  ] as const)('of %s sends clients only to the hosts of its own pages: %s', async (kind, redirect, page) => {
    const named = kind === 'worldline-connect' ? { partialRedirectUrl: redirect } : { redirectUrl: redirect }
    const created = JSON.stringify({ hostedCheckoutId: '1', ...named })
    const answering = createServer((_asked, response) => response.end(created))
    const front = await tlsProxy(await listenOnFreePort(answering))
    const adapter = place.connected({ kind, url: `https://localhost:${front.port}`, ca: front.certificate })
    const asked = adapter.createCheckout(checkoutRequest())
    if (page === null) await expect(asked).rejects.toThrow('not its own')
    else expect((await asked).redirectUrl).toBe(page === 'the same' ? redirect : page)
    adapter.close()
    front.stop()
    answering.closeAllConnections()
    answering.close()
  })

  test('signs exactly the text that the vendor specifies', () => {
    const headers = { 'X-GCS-ServerMetaInfo': 'b', 'X-GCS-Idempotence-Key': ' a  b ', Accept: 'c' }
    const text = signedText({ method: 'POST', contentType: 'application/json', date: 'D', headers, path: '/v1/1/x' })
    expect(text).toBe('POST\napplication/json\nD\nx-gcs-idempotence-key:a b\nx-gcs-servermetainfo:b\n/v1/1/x\n')
  })

  test('with a wrong secret is rejected', async () => {
    const stranger = place.connected({ secret: 'wrong' })
    await expect(stranger.createCheckout(checkoutRequest())).rejects.toThrow(Rejected)
    stranger.close()
  })

  test('uses TLS and accepts only a trusted certificate', async () => {
    const front = await tlsProxy(place.simulator.port)
    const url = `https://localhost:${front.port}`
    const trusting = place.connected({ url, ca: front.certificate })
    expect(await trusting.getStatus('none')).toEqual({ state: 'expired' })
    trusting.close()
    const careful = place.connected({ url })
    await expect(careful.getStatus('none')).rejects.toThrow(Unavailable)
    careful.close()
    front.stop()
  })

  test('rejects private networks, follows no redirects, and sends clients only to the provider', async () => {
    expect(() => place.connected({ url: 'https://169.254.169.254' })).toThrow('private')
    expect(() => place.connected({ url: 'https://[::1]:1' })).not.toThrow()
    let followed = 0
    const lying = createServer((asked, response) => {
      if (asked.method === 'GET' && asked.url?.startsWith('/v1')) response.writeHead(302, { location: '/elsewhere' })
      else if (asked.url === '/elsewhere') followed += 1
      response.end('{"hostedCheckoutId":"1","partialRedirectUrl":"evil.example/checkout"}')
    })
    const adapter = place.connected({}, await listenOnFreePort(lying))
    await expect(adapter.getStatus('none')).rejects.toThrow(Unavailable)
    await expect(adapter.createCheckout(checkoutRequest())).rejects.toThrow('not its own')
    expect(followed).toBe(0)
    adapter.close()
    lying.closeAllConnections()
    lying.close()
  })
})

/** Returns a product's error for the body of a new checkout. */
async function refusalOf(simulator: RunningSimulator, version: string, body: object): Promise<string> {
  const path = `/${version}/1234/hostedcheckouts`
  const date = new Date().toUTCString()
  const contentType = 'application/json'
  const signed = { method: 'POST', contentType, date, path, headers: {} }
  const answer = await fetch(`http://127.0.0.1:${simulator.port}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      date,
      'content-type': contentType,
      authorization: authorization('simulator-key', 'simulator-api-secret', signed),
    },
  })
  const { errors } = (await answer.json()) as { errors: { message: string }[] }
  return errors[0]?.message ?? ''
}
