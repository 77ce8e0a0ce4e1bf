/** Worldline Connect's answers, checked before anything of them is believed. */
import * as z from 'zod/mini'
import { currencies } from '#rules/money.ts'
import type { CheckoutStatus, CreditMoment } from '../payment-provider.ts'

const idText = z.string().check(z.regex(/^[A-Za-z0-9-]{1,80}$/))

export const createdCheckout = z.object({
  hostedCheckoutId: idText,
  partialRedirectUrl: z.string().check(z.maxLength(2000)),
  RETURNMAC: z.optional(z.string().check(z.maxLength(200))),
  merchantReference: z.optional(z.string()),
})

export const paymentAnswer = z.object({
  id: idText,
  status: z.string(),
  paymentOutput: z.object({
    amountOfMoney: z.object({ amount: z.int().check(z.nonnegative()), currencyCode: z.enum(currencies) }),
    references: z.object({ merchantReference: z.string() }),
    /** Of refunds and chargebacks, in the currency of the payment. */
    amountReversed: z.optional(z.nullable(z.int().check(z.nonnegative()))),
  }),
  statusOutput: z.optional(
    z.object({
      errors: z.optional(z.array(z.object({ code: z.optional(z.string()), message: z.optional(z.string()) }))),
    }),
  ),
  hostedCheckoutSpecificOutput: z.optional(z.object({ hostedCheckoutId: idText })),
})

export const checkoutAnswer = z.object({
  status: z.string(),
  createdPaymentOutput: z.optional(z.object({ payment: z.optional(paymentAnswer) })),
})

export const refundAnswer = z.object({ id: idText, status: z.string() })

const references = z.nullish(z.object({ merchantReference: z.nullish(z.string().check(z.maxLength(100))) }))
const order = z.nullish(z.object({ references }))

/** One of these is what the event is about; payouts and tokens are none of ours. */
export const webhookBody = z.object({
  id: idText,
  merchantId: z.string(),
  type: z.string().check(z.maxLength(100)),
  payment: z.nullish(
    z.object({
      paymentOutput: order,
      /** On the GlobalCollect platform alone. */
      hostedCheckoutSpecificOutput: z.nullish(z.object({ hostedCheckoutId: z.nullish(idText) })),
    }),
  ),
  refund: z.nullish(z.object({ refundOutput: order })),
  capture: z.nullish(z.object({ captureOutput: order })),
  dispute: z.nullish(z.object({ disputeOutput: z.nullish(z.object({ reference: references })) })),
})

/** Our reference in a webhook, wherever it stands; empty where there is none. */
export function referenceIn({ payment, refund, capture, dispute }: z.infer<typeof webhookBody>): string {
  const found =
    payment?.paymentOutput?.references ??
    refund?.refundOutput?.references ??
    capture?.captureOutput?.references ??
    dispute?.disputeOutput?.reference
  return found?.merchantReference ?? ''
}

export const errorAnswer = z.object({
  errors: z.optional(z.array(z.object({ code: z.optional(z.string()), message: z.optional(z.string()) }))),
})

type PaymentState = Exclude<CheckoutStatus['state'], 'open' | 'cancelled' | 'expired'>

/** Money reserved (PENDING_APPROVAL, PENDING_CAPTURE) is not money taken: like what is not known it stays pending. */
const paymentStates: Readonly<Record<string, PaymentState | undefined>> = {
  PENDING_PAYMENT: 'pending',
  PENDING_FRAUD_APPROVAL: 'pending',
  // A card was checked, and no money taken.
  ACCOUNT_VERIFIED: 'failed',
  CAPTURE_REQUESTED: 'paid',
  CAPTURED: 'paid',
  PAID: 'paid',
  REJECTED: 'failed',
  REJECTED_CAPTURE: 'failed',
  CANCELLED: 'failed',
  REFUNDED: 'refunded',
  REVERSED: 'charged_back',
  CHARGEBACK_NOTIFICATION: 'disputed',
  CHARGEBACKED: 'charged_back',
}

/** Returns the state of a checkout; null for an answer that makes no sense. */
export function statusOf(answer: z.infer<typeof checkoutAnswer>, creditAt: CreditMoment): CheckoutStatus | null {
  if (answer.status === 'IN_PROGRESS') return { state: 'open' }
  if (answer.status === 'CANCELLED_BY_CONSUMER') return { state: 'cancelled' }
  if (answer.status === 'CLIENT_NOT_ELIGIBLE_FOR_SELECTED_PAYMENT_PRODUCT') return { state: 'cancelled' }
  const made = answer.createdPaymentOutput?.payment
  return answer.status !== 'PAYMENT_CREATED' || made === undefined ? null : paymentStatusOf(made, creditAt)
}

/** Returns the state of a payment. */
export function paymentStatusOf(made: z.infer<typeof paymentAnswer>, creditAt: CreditMoment): CheckoutStatus {
  const isQueued = made.status === 'CAPTURE_REQUESTED' && creditAt === 'captured'
  const { amountOfMoney, references, amountReversed } = made.paymentOutput
  const currency = amountOfMoney.currencyCode
  const reason = made.statusOutput?.errors?.[0]?.message
  return {
    state: isQueued ? 'pending' : (paymentStates[made.status] ?? 'pending'),
    paymentId: made.id,
    amount: { minor: BigInt(amountOfMoney.amount), currency },
    ref: references.merchantReference,
    ...(amountReversed && { back: { minor: BigInt(amountReversed), currency } }),
    ...(reason !== undefined && { reason }),
  }
}
