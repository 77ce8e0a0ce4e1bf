/** The meaning of the provider's statuses, which are the same for both of its products. */
import type * as z from 'zod/mini'
import type { CheckoutStatus, CreditMoment, MoneyBack } from '../payment-provider.ts'
import type { checkoutAnswer, paymentAnswer } from './answers.ts'
import { claimedBack } from './money-back.ts'

type Payment = z.infer<typeof paymentAnswer>
type PaymentState = Exclude<CheckoutStatus['state'], 'open' | 'cancelled' | 'expired'>

/** Reserved money (PENDING_APPROVAL, PENDING_CAPTURE) is not taken: like unknown statuses it stays pending. */
const paymentStates: ReadonlyMap<string, PaymentState> = new Map(
  Object.entries({
    PENDING_PAYMENT: 'pending',
    PENDING_FRAUD_APPROVAL: 'pending',
    // A card was verified, and no money taken.
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
  } as const),
)

/** Returns whether money was taken in this status, so that some of it may have been returned. */
export function isMoneyTaken(status: string): boolean {
  return !['pending', 'failed'].includes(paymentStates.get(status) ?? 'pending')
}

/** Returns the state of a checkout without a payment, or its payment; null for an invalid response. */
export function checkoutState(answer: z.infer<typeof checkoutAnswer>): CheckoutStatus | Payment | null {
  if (answer.status === 'IN_PROGRESS') return { state: 'open' }
  if (answer.status === 'CANCELLED_BY_CONSUMER') return { state: 'cancelled' }
  if (answer.status === 'CLIENT_NOT_ELIGIBLE_FOR_SELECTED_PAYMENT_PRODUCT') return { state: 'cancelled' }
  return answer.status === 'PAYMENT_CREATED' ? (answer.createdPaymentOutput?.payment ?? null) : null
}

/** Returns the state of a payment of which `back` was returned. */
export function paymentStatusOf(made: Payment, back: readonly MoneyBack[], creditAt: CreditMoment): CheckoutStatus {
  const isQueued = made.status === 'CAPTURE_REQUESTED' && creditAt === 'captured'
  const { amountOfMoney, references } = made.paymentOutput
  const currency = amountOfMoney.currencyCode
  const reason = made.statusOutput?.errors?.[0]?.message ?? undefined
  const claimed = isMoneyTaken(made.status) ? claimedBack(made, back) : null
  return {
    state: isQueued ? 'pending' : (paymentStates.get(made.status) ?? 'pending'),
    paymentId: made.id,
    amount: { minor: BigInt(amountOfMoney.amount), currency },
    ref: references.merchantReference,
    back,
    ...(claimed !== null && { claimedBack: { minor: claimed, currency } }),
    ...(reason !== undefined && { reason }),
  }
}
