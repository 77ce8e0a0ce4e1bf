/** The adapter and the simulator of one of the card provider's products, for the contract tests. */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach } from 'vitest'
import type { CardKind, CheckoutRequest, PaymentProvider } from '#server/integrations/card-provider/payment-provider.ts'
import { worldline, type WorldlineOptions } from '#server/integrations/card-provider/worldline/worldline.ts'
import { startSimulator, type RunningSimulator } from './start-simulator.ts'
import { deferredObject, startForFile } from './for-file.ts'

export const cardKeys = {
  merchant: '1234',
  key: 'simulator-key',
  secret: 'simulator-api-secret',
  webhookKey: 'simulator-webhook-key',
  webhookSecret: 'simulator-webhook-secret',
}
export const hundredEuro = { minor: 10_000n, currency: 'EUR' } as const

export interface ReceivedWebhook {
  readonly raw: Buffer
  readonly headers: IncomingMessage['headers']
}

export interface CardContract {
  readonly simulator: RunningSimulator
  /** The address that receives the simulator's webhooks. */
  readonly webhookUrl: string
  connected(options?: Partial<WorldlineOptions>, port?: number): PaymentProvider
  /** Returns the first webhook with this text that was not returned before. */
  nextWebhook(text: string): Promise<ReceivedWebhook>
  stop(): Promise<void>
}

/**
 * Starts one for the tests of a file or block, with a connected adapter; the simulator's switches are reset after each
 * test.
 */
export function cardContractForFile(kind: CardKind) {
  const started = startForFile(async () => {
    const place = await startCardContract(kind)
    const provider = place.connected()
    const stop = () => {
      provider.close()
      return place.stop()
    }
    return { place, provider, stop }
  })
  const [place, provider] = [deferredObject(() => started.place), deferredObject(() => started.provider)]
  const simulator = deferredObject(() => place.simulator)
  afterEach(() => simulator.turn('reset'))
  return { place, simulator, provider }
}

export async function startCardContract(kind: CardKind): Promise<CardContract> {
  const arrivals = new EventEmitter()
  const received: ReceivedWebhook[] = []
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ raw: Buffer.concat(chunks), headers: request.headers })
      arrivals.emit('webhook')
      response.end()
    })
  })
  const webhookUrl = `http://127.0.0.1:${await listenOnFreePort(receiver)}/webhook`
  // Connect sends to the address registered on its own pages; Direct to that of each checkout.
  const simulator = await startSimulator(
    'card-provider',
    kind === 'worldline-connect' ? { KIND: 'connect', WEBHOOK_URL: webhookUrl } : { KIND: 'direct' },
  )
  return {
    simulator,
    webhookUrl,
    connected: (options = {}, port = simulator.port) =>
      worldline({ kind, url: `http://127.0.0.1:${port}`, webhookUrl, ...cardKeys, ...options }),
    async nextWebhook(text) {
      for (;;) {
        const index = received.findIndex(({ raw }) => raw.includes(text))
        const [webhook] = index < 0 ? [] : received.splice(index, 1)
        if (webhook !== undefined) return webhook
        await once(arrivals, 'webhook')
      }
    },
    async stop() {
      receiver.closeAllConnections()
      receiver.close()
      await simulator.stop()
    },
  }
}

let number = 0

/** Returns a checkout of 100.00 EUR with its own reference. */
export function checkoutRequest(change: Partial<CheckoutRequest> = {}): CheckoutRequest {
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

/** Submits the form of the provider's page. */
export function submitProviderPage(redirectUrl: string, form: Record<string, string>): Promise<Response> {
  return fetch(redirectUrl, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
}

export function listenOnFreePort(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('No port was bound'))
      else resolve(address.port)
    })
  })
}
