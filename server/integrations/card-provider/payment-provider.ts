/** A payment provider as the rest of the server sees it; `worldline/` is the real one. */
import type { Language } from '#rules/choices.ts'
import type { Money } from '#rules/money.ts'

export { Rejected, Unavailable, Unknown } from '../errors.ts'

/** The products that the adapter of `worldline/` speaks to. */
export const cardKinds = ['worldline-connect', 'worldline-direct'] as const
export type CardKind = (typeof cardKinds)[number]

/** From which status on a payment counts as paid: once its capture is queued, or once it was captured. */
export const creditMoments = ['capture_requested', 'captured'] as const
export type CreditMoment = (typeof creditMoments)[number]

/** Where the provider's webhooks arrive. */
export const webhookPath = '/api/webhooks/card'

export interface CheckoutRequest {
  /** Our reference; the same one asked again answers the same checkout. */
  ref: string
  amount: Money
  /** ISO 3166-1 alpha-2. */
  country: string
  /** The provider's product numbers that the page may offer; all of them where absent. */
  productIds?: readonly number[]
  returnUrl: string
  language?: Language
}

/** Money that went back to the payer for good, under an id of its own at the provider. */
export interface MoneyBack {
  readonly id: string
  readonly kind: 'refunded' | 'charged_back'
  readonly amount: Money
}

/** Returns what went back in all, or by one kind, in minor units. */
export function totalBack(back: readonly MoneyBack[], kind?: MoneyBack['kind']): bigint {
  const counted = kind === undefined ? back : back.filter((one) => one.kind === kind)
  return counted.reduce((sum, { amount }) => sum + amount.minor, 0n)
}

/** A checkout, and the payment that was made in it, once that is known. */
export interface AtProvider {
  readonly providerId: string
  readonly paymentId: string | null
}

/**
 * `open`, `cancelled` and `expired` are checkouts without a payment, of which the provider says neither amount nor
 * reference; it may say `expired` of one that it does not know (any more). `paid` means that the money is taken, not
 * merely reserved; `disputed` that the payer's bank has announced a chargeback of what was paid.
 */
export type CheckoutStatus =
  | { state: 'open' | 'cancelled' | 'expired'; amount?: never; ref?: never; reason?: never; paymentId?: never }
  | {
      state: 'pending' | 'paid' | 'failed' | 'refunded' | 'disputed' | 'charged_back'
      /** The provider's id of the payment: it is asked about by this one from then on. */
      paymentId: string
      amount: Money
      ref: string
      /** What went back to the payer so far, each refund and chargeback once; together it may be more than was paid. */
      back: readonly MoneyBack[]
      /** What the payment itself says went back, where that is not the sum of `back`: nothing is booked from it. */
      claimedBack?: Money
      /** The provider's words, where it refused. */
      reason?: string
    }

/** A webhook or a return page is a hint only: what counts is `getStatus` (integrations). */
export interface WebhookHint {
  /** The same in each delivery of one event. */
  eventId: string
  /** The checkout; empty where the event does not name one. */
  providerId: string
  /** The payment; empty where the event names none. */
  paymentId: string
  /** Our reference of the payment, as the event says it; empty where it says none. */
  ref: string
  type: string
}

/** A webhook that is not the provider's. Never says to the caller's caller which of its parts was wrong. */
export class WebhookRefused extends Error {}

export interface PaymentProvider {
  /** Whether an open checkout can be ended. The page of one that cannot takes no money after two hours. */
  readonly closesCheckouts: boolean
  /** Throws `Rejected` or `Unavailable`; asking again with the same ref is safe. */
  createCheckout(request: CheckoutRequest): Promise<{ providerId: string; redirectUrl: string; returnMac?: string }>
  /** Throws `Unavailable`. The id of the payment, once it is known, outlives the checkout. */
  getStatus(providerId: string, paymentId?: string | null): Promise<CheckoutStatus>
  /**
   * Ends a checkout at which no one pays: its page takes no money from then on. Throws `Rejected` where a payment has
   * begun, or `Unavailable`; doing it twice is safe, and nothing happens where the provider ends no checkout.
   */
  closeCheckout(providerId: string): Promise<void>
  /** Throws `WebhookRefused`. `raw` are the bytes as they came. */
  parseWebhook(raw: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<WebhookHint>
  /** Throws `Rejected`, `Unavailable` or `Unknown`; asking again with the same key is safe and answers the same. */
  refund(of: AtProvider, amount: Money, key: string): Promise<{ refundId: string }>
  close(): void
}
