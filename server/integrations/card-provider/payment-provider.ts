/** The interface of payment providers; `worldline/` implements it. */
import { hourMs } from '#rules/dates.ts'
import type { Language } from '#rules/choices.ts'
import type { Money } from '#rules/money.ts'

export { Rejected, Unavailable, Unknown } from '../errors.ts'

/** How long a checkout's page may accept money. Until then an unknown checkout in a response is not final. */
export const pageLifeMs = 2 * hourMs

/** The products that the adapter of `worldline/` supports. */
export const cardKinds = ['worldline-connect', 'worldline-direct'] as const
export type CardKind = (typeof cardKinds)[number]

/** The status from which a payment counts as paid: once its capture is queued, or once it was captured. */
export const creditMoments = ['capture_requested', 'captured'] as const
export type CreditMoment = (typeof creditMoments)[number]

/** The path of the provider's webhooks. */
export const webhookPath = '/api/webhooks/card'

export interface CheckoutRequest {
  /** Our reference; a repeated request with the same one returns the same checkout. */
  ref: string
  amount: Money
  /** ISO 3166-1 alpha-2. */
  country: string
  /** The provider's product numbers that the page may offer; all if absent. */
  productIds?: readonly number[]
  returnUrl: string
  language?: Language
}

/** Money that was returned to the payer finally, with its own id at the provider. */
export interface MoneyBack {
  readonly id: string
  readonly kind: 'refunded' | 'charged_back'
  readonly amount: Money
}

/** Returns the total that was returned, or that of one kind, in minor units. */
export function totalReturned(back: readonly MoneyBack[], kind?: MoneyBack['kind']): bigint {
  const counted = kind === undefined ? back : back.filter((one) => one.kind === kind)
  return counted.reduce((sum, { amount }) => sum + amount.minor, 0n)
}

/**
 * A refund that we requested: the money is back only once it is settled (ADR 203). `failed` is final: nothing was
 * returned.
 */
export interface Refund {
  readonly refundId: string
  readonly state: 'open' | 'settled' | 'failed'
  /** The provider's own status. */
  readonly status: string
}

/** A checkout and, once known, its payment. */
export interface ProviderCheckout {
  readonly providerId: string
  readonly paymentId: string | null
}

/**
 * `open`, `cancelled` and `expired` are checkouts without a payment, for which the provider reports neither amount nor
 * reference; it may report `expired` for one that it does not know (any more). `paid` means that the money was taken,
 * not only reserved; `disputed` that the payer's bank has announced a chargeback of what was paid.
 */
export type CheckoutStatus =
  | {
      state: 'open' | 'cancelled' | 'expired'
      amount?: never
      ref?: never
      reason?: never
      paymentId?: never
      isRefundOpen?: never
      failedRefunds?: never
    }
  | {
      state: 'pending' | 'paid' | 'failed' | 'refunded' | 'disputed' | 'charged_back'
      /** The provider's id of the payment, which is used for all later queries. */
      paymentId: string
      amount: Money
      ref: string
      /** The returned amounts so far, each refund and chargeback once; together they may exceed the payment. */
      back: readonly MoneyBack[]
      /**
       * The returned total according to the payment itself, if it differs from the sum of `back`: nothing is posted
       * from it.
       */
      claimedBack?: Money
      /** A refund has been requested and neither settled nor rejected; it may be one of the provider's own staff. */
      isRefundOpen?: boolean
      /** The ids of the refunds that have ended without a return. */
      failedRefunds?: readonly string[]
      /** The provider's text of a rejection. */
      reason?: string
    }

/** A status with the paid amount. */
export type StatusWithAmount = Extract<CheckoutStatus, { amount: object }>

/** Returns whether money was taken, also if it has been returned since. */
export function isMoneyTaken(status: CheckoutStatus): status is StatusWithAmount {
  return ['paid', 'refunded', 'disputed', 'charged_back'].includes(status.state)
}

/** A webhook or a return page is only a hint; the status comes from `getStatus` (integrations). */
export interface WebhookHint {
  /** The same in every delivery of an event. */
  eventId: string
  /** The checkout; empty if the event does not name one. */
  providerId: string
  /** The payment; empty if the event does not name one. */
  paymentId: string
  /** Our reference of the payment according to the event; empty if it has none. */
  ref: string
  type: string
}

/** A webhook that is not from the provider. The response never reveals which part was wrong. */
export class WebhookRefused extends Error {}

export interface PaymentProvider {
  /** Whether an open checkout can be closed. The page of one that cannot accepts no payment after two hours. */
  readonly closesCheckouts: boolean
  /** Whether the page of a checkout may take another payment after one was declined (ADR 339). */
  readonly allowsSeveralPayments: boolean
  /** Throws `Rejected` or `Unavailable`; a repeat with the same ref is safe. */
  createCheckout(request: CheckoutRequest): Promise<{ providerId: string; redirectUrl: string; returnMac?: string }>
  /**
   * Throws `Unavailable`; `Deferred` if the provider responded and the response cannot be used, which a repeat does not
   * change. The id of the payment, once known, remains valid after the checkout.
   */
  getStatus(providerId: string, paymentId?: string | null): Promise<CheckoutStatus>
  /**
   * Closes a checkout without a payment: its page accepts no payment from then on. Throws `Rejected` if a payment has
   * begun, or `Unavailable`; a repeat is safe, and does nothing if the provider cannot close checkouts.
   */
  closeCheckout(providerId: string): Promise<void>
  /** Throws `WebhookRefused`. `raw` are the bytes as received. */
  parseWebhook(raw: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<WebhookHint>
  /**
   * Throws `Rejected`, `Unavailable` or `Unknown`; a repeat with the same key is safe and returns the same result for as
   * long as the provider keeps the key (24 hours). After that `findRefund` must be called before.
   */
  refund(of: ProviderCheckout, amount: Money, key: string): Promise<Refund>
  /** Returns the refund that was requested under this key, or null. Throws `Rejected` or `Unavailable`. */
  findRefund(of: ProviderCheckout, key: string): Promise<Refund | null>
  close(): void
}

/**
 * Queries a checkout, which reports one of its payments, and those of the known payments that it did not report: each
 * attempt of a payer on one page is a payment with its own id (ADR 339). With null only the payments are queried.
 * Throws `Unavailable`.
 */
export async function fetchStatuses(
  cards: PaymentProvider,
  providerId: string | null,
  paymentIds: readonly string[],
): Promise<CheckoutStatus[]> {
  const statuses = providerId === null ? [] : [await cards.getStatus(providerId)]
  for (const paymentId of new Set(paymentIds))
    if (!statuses.some((status) => status.paymentId === paymentId))
      statuses.push(await cards.getStatus(providerId ?? '', paymentId))
  return statuses
}
