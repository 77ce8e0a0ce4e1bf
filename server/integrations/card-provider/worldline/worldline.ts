/** The hosted checkout of Worldline Connect and of Worldline Direct (integrations, Card PSP). */
import type { Money } from '#rules/money.ts'
import { integrationUrl } from '../../address.ts'
import { callTimeoutMs, jsonObject } from '../../http-client.ts'
import { noCallCount, type CallCount } from '../../call-counts.ts'
import { Deferred, Rejected, silentLog, Unavailable, Unknown, type IntegrationLogger } from '../../errors.ts'
import {
  WebhookRefused,
  type ProviderCheckout,
  type CardKind,
  type CheckoutRequest,
  type CheckoutStatus,
  type CreditMoment,
  type PaymentProvider,
  type Refund,
  type StatusWithAmount,
  type WebhookHint,
} from '../payment-provider.ts'
import {
  checkoutAnswer,
  createdCheckout,
  idPattern,
  paymentAnswer,
  paymentDetails,
  referenceIn,
  refundAnswer,
  refundList,
  webhookBody,
} from './answers.ts'
import { WorldlineCalls } from './calls.ts'
import { moneyBackOf, refundState } from './money-back.ts'
import { productLines, type ProductLine } from './product-lines.ts'
import { isSignatureOf } from './signature.ts'
import { checkoutState, isMoneyTaken, paymentStatusOf } from './statuses.ts'

const webhookBytesMax = 100_000

export interface WorldlineOptions {
  kind?: CardKind
  /** https://eu.api-ingenico.com, https://payment.direct.worldline-solutions.com or the firm's own endpoint. */
  url: string
  merchant: string
  key: string
  secret: string
  webhookKey: string
  webhookSecret: string
  /** The key before, whose webhooks are still accepted. */
  previousWebhook?: { readonly key: string; readonly secret: string }
  /** The address for webhooks, for the product that receives it with each checkout. */
  webhookUrl: string
  creditAt?: CreditMoment
  ca?: string
  timeoutMs?: number
  log?: IntegrationLogger
  calls?: CallCount
}

export function worldline(options: WorldlineOptions): PaymentProvider {
  return new Worldline(options)
}

class Worldline implements PaymentProvider {
  readonly #options: WorldlineOptions
  readonly #url: URL
  readonly #product: ProductLine
  readonly #calls: WorldlineCalls

  constructor(options: WorldlineOptions) {
    this.#options = options
    this.#url = integrationUrl(options.url, "The card provider's address")
    this.#product = productLines[options.kind ?? 'worldline-connect']
    const { key, secret, merchant, ca } = options
    this.#calls = new WorldlineCalls({
      url: this.#url,
      root: `/${this.#product.version}/${encodeURIComponent(merchant)}`,
      key,
      secret,
      timeoutMs: options.timeoutMs ?? callTimeoutMs,
      log: options.log ?? silentLog,
      calls: options.calls ?? noCallCount,
      ...(ca !== undefined && { ca }),
    })
  }

  get closesCheckouts(): boolean {
    return this.#product.closesCheckouts
  }

  get allowsSeveralPayments(): boolean {
    return this.#product.allowsSeveralPayments
  }

  async createCheckout(
    request: CheckoutRequest,
  ): Promise<{ providerId: string; redirectUrl: string; returnMac?: string }> {
    const body = this.#product.checkoutBody(request, this.#options.webhookUrl)
    const created = createdCheckout.safeParse(await this.#calls.repeatable('/hostedcheckouts', body, request.ref))
    if (!created.success) throw new Unavailable('The card provider returned no checkout')
    return {
      providerId: created.data.hostedCheckoutId,
      redirectUrl: this.#pageUrl(this.#product.redirectUrl(created.data, this.#url.protocol)),
      ...(typeof created.data.RETURNMAC === 'string' && { returnMac: created.data.RETURNMAC }),
    }
  }

  async getStatus(providerId: string, paymentId: string | null = null): Promise<CheckoutStatus> {
    const answer = await this.#calls.read(paymentId === null ? checkoutPath(providerId) : paymentPath(paymentId))
    if (answer === null) return { state: 'expired' }
    const found = paymentId === null ? stateIn(answer) : paymentIn(answer)
    if (found === null) throw new Deferred('The card provider returned no status')
    if ('state' in found) return found
    const { back, ...refunds } = isMoneyTaken(found.status) ? await this.#wentBack(found) : { back: [] }
    const status = paymentStatusOf(found, back, this.#options.creditAt ?? 'capture_requested')
    return status.amount ? { ...status, ...refunds } : status
  }

  /** Reads the records of returned money. The payment's own fields are never posted (ADR 203). */
  async #wentBack(payment: Payment): Promise<Pick<StatusWithAmount, 'back' | 'isRefundOpen' | 'failedRefunds'>> {
    const path = paymentPath(payment.id)
    const refunds = await this.#refundsOf(path)
    let operations = payment.paymentOutput.operations ?? []
    if (this.#product.operations === 'details') {
      const details = paymentDetails.safeParse(await this.#calls.read(`${path}/details`))
      if (!details.success) throw new Deferred('The card provider returned no details of a payment')
      operations = details.data.Operations ?? []
    }
    const failed = refunds.filter(({ status }) => refundState(status) === 'failed')
    return {
      back: moneyBackOf(payment, refunds, operations),
      ...(refunds.some(({ status }) => refundState(status) === 'open') && { isRefundOpen: true }),
      ...(failed.length > 0 && { failedRefunds: failed.map(({ id }) => id) }),
    }
  }

  /** Returns the payment's refunds. A list that the provider does not have is not read as an empty one. */
  async #refundsOf(path: string) {
    const list = refundList.safeParse(await this.#calls.read(`${path}/refunds`))
    if (!list.success) throw new Deferred('The card provider returned no list of refunds')
    return list.data.refunds ?? []
  }

  async closeCheckout(providerId: string): Promise<void> {
    if (this.closesCheckouts) await this.#calls.remove(checkoutPath(providerId))
  }

  async refund(of: ProviderCheckout, amount: Money, key: string): Promise<Refund> {
    const path = await this.#pathOf(of)
    const body = this.#product.refundBody(amount, key)
    const refunded = refundAnswer.safeParse(await this.#calls.once(`${path}/refund`, body, key))
    if (!refunded.success) throw new Unknown('The card provider returned no refund')
    return refundOf(refunded.data)
  }

  async findRefund(of: ProviderCheckout, key: string): Promise<Refund | null> {
    const refunds = await this.#refundsOf(await this.#pathOf(of))
    const referenceOf = ({ refundOutput }: (typeof refunds)[number]) => refundOutput.references?.merchantReference
    const own =
      refunds.find((one) => referenceOf(one) === key) ??
      // It may be ours, so nothing is requested before it has ended.
      refunds.find((one) => !referenceOf(one) && refundState(one.status) === 'open')
    return own ? refundOf(own) : null
  }

  async #pathOf({ providerId, paymentId }: ProviderCheckout): Promise<string> {
    return paymentPath(paymentId ?? (await this.#paymentOf(providerId)))
  }

  async #paymentOf(providerId: string): Promise<string> {
    const found = stateIn((await this.#calls.read(checkoutPath(providerId))) ?? {})
    if (found === null || 'state' in found)
      throw new Rejected('not-found', 'card:no-payment', 'The checkout has no payment')
    return found.id
  }

  async parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<WebhookHint> {
    const { webhookKey, webhookSecret, previousWebhook, merchant } = this.#options
    const keyId = headerText(headers, 'x-gcs-keyid')
    const current = { key: webhookKey, secret: webhookSecret }
    const used = [current, previousWebhook].find((one) => one?.key === keyId)
    const signature = headerText(headers, 'x-gcs-signature')
    const signed = raw.length <= webhookBytesMax && used !== undefined && isSignatureOf(signature, used.secret, raw)
    if (!signed) throw new WebhookRefused('Not signed by the card provider')
    const body = webhookBody.safeParse(jsonObject(raw))
    if (!body.success || body.data.merchantId !== merchant) throw new WebhookRefused('Not a webhook for this merchant')
    const { payment, refund } = body.data
    return {
      eventId: body.data.id,
      providerId: payment?.hostedCheckoutSpecificOutput?.hostedCheckoutId ?? '',
      paymentId: this.#product.paymentIdOf({ payment: payment?.id, refund: refund?.id }),
      ref: referenceIn(body.data),
      type: body.data.type,
    }
  }

  close(): void {
    this.#calls.close()
  }

  /**
   * Returns the address of the payment page: a host of the provider's, never one made up in a response (ASVS 3.7.2).
   */
  #pageUrl(text: string): string {
    const redirect = URL.canParse(text) ? new URL(text) : null
    const trusted =
      redirect !== null &&
      redirect.username === '' &&
      redirect.protocol === this.#url.protocol &&
      (this.#url.protocol === 'http:' ? redirect.host === this.#url.host : this.#product.isPageHost(redirect.hostname))
    if (!trusted) throw new Unavailable('The card provider returned an address that is not its own')
    return redirect.href
  }
}

type Payment = Exclude<ReturnType<typeof paymentIn>, null>

function stateIn(answer: unknown): CheckoutStatus | Payment | null {
  const known = checkoutAnswer.safeParse(answer)
  return known.success ? checkoutState(known.data) : null
}

function paymentIn(answer: unknown) {
  const known = paymentAnswer.safeParse(answer)
  return known.success ? known.data : null
}

function refundOf({ id, status }: { id: string; status: string }): Refund {
  return { refundId: id, state: refundState(status), status }
}

function checkoutPath(providerId: string): string {
  if (!idPattern.test(providerId)) throw new Rejected('not-found', 'card:404', 'Not a checkout ID')
  return `/hostedcheckouts/${encodeURIComponent(providerId)}`
}

function paymentPath(paymentId: string): string {
  return `/payments/${encodeURIComponent(paymentId)}`
}

function headerText(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string {
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : ''
}
