/** Required behaviour of every product of the card provider: one list of cases, run with the simulator of each. */
import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  cardKeys,
  checkoutRequest,
  hundredEuro,
  submitProviderPage,
  startCardContract,
  type CardContract,
} from '../../../../tests/card-contract.ts'
import { Deferred } from '../../errors.ts'
import type { RunningSimulator } from '#tests/start-simulator.ts'
import {
  cardKinds,
  Rejected,
  totalReturned,
  Unavailable,
  Unknown,
  WebhookRefused,
  type ProviderCheckout,
  type CheckoutStatus,
  type PaymentProvider,
} from '../payment-provider.ts'

describe.each(cardKinds)('%s:', (kind) => {
  let place: CardContract
  let simulator: RunningSimulator
  let provider: PaymentProvider

  beforeAll(async () => {
    place = await startCardContract(kind)
    simulator = place.simulator
    provider = place.connected()
  })
  afterEach(() => simulator.turn('reset'))
  afterAll(async () => {
    provider.close()
    await simulator.stop()
    await place.stop()
  })

  async function opened(): Promise<ProviderCheckout> {
    const { providerId } = await provider.createCheckout(checkoutRequest())
    return { providerId, paymentId: null }
  }

  describe('a checkout', () => {
    test('is opened for an amount, a reference and products, and a repeated request returns the same one', async () => {
      const asked = checkoutRequest()
      const first = await provider.createCheckout(asked)
      expect(await provider.createCheckout(asked)).toEqual(first)
      expect(await provider.getStatus(first.providerId)).toEqual({ state: 'open' })
      const kept = await simulator.read<object[]>(`checkouts?ref=${asked.ref}`)
      expect(kept).toMatchObject([{ amount: 10_000, currency: 'EUR', products: [1, 114], country: 'DE' }])
    })

    test('is paid on its page, and returns with the code that was issued when it was opened', async () => {
      const asked = checkoutRequest()
      const { providerId, redirectUrl, returnMac } = await provider.createCheckout(asked)
      const page = await (await fetch(redirectUrl)).text()
      expect(page).toContain('Card provider simulator')
      expect(page).toContain('€100.00')
      const back = await submitProviderPage(redirectUrl, { action: 'pay' })
      const returned = new URL(back.headers.get('location') ?? '')
      expect(returned.searchParams.get('REF')).toBe('D-TEST')
      expect(returned.searchParams.get('RETURNMAC')).toBe(returnMac)
      expect(returned.searchParams.get('hostedCheckoutId')).toBe(providerId)
      const status = await provider.getStatus(providerId)
      const { paymentId } = status
      expect(status).toEqual({ state: 'paid', amount: hundredEuro, ref: asked.ref, paymentId, back: [] })
      expect(await provider.getStatus('gone', status.paymentId)).toEqual(status)
      expect((await submitProviderPage(redirectUrl, { action: 'pay' })).status).toBe(410)
    })

    test('is paid after 3-D Secure only with the correct code', async () => {
      for (const [code, state] of [
        ['123456', 'paid'],
        ['000000', 'failed'],
      ] as const) {
        const { providerId, redirectUrl } = await provider.createCheckout(checkoutRequest({ language: 'de' }))
        const challenge = await submitProviderPage(redirectUrl, { action: 'challenge' })
        expect(await challenge.text()).toContain('Einmalcode')
        await submitProviderPage(redirectUrl, { button: 'confirm', code })
        expect(await provider.getStatus(providerId)).toMatchObject({ state })
      }
    })

    test.each([
      ['decline', 'failed'],
      ['cancel', 'cancelled'],
      ['pend', 'pending'],
      ['close', 'paid'],
    ])('on whose page the client chooses %s becomes %s', async (action, state) => {
      const { providerId, redirectUrl } = await provider.createCheckout(checkoutRequest())
      await submitProviderPage(redirectUrl, { action })
      expect(await provider.getStatus(providerId)).toMatchObject({ state })
    })

    test('whose capture is queued counts as paid, or as pending if only captured money is credited', async () => {
      const careful = place.connected({ creditAt: 'captured' }, simulator.port)
      const { providerId } = await provider.createCheckout(checkoutRequest())
      await simulator.turn('act', { id: providerId, action: 'request-capture' })
      expect(await provider.getStatus(providerId)).toMatchObject({ state: 'paid' })
      expect(await careful.getStatus(providerId)).toMatchObject({ state: 'pending' })
      await simulator.turn('act', { id: providerId, action: 'pay' })
      expect(await careful.getStatus(providerId)).toMatchObject({ state: 'paid' })
      careful.close()
    })

    test.each([
      ['await-payment', 'pending'],
      ['await-fraud-check', 'pending'],
      ['verify', 'failed'],
    ])('after the provider’s action %s is %s', async (action, state) => {
      const { providerId } = await provider.createCheckout(checkoutRequest())
      await simulator.turn('act', { id: providerId, action })
      expect(await provider.getStatus(providerId)).toMatchObject({ state, back: [] })
    })

    test('that was declined has a reason', async () => {
      const { providerId } = await provider.createCheckout(checkoutRequest())
      await simulator.turn('act', { id: providerId, action: 'decline' })
      expect(await provider.getStatus(providerId)).toMatchObject({ reason: 'Not authorised by the bank' })
    })

    test('whose response is lost is still opened only once', async () => {
      const asked = checkoutRequest()
      await simulator.turn('drop-after')
      await provider.createCheckout(asked)
      await simulator.turn('drop-before')
      await provider.createCheckout(checkoutRequest())
      expect(await simulator.read(`checkouts?ref=${asked.ref}`)).toHaveLength(1)
    })

    test('fails as unavailable while the provider fails, and as rejected if the provider rejects it', async () => {
      await simulator.turn('refuse', { status: 500, count: 2 })
      await expect(provider.createCheckout(checkoutRequest())).rejects.toThrow(Unavailable)
      await simulator.turn('garble', { kind: 'half', count: 2 })
      await expect(provider.createCheckout(checkoutRequest())).rejects.toThrow(Unavailable)
      await simulator.turn('refuse', { status: 400 })
      await expect(provider.createCheckout(checkoutRequest())).rejects.toThrow(Rejected)
      await simulator.turn('drop-before', { count: 2 })
      await expect(provider.createCheckout(checkoutRequest())).rejects.toThrow(Unavailable)
      await simulator.turn('garble', { kind: 'html', path: '/' })
      await expect(provider.getStatus('none')).rejects.toThrow(Unavailable)
    })

    test('survives a restart of the provider', async () => {
      const { providerId } = await provider.createCheckout(checkoutRequest())
      await simulator.turn('act', { id: providerId, action: 'pay' })
      provider.close()
      simulator = await simulator.restart()
      provider = place.connected({}, simulator.port)
      expect(await provider.getStatus(providerId)).toMatchObject({ state: 'paid' })
    })
  })

  describe('a refund', () => {
    test('is made once for one key, and never exceeds the amount paid', async () => {
      const of = await opened()
      await expect(provider.refund(of, hundredEuro, 'R-1')).rejects.toMatchObject({ reason: 'not-found' })
      await simulator.turn('act', { id: of.providerId, action: 'pay' })
      const sixty = { minor: 6_000n, currency: 'EUR' } as const
      const { refundId: id } = await provider.refund(of, sixty, `R-${of.providerId}`)
      expect(await provider.refund(of, sixty, `R-${of.providerId}`)).toMatchObject({ refundId: id })
      const status = await provider.getStatus(of.providerId)
      expect(status).toMatchObject({
        state: 'paid',
        amount: hundredEuro,
        back: [{ id, kind: 'refunded', amount: sixty }],
      })
      await expect(provider.refund(of, sixty, `S-${of.providerId}`)).rejects.toThrow(Rejected)
      // The checkout is not queried if the payment is known.
      const known = { providerId: 'gone', paymentId: status.paymentId ?? null }
      await provider.refund(known, { minor: 4_000n, currency: 'EUR' }, `T-${of.providerId}`)
      expect(sumOf(await provider.getStatus(of.providerId))).toBe(10_000n)
    })

    test('whose response is lost twice has an unknown outcome, and is found by its key', async () => {
      const of = await opened()
      await simulator.turn('act', { id: of.providerId, action: 'pay' })
      await simulator.turn('drop-after', { count: 2 })
      const key = `U-${of.providerId}`
      await expect(provider.refund(of, hundredEuro, key)).rejects.toThrow(Unknown)
      expect((await provider.refund(of, hundredEuro, key)).refundId).not.toBe('')
    })

    test('has an unknown outcome if its response is lost and a proxy rejects the repeated request', async () => {
      const of = await opened()
      await simulator.turn('act', { id: of.providerId, action: 'pay' })
      await simulator.turn('drop-after')
      await simulator.turn('garble', { kind: 'proxy' })
      await expect(provider.refund(of, hundredEuro, `P-${of.providerId}`)).rejects.toThrow(Unknown)
      expect(sumOf(await provider.getStatus(of.providerId))).toBe(10_000n)
    })

    test.each([
      ['REFUND_REQUESTED', 'open'],
      ['PENDING_APPROVAL', 'open'],
      ['REJECTED', 'failed'],
      ['CANCELLED', 'failed'],
      ['REFUNDED', 'settled'],
    ])('answered with %s is %s, and is found by our reference', async (status, state) => {
      const of = await opened()
      await simulator.turn('act', { id: of.providerId, action: 'pay' })
      await simulator.turn('refunds', { status })
      expect(await provider.findRefund(of, `V-${of.providerId}`)).toBeNull()
      const made = await provider.refund(of, hundredEuro, `V-${of.providerId}`)
      expect(made).toMatchObject({ state, status })
      expect(await provider.findRefund(of, `V-${of.providerId}`)).toEqual(made)
      expect(await provider.findRefund(of, 'other')).toBeNull()
      expect(sumOf(await provider.getStatus(of.providerId))).toBe(state === 'settled' ? 10_000n : 0n)
    })

    test('made by the provider’s staff counts once it is settled, under its own id', async () => {
      const { providerId } = await opened()
      await simulator.turn('act', { id: providerId, action: 'pay' })
      await simulator.turn('act', { id: providerId, action: 'request-refund', amount: 4_000 })
      expect(await provider.getStatus(providerId)).toMatchObject({ state: 'paid', back: [] })
      await simulator.turn('act', { id: providerId, action: 'settle-refund' })
      await simulator.turn('act', { id: providerId, action: 'refund', amount: 1_000 })
      const status = await provider.getStatus(providerId)
      expect(sumOf(status)).toBe(5_000n)
      expect(new Set(status.amount && status.back.map(({ id }) => id)).size).toBe(2)
      expect(status).not.toHaveProperty('claimedBack')
    })

    test('leaves the status unavailable if the list of refunds cannot be read', async () => {
      const { providerId } = await opened()
      await simulator.turn('act', { id: providerId, action: 'pay' })
      const { paymentId = '' } = await provider.getStatus(providerId)
      const path = `/${kind === 'worldline-connect' ? 'v1' : 'v2'}/1234/payments/${paymentId}/refunds`
      await simulator.turn('refuse', { status: 500, path })
      await expect(provider.getStatus(providerId, paymentId)).rejects.toThrow(Unavailable)
      expect(await provider.getStatus(providerId, paymentId)).toMatchObject({ state: 'paid', back: [] })
    })

    const lists = kind === 'worldline-connect' ? (['refunds'] as const) : (['refunds', 'details'] as const)
    test.each(lists)('is not missing because the provider does not have the %s of a payment', async (list) => {
      const { providerId } = await opened()
      await simulator.turn('act', { id: providerId, action: 'pay' })
      await simulator.turn('act', { id: providerId, action: 'refund', amount: 4_000 })
      const { paymentId = '' } = await provider.getStatus(providerId)
      const path = `/${kind === 'worldline-connect' ? 'v1' : 'v2'}/1234/payments/${paymentId}/${list}`
      await simulator.turn('refuse', { status: 404, path })
      await expect(provider.getStatus(providerId, paymentId)).rejects.toThrow(Deferred)
      expect(await provider.getStatus(providerId, paymentId)).toMatchObject({ back: [{ amount: { minor: 4_000n } }] })
    })

    test('that was rejected is named', async () => {
      const { providerId } = await opened()
      await simulator.turn('act', { id: providerId, action: 'pay' })
      await simulator.turn('act', { id: providerId, action: 'request-refund' })
      expect(await provider.getStatus(providerId)).not.toHaveProperty('failedRefunds')
      await simulator.turn('act', { id: providerId, action: 'reject-refund' })
      const status = await provider.getStatus(providerId)
      expect(status).toMatchObject({ back: [], failedRefunds: [expect.any(String)] })
      expect(status).not.toHaveProperty('isRefundOpen')
    })

    test('and a chargeback are reported separately, each under its own id', async () => {
      const { providerId } = await opened()
      await simulator.turn('act', { id: providerId, action: 'pay' })
      await simulator.turn('act', { id: providerId, action: 'refund', amount: 4_000 })
      await simulator.turn('act', { id: providerId, action: 'chargeback', amount: 6_000 })
      const status = await provider.getStatus(providerId)
      expect(status).toMatchObject({
        state: 'charged_back',
        back: [
          { kind: 'refunded', amount: { minor: 4_000n } },
          { kind: 'charged_back', amount: { minor: 6_000n } },
        ],
      })
      expect(status).not.toHaveProperty('claimedBack')
    })
  })

  describe('a webhook', () => {
    test('identifies the checkout whose status is to be read', async () => {
      const asked = checkoutRequest()
      const { providerId } = await provider.createCheckout(asked)
      await simulator.turn('act', { id: providerId, action: 'pay' })
      const { raw, headers } = await place.nextWebhook(providerId)
      const hint = await provider.parseWebhook(raw, headers)
      expect(hint).toMatchObject({ providerId, ref: asked.ref, type: 'payment.paid' })
      await simulator.turn('act', { id: providerId, action: 'chargeback' })
      const second = await place.nextWebhook(providerId)
      expect((await provider.parseWebhook(second.raw, second.headers)).eventId).not.toBe(hint.eventId)
      expect(await provider.getStatus(providerId)).toMatchObject({ state: 'charged_back' })
    })

    test('is accepted only with a valid signature over its exact bytes, for this merchant, whatever its age', async () => {
      const { providerId } = await provider.createCheckout(checkoutRequest())
      await simulator.turn('act', { id: providerId, action: 'pay' })
      const { raw, headers } = await place.nextWebhook(providerId)
      const spaced = Buffer.from(JSON.stringify(JSON.parse(raw.toString()), null, 1))
      const signed = (body: object) => {
        const bytes = Buffer.from(JSON.stringify({ ...(JSON.parse(raw.toString()) as object), ...body }))
        const signature = createHmac('sha256', cardKeys.webhookSecret).update(bytes).digest('base64')
        return provider.parseWebhook(bytes, { ...headers, 'x-gcs-signature': signature })
      }
      await expect(provider.parseWebhook(spaced, headers)).rejects.toThrow(WebhookRefused)
      await expect(provider.parseWebhook(raw, { ...headers, 'x-gcs-keyid': 'other' })).rejects.toThrow(WebhookRefused)
      await expect(provider.parseWebhook(raw, {})).rejects.toThrow(WebhookRefused)
      await expect(signed({ merchantId: '99' })).rejects.toThrow(WebhookRefused)
      expect((await signed({ created: '2020-01-01T00:00:00.000+0000' })).providerId).toBe(providerId)
    })

    test('signed with the previous key is accepted while that key is set, and only with its own secret', async () => {
      const { providerId } = await provider.createCheckout(checkoutRequest())
      await simulator.turn('act', { id: providerId, action: 'pay' })
      const { raw, headers } = await place.nextWebhook(providerId)
      const { webhookKey: key, webhookSecret: secret } = cardKeys
      const next = { webhookKey: 'next-key', webhookSecret: 'next-secret' }
      const changing = place.connected({ ...next, previousWebhook: { key, secret } })
      expect((await changing.parseWebhook(raw, headers)).providerId).toBe(providerId)
      const mixed = { ...headers, 'x-gcs-keyid': 'next-key' }
      await expect(changing.parseWebhook(raw, mixed)).rejects.toThrow(WebhookRefused)
      changing.close()
      const changed = place.connected(next)
      await expect(changed.parseWebhook(raw, headers)).rejects.toThrow(WebhookRefused)
      changed.close()
    })

    test('can be simulated in reverse order, twice and with an invalid signature, which is rejected', async () => {
      const { providerId } = await provider.createCheckout(checkoutRequest())
      await simulator.turn('webhooks', { hold: true, reverse: true })
      await simulator.turn('act', { id: providerId, action: 'pend' })
      await simulator.turn('act', { id: providerId, action: 'pay' })
      await simulator.turn('webhooks/release')
      const types = [await place.nextWebhook(providerId), await place.nextWebhook(providerId)].map(
        ({ raw }) => (JSON.parse(raw.toString()) as { type: string }).type,
      )
      expect(types).toEqual(['payment.paid', 'payment.redirected'])
      await simulator.turn('webhooks', { copies: 2, bad: true })
      await simulator.turn('act', { id: providerId, action: 'chargeback' })
      for (const { raw, headers } of [await place.nextWebhook(providerId), await place.nextWebhook(providerId)]) {
        await expect(provider.parseWebhook(raw, headers)).rejects.toThrow(WebhookRefused)
      }
    })
  })
})

/** Returns the returned total, in minor units. */
function sumOf(status: CheckoutStatus): bigint {
  return status.amount === undefined ? 0n : totalReturned(status.back)
}
