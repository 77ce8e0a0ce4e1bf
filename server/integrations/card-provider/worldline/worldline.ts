/** Worldline Connect's hosted checkout (integrations, Card PSP). */
import { languageRows } from '#rules/choices.ts'
import type { Money } from '#rules/money.ts'
import { integrationUrl } from '../../address.ts'
import { jsonObject, httpClient, NotSent } from '../../http-client.ts'
import type { HttpResponse, HttpClient } from '../../http-client.ts'
import { Rejected, silentLog, Unavailable, Unknown } from '../../errors.ts'
import type { IntegrationLogger } from '../../errors.ts'
import { WebhookRefused } from '../payment-provider.ts'
import type {
  CheckoutRequest,
  CheckoutStatus,
  CreditMoment,
  PaymentProvider,
  WebhookHint,
} from '../payment-provider.ts'
import {
  checkoutAnswer,
  createdCheckout,
  errorAnswer,
  paymentAnswer,
  paymentStatusOf,
  referenceIn,
  refundAnswer,
  statusOf,
  webhookBody,
} from './answers.ts'
import { authorization, isSignatureOf } from './signature.ts'

const jsonType = 'application/json'
const connectionsMax = 20
const webhookBytesMax = 100_000
const redirectHostEnds = ['.worldline-solutions.com', '.secured-by-ingenico.com']
const idPattern = /^[A-Za-z0-9-]{1,80}$/
/**
 * A checkout that is not there. The vendor's documents say that 404 and 410 stand for what does not exist or was removed
 * (409 for a conflict), and that DELETE removes a checkout. They do not say how long a status may be asked for, nor what a
 * checkout that ran out, or was removed, answers then: that was tried against the simulator alone. Anyone who asks therefore
 * believes it only of a checkout whose page is over (`settle-checkout.ts`).
 */
const absentStatuses: readonly number[] = [404, 410]

export interface WorldlineOptions {
  /** https://eu.api-ingenico.com or whichever endpoint the firm was given. */
  url: string
  merchant: string
  key: string
  secret: string
  webhookKey: string
  webhookSecret: string
  creditAt?: CreditMoment
  ca?: string
  timeoutMs?: number
  log?: IntegrationLogger
}

export function worldline(options: WorldlineOptions): PaymentProvider {
  return new Worldline(options)
}

class Worldline implements PaymentProvider {
  readonly #options: WorldlineOptions
  readonly #url: URL
  readonly #line: HttpClient
  readonly #creditAt: CreditMoment
  readonly #log: IntegrationLogger

  constructor(options: WorldlineOptions) {
    this.#options = options
    this.#url = integrationUrl(options.url, "The card provider's address")
    this.#log = options.log ?? silentLog
    this.#creditAt = options.creditAt ?? 'capture_requested'
    this.#line = httpClient({
      url: this.#url,
      timeoutMs: options.timeoutMs ?? 10_000,
      connectionsMax,
      publicOnly: true,
      ...(options.ca !== undefined && { ca: options.ca }),
    })
  }

  async createCheckout(
    request: CheckoutRequest,
  ): Promise<{ providerId: string; redirectUrl: string; returnMac?: string }> {
    const body = {
      order: {
        amountOfMoney: moneyBody(request.amount),
        customer: { billingAddress: { countryCode: request.country } },
        references: { merchantReference: request.ref },
      },
      hostedCheckoutSpecificInput: {
        returnUrl: request.returnUrl,
        locale: languageRows[request.language ?? 'en'].locale.replace('-', '_'),
        showResultPage: false,
        // Without it a payment that its client cancelled on the page is told as one in progress.
        returnCancelState: true,
        ...(request.productIds && {
          paymentProductFilters: { restrictTo: { products: [...request.productIds] } },
        }),
      },
      cardPaymentMethodSpecificInput: { authorizationMode: 'SALE', requiresApproval: false },
    }
    const answer = await this.#repeatable(() => this.#post('/hostedcheckouts', body, request.ref))
    const created = createdCheckout.safeParse(answer)
    if (!created.success) throw new Unavailable('The card provider answered no checkout')
    return {
      providerId: created.data.hostedCheckoutId,
      redirectUrl: this.#redirectUrl(created.data.partialRedirectUrl),
      ...(created.data.RETURNMAC !== undefined && { returnMac: created.data.RETURNMAC }),
    }
  }

  async getStatus(providerId: string, paymentId: string | null = null): Promise<CheckoutStatus> {
    const path = paymentId === null ? checkoutPath(providerId) : `/payments/${encodeURIComponent(paymentId)}`
    const { status, answer } = await this.#read(path)
    if (absentStatuses.includes(status)) return { state: 'expired' }
    const state = paymentId === null ? this.#ofCheckout(answer) : this.#ofPayment(answer)
    if (state === null) throw new Unavailable('The card provider answered no status')
    return state
  }

  #ofCheckout(answer: unknown): CheckoutStatus | null {
    const known = checkoutAnswer.safeParse(answer)
    return known.success ? statusOf(known.data, this.#creditAt) : null
  }

  #ofPayment(answer: unknown): CheckoutStatus | null {
    const known = paymentAnswer.safeParse(answer)
    return known.success ? paymentStatusOf(known.data, this.#creditAt) : null
  }

  async closeCheckout(providerId: string): Promise<void> {
    const path = checkoutPath(providerId)
    const { status, body } = await this.#question(() => this.#send('DELETE', path, undefined, undefined))
    if (status >= 200 && status < 300) return
    // Without the provider's own error record it is some proxy's answer, and says nothing about the checkout.
    const error = errorAnswer.safeParse(jsonObject(body))
    const first = error.success ? error.data.errors?.[0] : undefined
    if (first === undefined || status >= 500) throw new Unavailable(`The card provider answered ${status}`)
    if (absentStatuses.includes(status)) return
    throw new Rejected('refused', `card:${first.code ?? status}`, first.message ?? 'No reason given')
  }

  async refund(providerId: string, amount: Money, key: string): Promise<{ refundId: string }> {
    const { answer } = await this.#read(checkoutPath(providerId))
    const known = checkoutAnswer.safeParse(answer)
    const payment = known.success ? known.data.createdPaymentOutput?.payment : undefined
    if (payment === undefined) throw new Rejected('not-found', 'card:no-payment', 'The checkout has no payment')
    const body = { amountOfMoney: moneyBody(amount), refundReferences: { merchantReference: key } }
    const path = `/payments/${encodeURIComponent(payment.id)}/refund`
    const refunded = refundAnswer.safeParse(await this.#once(() => this.#post(path, body, key)))
    if (!refunded.success) throw new Unknown('The card provider answered no refund')
    return { refundId: refunded.data.id }
  }

  async parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<WebhookHint> {
    const { webhookKey, webhookSecret, merchant } = this.#options
    const signature = headerText(headers, 'x-gcs-signature')
    const signed =
      raw.length <= webhookBytesMax &&
      headerText(headers, 'x-gcs-keyid') === webhookKey &&
      isSignatureOf(signature, webhookSecret, raw)
    if (!signed) throw new WebhookRefused('Not signed by the card provider')
    const body = webhookBody.safeParse(jsonObject(raw))
    if (!body.success || body.data.merchantId !== merchant) throw new WebhookRefused('Not a webhook for this merchant')
    return {
      eventId: body.data.id,
      providerId: body.data.payment?.hostedCheckoutSpecificOutput?.hostedCheckoutId ?? '',
      ref: referenceIn(body.data),
      type: body.data.type,
    }
  }

  close(): void {
    this.#line.close()
  }

  /** Where the client pays: a host of the provider's, never one that an answer made up (ASVS 3.7.2). */
  #redirectUrl(partial: string): string {
    const here = this.#url.protocol === 'http:'
    const text = `${here ? 'http://' : 'https://payment.'}${partial}`
    const redirect = URL.canParse(text) ? new URL(text) : null
    const trusted =
      redirect !== null &&
      redirect.username === '' &&
      (here ? redirect.host === this.#url.host : redirectHostEnds.some((end) => redirect.hostname.endsWith(end)))
    if (!trusted) throw new Unavailable('The card provider answered an address that is not its own')
    return redirect.href
  }

  async #read(path: string): Promise<{ status: number; answer: Record<string, unknown> | null }> {
    const { status, body } = await this.#question(() => this.#send('GET', path, undefined, undefined))
    const answer = jsonObject(body)
    // Without the provider's own error record it is some proxy's answer, and says nothing about what was asked.
    const absent = absentStatuses.includes(status) && Array.isArray(answer?.errors)
    if (status !== 200 && !absent) throw new Unavailable(`The card provider answered ${status}`)
    return { status, answer }
  }

  async #post(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    const { status, body: raw } = await this.#send('POST', path, Buffer.from(JSON.stringify(body)), key)
    const answer = jsonObject(raw)
    if (status >= 200 && status < 300 && answer !== null) return answer
    const error = errorAnswer.safeParse(answer)
    const first = error.success ? error.data.errors?.[0] : undefined
    const { code, message } = { code: first?.code ?? String(status), message: first?.message ?? 'No reason given' }
    if (status === 402) throw new Rejected('declined', `card:${code}`, message)
    const clearly = answer !== null && [400, 403, 404].includes(status)
    if (clearly) throw new Rejected('refused', `card:${code}`, message)
    throw new Unknown(`The card provider answered ${status}`)
  }

  /** Asking again under the same key answers the same; so one lost answer is asked for again at once. */
  async #once<Value>(ask: () => Promise<Value>): Promise<Value> {
    let sent = false
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask()
      } catch (error) {
        if (error instanceof Rejected) throw error
        sent ||= !(error instanceof NotSent)
        this.#log.warn({ attempt, problem: String(error) }, 'no response from the card provider')
        if (attempt < 2) continue
        throw sent ? new Unknown('The card provider gave no answer', error) : new Unavailable('Not sent', error)
      }
    }
  }

  /** For what does no harm when it is done twice: without an answer it simply was not available. */
  async #repeatable<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await this.#once(ask)
    } catch (error) {
      if (error instanceof Unknown) throw new Unavailable(error.message, error)
      throw error
    }
  }

  async #question<Value>(ask: () => Promise<Value>): Promise<Value> {
    try {
      return await ask()
    } catch (error) {
      throw new Unavailable('The card provider gave no answer', error)
    }
  }

  #send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: Buffer | undefined,
    key: string | undefined,
  ): Promise<HttpResponse> {
    const whole = `/v1/${encodeURIComponent(this.#options.merchant)}${path}`
    const contentType = body === undefined ? '' : jsonType
    const date = new Date().toUTCString()
    const headers: Record<string, string> = key === undefined ? {} : { 'X-GCS-Idempotence-Key': key }
    const signed = { method, contentType, date, headers, path: whole }
    return this.#line.send({
      method,
      path: whole,
      headers: {
        ...headers,
        date,
        accept: jsonType,
        authorization: authorization(this.#options.key, this.#options.secret, signed),
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body }),
    })
  }
}

function checkoutPath(providerId: string): string {
  if (!idPattern.test(providerId)) throw new Rejected('not-found', 'card:404', 'That is no checkout')
  return `/hostedcheckouts/${encodeURIComponent(providerId)}`
}

function moneyBody(amount: Money): { amount: number; currencyCode: string } {
  if (amount.minor <= 0n || amount.minor > 999_999_999_999n) {
    throw new Rejected('amount-too-large', 'card:amount', 'An amount that the card provider does not take')
  }
  return { amount: Number(amount.minor), currencyCode: amount.currency }
}

function headerText(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string {
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : ''
}
