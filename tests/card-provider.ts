/** The simulated card provider: its connection to a server, and its webhooks. */
import { createHmac, randomUUID } from 'node:crypto'
import { money } from '#rules/money.ts'
import type { CardKind } from '#server/integrations/card-provider/payment-provider.ts'
import { startSimulator, type RunningSimulator } from './start-simulator.ts'
import type { TestServer, TestServerOptions } from './factories.ts'
import { startServerWithPlatform, type ServerWithPlatform } from './funded-account.ts'

export const cardWebhook = { key: 'simulator-webhook-key', secret: 'simulator-webhook-secret' }

/** Returns the environment of a server that is connected to this provider, with the protocol of one of its products. */
export function cardEnv(
  cards: Pick<RunningSimulator, 'port'>,
  kind: CardKind = 'worldline-connect',
): Record<string, string> {
  return {
    CARD_KIND: kind,
    ...(kind === 'worldline-direct' && { CARD_PRODUCTS: '114:1,119:3' }),
    CARD_URL: `http://127.0.0.1:${cards.port}`,
    CARD_MERCHANT: '1234',
    CARD_KEY: 'simulator-key',
    CARD_SECRET: 'simulator-api-secret',
    CARD_ASTROPAY_PRODUCT: '9001',
    CARD_WEBHOOK_KEY: cardWebhook.key,
    CARD_WEBHOOK_SECRET: cardWebhook.secret,
  }
}

export interface ServerWithCards extends ServerWithPlatform {
  readonly cards: RunningSimulator
}

/** Starts a server with simulators of a trading platform and of the card provider. */
export async function startServerWithCards(options: TestServerOptions = {}): Promise<ServerWithCards> {
  const cards = await startSimulator('card-provider')
  const place = await startServerWithPlatform({ ...options, env: { ...cardEnv(cards), ...options.env } })
  return { ...place, cards, stop: () => place.stop().finally(() => cards.stop()) }
}

/** Makes a paid checkout of 100.00 EUR at the provider under this merchant reference, without a row. Returns its id. */
export async function makePaidCheckout(server: TestServer, cards: RunningSimulator, ref: string): Promise<string> {
  const made = await server.dependencies.cards?.createCheckout({
    ref,
    amount: money(10_000n, 'EUR'),
    country: 'DE',
    returnUrl: 'http://localhost:3000/return',
  })
  const id = made?.providerId ?? ''
  await cards.turn('act', { id, action: 'pay' })
  return id
}

interface WebhookTraits {
  readonly keyId?: string
  readonly secret?: string
  /** The subject of the event, instead of a payment of the checkout. */
  readonly about?: object
  /** The body to send instead of the one that was signed. */
  readonly body?: string
}

/** Sends a webhook signed like the provider's, about a captured payment of a checkout. Returns the HTTP status. */
export async function sendWebhook(server: TestServer, providerId: string, sent: WebhookTraits = {}): Promise<number> {
  const signed = JSON.stringify({
    id: randomUUID(),
    created: server.clock.now().toISOString().replace('Z', '+0000'),
    merchantId: '1234',
    type: 'payment.captured',
    ...(sent.about ?? { payment: { hostedCheckoutSpecificOutput: { hostedCheckoutId: providerId } } }),
  })
  const hmac = createHmac('sha256', sent.secret ?? cardWebhook.secret).update(signed)
  const headers = {
    'content-type': 'application/json',
    'x-gcs-keyid': sent.keyId ?? cardWebhook.key,
    'x-gcs-signature': hmac.digest('base64'),
  }
  const body = sent.body ?? signed
  return (await fetch(`${server.url}/api/webhooks/card`, { method: 'POST', body, headers })).status
}
