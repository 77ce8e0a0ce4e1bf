/** Webhooks: signed, and sent as a switch defines: late, twice, out of order, with an old date, badly signed. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../process/clock.ts'
import { numberField, type Fields } from '../process/http.ts'
import { paymentRecord, refundRecord, type PaymentData } from './records.ts'
import type { Checkout, Operation } from './checkout.ts'
import { webhookSignature, type Keys } from './signature.ts'

const retryMs = [10_000, 60_000, 600_000]
const verification = 'X-GCS-Webhooks-Endpoint-Verification'
const sentMax = 10_000

interface Delivery {
  readonly id: string
  readonly checkout: string
  readonly type: string
  readonly url: string
  readonly body: Buffer
  /** The response to each attempt: a status, or 0 for no response. */
  readonly answers: number[]
}

interface WebhookOptions {
  readonly keys: Keys
  readonly merchant: string
  readonly url: string | undefined
  readonly clock: Clock
}

/** Returns the subject of an event. Direct reports a refund itself, under its own id and reference. */
export function subjectOf(data: PaymentData, operation: Operation | null): object {
  if (data.kind === 'direct' && operation?.kind === 'refund') return { refund: refundRecord(data, operation) }
  return { payment: paymentRecord(data) }
}

export class Webhooks {
  readonly #options: WebhookOptions
  #url: string | undefined
  manner: Fields = {}
  #held: Delivery[] = []
  readonly #sent: Delivery[] = []

  constructor(options: WebhookOptions) {
    this.#options = options
    this.#url = options.url
  }

  /** Registers an address for all webhooks once it has answered the verification, like the provider's own pages. */
  async register(url: string): Promise<boolean> {
    const value = randomUUID()
    const asked = {
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
      headers: { [verification]: value },
    } as const
    const answer = await fetch(url, asked).catch(() => null)
    const plain = answer?.headers.get('content-type')?.startsWith('text/plain') === true
    if (answer?.status !== 200 || !plain || (await answer.text()) !== value) return false
    this.#url = url
    return true
  }

  /** Connect sends to the registered address; Direct also to those of the checkout's request. */
  tell(type: string, checkout: Checkout, about: object): void {
    const entered = this.#url === undefined ? [] : [this.#url]
    for (const url of new Set([...entered, ...checkout.webhookUrls])) {
      const created = this.#options.clock.now() - (numberField(this.manner, 'ageSeconds') ?? 0) * 1000
      const event = {
        apiVersion: 'v1',
        id: randomUUID(),
        created: new Date(created).toISOString().replace('Z', '+0000'),
        merchantId: this.#options.merchant,
        type,
        ...about,
      }
      const body = Buffer.from(JSON.stringify(event))
      const delivery: Delivery = { id: event.id, checkout: checkout.id, type, url, body, answers: [] }
      if (this.manner.hold === true) this.#held.push(delivery)
      else this.#later(delivery, numberField(this.manner, 'delayMs') ?? 0)
    }
  }

  /** Sends the last webhook of a checkout once more: the same event, byte by byte. */
  async again(checkout: string): Promise<number> {
    const last = this.#sent.findLast((delivery) => delivery.checkout === checkout)
    return last === undefined ? 0 : this.#post(last)
  }

  /** Sends held webhooks, and returns once they are answered. */
  async release(): Promise<number> {
    const held = this.manner.reverse === true ? this.#held.toReversed() : this.#held
    this.#held = []
    for (const delivery of held) await this.#deliver(delivery)
    return held.length
  }

  list(checkout: string | null): unknown[] {
    return this.#sent
      .filter((delivery) => checkout === null || delivery.checkout === checkout)
      .map(({ body, ...shown }) => ({ ...shown, body: JSON.parse(body.toString('utf8')) as unknown }))
  }

  #later(delivery: Delivery, ms: number): void {
    setTimeout(() => void this.#deliver(delivery), ms)
  }

  async #deliver(delivery: Delivery): Promise<void> {
    if (!this.#sent.includes(delivery)) this.#sent.push(delivery)
    if (this.#sent.length > sentMax) this.#sent.shift()
    const copies = Math.max(1, numberField(this.manner, 'copies') ?? 1)
    const answers = await Promise.all(Array.from({ length: copies }, () => this.#post(delivery)))
    delivery.answers.push(...answers)
    const tries = delivery.answers.length / copies
    const again = answers.some((status) => status < 200 || status > 299) ? retryMs[Math.ceil(tries) - 1] : undefined
    if (again === undefined) return
    if (this.manner.hold === true) this.#held.push(delivery)
    else this.#later(delivery, again)
  }

  /** Returns the status of the response; 0 without one. */
  async #post({ url, body }: Delivery): Promise<number> {
    const secret = this.manner.bad === true ? 'another secret' : this.#options.keys.webhookSecret
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'X-GCS-KeyId': this.#options.keys.webhookKey,
          'X-GCS-Signature': webhookSignature(secret, body),
        },
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    }
  }
}
