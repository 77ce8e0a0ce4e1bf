/** A checkout at the provider: its payments, the operations on them, and what each action changes. */

export type CheckoutLifetime =
  | 'open'
  | 'pending'
  | 'pending_payment'
  | 'fraud_check'
  | 'verified'
  | 'authorised'
  | 'capture_requested'
  | 'capture_rejected'
  | 'paid'
  | 'disputed'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'charged_back'
  | 'refunded'

export interface Checkout {
  readonly id: string
  readonly paymentId: string
  readonly ref: string
  readonly amount: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly products: readonly number[]
  readonly returnUrl: string
  readonly returnMac: string
  /**
   * Whether a cancellation by the payer is reported, which the request may ask for; otherwise the checkout stays in
   * progress.
   */
  readonly tellsCancelling: boolean
  /** Whether a payment is captured immediately; otherwise it is only authorised. */
  readonly isSale: boolean
  /** The number of remaining payment attempts. */
  readonly attempts: number
  readonly lifeSeconds: number
  /** Earlier payments of the same page, oldest first; absent if there was only one. */
  readonly earlier?: readonly Attempt[]
  /** The request's addresses for webhooks. */
  readonly webhookUrls: readonly string[]
  readonly life: CheckoutLifetime
  /** The finally returned total of refunds and chargebacks. */
  readonly refunded: number
  readonly createdAt: number
}

/** What differs between the payments of one checkout. */
type Attempt = Pick<Checkout, 'paymentId' | 'life' | 'refunded'>

export const refundStatuses = ['REFUNDED', 'REFUND_REQUESTED', 'PENDING_APPROVAL', 'REJECTED', 'CANCELLED'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** A refund or chargeback. */
export interface Operation {
  readonly id: string
  readonly checkout: string
  /** Absent in journals from before a checkout could have several payments. */
  readonly payment?: string
  readonly kind: 'refund' | 'chargeback'
  readonly status: RefundStatus | 'CHARGEBACKED' | 'CHARGEBACK_REVERSED'
  readonly amount: number
  readonly ref: string
}

/** The possible actions on a checkout, by name. */
export const steps: Readonly<
  Record<string, { from: readonly CheckoutLifetime[]; to: CheckoutLifetime; event: string | null }>
> = {
  'request-capture': { from: ['open', 'pending'], to: 'capture_requested', event: 'payment.capture_requested' },
  'reject-capture': { from: ['capture_requested'], to: 'capture_rejected', event: 'payment.rejected_capture' },
  pay: {
    from: ['open', 'pending', 'pending_payment', 'fraud_check', 'capture_requested'],
    to: 'paid',
    event: 'payment.paid',
  },
  decline: { from: ['open', 'pending'], to: 'declined', event: 'payment.rejected' },
  cancel: { from: ['open'], to: 'cancelled', event: null },
  pend: { from: ['open'], to: 'pending', event: 'payment.redirected' },
  'await-payment': { from: ['open'], to: 'pending_payment', event: 'payment.pending_payment' },
  'await-fraud-check': { from: ['open'], to: 'fraud_check', event: 'payment.pending_fraud_approval' },
  verify: { from: ['open'], to: 'verified', event: 'payment.account_verified' },
  expire: { from: ['open'], to: 'expired', event: null },
  dispute: { from: ['paid'], to: 'disputed', event: 'payment.chargeback_notification' },
  chargeback: {
    from: ['paid', 'refunded', 'disputed', 'charged_back'],
    to: 'charged_back',
    event: 'payment.chargebacked',
  },
  'reverse-chargeback': { from: ['charged_back'], to: 'paid', event: 'payment.paid' },
  refund: { from: ['paid'], to: 'refunded', event: 'payment.refunded' },
  'request-refund': { from: ['paid'], to: 'paid', event: 'payment.refund_requested' },
  'settle-refund': { from: ['paid'], to: 'refunded', event: 'payment.refunded' },
  'reject-refund': { from: ['paid'], to: 'paid', event: 'refund.rejected' },
}

export const statusOf = {
  refund: 'REFUNDED',
  'request-refund': 'REFUND_REQUESTED',
  chargeback: 'CHARGEBACKED',
} as const satisfies Record<string, Operation['status']>

export function refundableAmount(checkout: Checkout): number {
  return Math.max(0, checkout.amount - checkout.refunded)
}

/** Returns whether the page lets the payer try again after a payment was declined; each attempt is another payment. */
export function canRetryPayment(checkout: Checkout, action = 'pay'): boolean {
  return checkout.life === 'declined' && checkout.attempts > 0 && (action === 'pay' || action === 'decline')
}

export function isFinal(status: Operation['status']): boolean {
  return !['REFUND_REQUESTED', 'PENDING_APPROVAL'].includes(status)
}

export function afterOperation(
  checkout: Checkout,
  { kind, status, amount }: Operation,
  to: CheckoutLifetime,
): Checkout {
  const isBack = status === 'REFUNDED' || status === 'CHARGEBACKED'
  const refunded = isBack ? checkout.refunded + amount : checkout.refunded
  return { ...checkout, refunded, life: kind === 'refund' && refunded < checkout.amount ? 'paid' : to }
}
