/** The provider's records in its format. */
import type { Kind, Platform } from './kinds.ts'
import type { Checkout, CheckoutLifetime, Operation } from './checkout.ts'

const statuses: Readonly<Record<CheckoutLifetime, { status: string; category: string }>> = {
  open: { status: 'CREATED', category: 'STATUS_UNKNOWN' },
  pending: { status: 'REDIRECTED', category: 'STATUS_UNKNOWN' },
  pending_payment: { status: 'PENDING_PAYMENT', category: 'STATUS_UNKNOWN' },
  fraud_check: { status: 'PENDING_FRAUD_APPROVAL', category: 'STATUS_UNKNOWN' },
  verified: { status: 'ACCOUNT_VERIFIED', category: 'SUCCESSFUL' },
  authorised: { status: 'PENDING_CAPTURE', category: 'SUCCESSFUL' },
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

/** The data of a payment's record. */
export interface PaymentData {
  readonly kind: Kind
  readonly platform: Platform
  readonly checkout: Checkout
  readonly operations: readonly Operation[]
}

export function paymentRecord(data: PaymentData, overrides: FaultScript = {}) {
  const { kind, platform, checkout } = data
  const { status } = statuses[overrides.life ?? checkout.life]
  const rejected = status === 'REJECTED'
  // Direct reports the status of the payment's own operation: a refund is another one.
  const isDirectRefund = kind === 'direct' && status === 'REFUNDED'
  return {
    id: checkout.paymentId,
    status: isDirectRefund ? 'CAPTURED' : status,
    paymentOutput: {
      amountOfMoney: {
        amount: overrides.amount ?? checkout.amount,
        currencyCode: overrides.currency ?? checkout.currency,
      },
      ...(kind === 'connect' && moneyBackFields(data, overrides)),
      references: {
        merchantReference: overrides.ref ?? checkout.ref,
        ...(kind === 'connect' && { paymentReference: '0' }),
      },
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
    hostedCheckoutSpecificOutput: platform === 'ogone' ? { variant: '100' } : { hostedCheckoutId: checkout.id },
  }
}

/** One refund is part of both amounts, as with some processors: their sum counts it twice. */
function moneyBackFields({ checkout, operations }: PaymentData, overrides: FaultScript): object {
  const sum = (status: string) => sumOf(operations.filter((one) => one.status === status))
  const [refunded, requested, chargedBack] = [sum('REFUNDED'), sum('REFUND_REQUESTED'), sum('CHARGEBACKED')]
  const fields = {
    amountRefunded: overrides.back ?? refunded,
    amountRefundRequested: requested,
    amountReversed: overrides.back ?? refunded + chargedBack,
  }
  const reversals = operations
    .filter(({ kind }) => kind === 'chargeback')
    .map((operation) => operationRecord(checkout, operation))
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([, amount]) => amount > 0)),
    ...(reversals.length > 0 && { reversalReason: 'CHARGEBACK', operations: reversals }),
  }
}

function sumOf(operations: readonly Operation[]): number {
  return operations.reduce((sum, { amount }) => sum + amount, 0)
}

export function refundRecord({ checkout }: Pick<PaymentData, 'checkout'>, { id, status, amount, ref }: Operation) {
  const amountOfMoney = { amount, currencyCode: checkout.currency }
  return {
    id,
    status,
    refundOutput: { amountOfMoney, references: { merchantReference: ref }, paymentMethod: 'card' },
    statusOutput: { isCancellable: false },
  }
}

export function refundList(data: PaymentData): object {
  const refunds = data.operations.filter(({ kind }) => kind === 'refund')
  return { refunds: refunds.map((one) => refundRecord(data, one)) }
}

/** Returns Direct's details: the payment with all operations, including its own. */
export function detailsRecord(data: PaymentData): object {
  const payment = paymentRecord(data)
  const { id, status, paymentOutput } = payment
  const own = { id, status, amountOfMoney: paymentOutput.amountOfMoney }
  const others = data.operations.map((one) => operationRecord(data.checkout, one))
  return { ...payment, Operations: [own, ...others] }
}

function operationRecord({ currency }: Checkout, { id, kind, status, amount }: Operation): object {
  return { id, type: kind.toUpperCase(), status, amountOfMoney: { amount, currencyCode: currency } }
}

export function checkoutRecord(data: PaymentData, overrides: FaultScript): object {
  const { checkout, kind } = data
  const life = overrides.life ?? checkout.life
  if (life === 'open' || life === 'expired') return { status: 'IN_PROGRESS' }
  if (life === 'cancelled') return { status: checkout.tellsCancelling ? 'CANCELLED_BY_CONSUMER' : 'IN_PROGRESS' }
  return {
    status: 'PAYMENT_CREATED',
    createdPaymentOutput: {
      payment: paymentRecord(data, overrides),
      ...(kind === 'connect' && { paymentCreationReferences: { externalReference: checkout.ref } }),
      paymentStatusCategory: statuses[life].category,
    },
  }
}

/** Direct has its code in another property. */
export function errorRecord(status: number, code: string, message: string, kind: Kind = 'connect'): object {
  const codeField = kind === 'connect' ? { code } : { errorCode: code }
  return { errorId: crypto.randomUUID(), errors: [{ ...codeField, message, httpStatusCode: status }] }
}
