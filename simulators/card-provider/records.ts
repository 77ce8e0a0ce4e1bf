/** The provider's records as it writes them. */
import type { Checkout, CheckoutLifetime } from './store.ts'

const statuses: Readonly<Record<CheckoutLifetime, { status: string; category: string }>> = {
  open: { status: 'CREATED', category: 'STATUS_UNKNOWN' },
  pending: { status: 'REDIRECTED', category: 'STATUS_UNKNOWN' },
  capture_requested: { status: 'CAPTURE_REQUESTED', category: 'STATUS_UNKNOWN' },
  capture_rejected: { status: 'REJECTED_CAPTURE', category: 'REJECTED' },
  disputed: { status: 'CHARGEBACK_NOTIFICATION', category: 'SUCCESSFUL' },
  paid: { status: 'PAID', category: 'SUCCESSFUL' },
  declined: { status: 'REJECTED', category: 'REJECTED' },
  cancelled: { status: 'CANCELLED', category: 'REJECTED' },
  expired: { status: 'CANCELLED', category: 'REJECTED' },
  charged_back: { status: 'CHARGEBACKED', category: 'SUCCESSFUL' },
  refunded: { status: 'REFUNDED', category: 'SUCCESSFUL' },
}

export interface FaultScript {
  readonly life?: CheckoutLifetime
  readonly amount?: number
  readonly currency?: string
  readonly ref?: string
  readonly back?: number
}

export function paymentRecord(checkout: Checkout, lie: FaultScript = {}) {
  const { status } = statuses[lie.life ?? checkout.life]
  const rejected = status === 'REJECTED'
  const back = lie.back ?? checkout.refunded
  return {
    id: checkout.paymentId,
    status,
    paymentOutput: {
      amountOfMoney: { amount: lie.amount ?? checkout.amount, currencyCode: lie.currency ?? checkout.currency },
      ...(back > 0 && { amountReversed: back }),
      references: { merchantReference: lie.ref ?? checkout.ref, paymentReference: '0' },
      paymentMethod: 'card',
      cardPaymentMethodSpecificOutput: {
        paymentProductId: checkout.products[0] ?? 1,
        card: { cardNumber: '************1111', expiryDate: '1230' },
      },
    },
    statusOutput: {
      isCancellable: false,
      ...(rejected && { errors: [{ code: '430330', message: 'Not authorised by the bank' }] }),
    },
    hostedCheckoutSpecificOutput: { hostedCheckoutId: checkout.id },
  }
}

export function checkoutRecord(checkout: Checkout, lie: FaultScript = {}): object {
  const life = lie.life ?? checkout.life
  if (life === 'open') return { status: 'IN_PROGRESS' }
  if (life === 'cancelled') return { status: checkout.tellsCancelling ? 'CANCELLED_BY_CONSUMER' : 'IN_PROGRESS' }
  return {
    status: 'PAYMENT_CREATED',
    createdPaymentOutput: {
      payment: paymentRecord(checkout, lie),
      paymentCreationReferences: { externalReference: checkout.ref },
      paymentStatusCategory: statuses[life].category,
    },
  }
}

export function errorRecord(status: number, code: string, message: string): object {
  return { errorId: crypto.randomUUID(), errors: [{ code, message, httpStatusCode: status }] }
}
