/** The two simulated products and their differences: properties of requests by path, and ids. */
import type { Fields } from '../process/http.ts'

export type Kind = 'connect' | 'direct'
/** The platforms behind Connect; payments on the one that was called Ogone name no checkout. */
export type Platform = 'globalcollect' | 'ogone'

export const versions: Readonly<Record<Kind, string>> = { connect: 'v1', direct: 'v2' }

/** By the path of an object in the request; an object that is not listed may have any property. */
type AllowedProperties = Readonly<Record<string, readonly string[]>>

const money = ['amount', 'currencyCode']

const connectCheckout: AllowedProperties = {
  '': [
    'bankTransferPaymentMethodSpecificInput',
    'cardPaymentMethodSpecificInput',
    'cashPaymentMethodSpecificInput',
    'eInvoicePaymentMethodSpecificInput',
    'fraudFields',
    'hostedCheckoutSpecificInput',
    'merchant',
    'mobilePaymentMethodSpecificInput',
    'order',
    'redirectPaymentMethodSpecificInput',
    'sepaDirectDebitPaymentMethodSpecificInput',
  ],
  cardPaymentMethodSpecificInput: [
    'acquirerPromotionCode',
    'authorizationMode',
    'customerReference',
    'initialSchemeTransactionId',
    'paymentProductId',
    'recurring',
    'recurringPaymentSequenceIndicator',
    'requiresApproval',
    'skipAuthentication',
    'skipFraudService',
    'threeDSecure',
    'token',
    'tokenize',
    'transactionChannel',
    'unscheduledCardOnFileIndicator',
    'unscheduledCardOnFileRequestor',
    'unscheduledCardOnFileSequenceIndicator',
  ],
  hostedCheckoutSpecificInput: [
    'allowClickToPay',
    'isRecurring',
    'locale',
    'paymentProductFilters',
    'recurringPaymentsData',
    'returnCancelState',
    'returnUrl',
    'showResultPage',
    'tokens',
    'validateShoppingCart',
    'variant',
  ],
  order: ['additionalInput', 'amountOfMoney', 'customer', 'items', 'references', 'seller', 'shipping', 'shoppingCart'],
  'order.amountOfMoney': money,
}

const directCheckout: AllowedProperties = {
  '': [
    'cardPaymentMethodSpecificInput',
    'feedbacks',
    'fraudFields',
    'hostedCheckoutSpecificInput',
    'mobilePaymentMethodSpecificInput',
    'order',
    'redirectPaymentMethodSpecificInput',
    'sepaDirectDebitPaymentMethodSpecificInput',
  ],
  cardPaymentMethodSpecificInput: [
    'allowDynamicLinking',
    'authorizationMode',
    'currencyConversionSpecificInput',
    'initialSchemeTransactionId',
    'multiplePaymentInformation',
    'paymentProductId',
    'recurring',
    'threeDSecure',
    'token',
    'tokenize',
    'transactionChannel',
    'unscheduledCardOnFileRequestor',
    'unscheduledCardOnFileSequenceIndicator',
  ],
  feedbacks: ['webhookUrl', 'webhooksUrls'],
  hostedCheckoutSpecificInput: [
    'allowedNumberOfPaymentAttempts',
    'cardPaymentMethodSpecificInput',
    'isRecurring',
    'locale',
    'paymentProductFilters',
    'returnUrl',
    'sessionTimeout',
    'showResultPage',
    'tokens',
    'variant',
  ],
  order: [
    'additionalInput',
    'amountOfMoney',
    'customer',
    'discount',
    'references',
    'shipping',
    'shoppingCart',
    'surchargeSpecificInput',
  ],
  'order.amountOfMoney': money,
}

const refundReferences = ['merchantReference']
const connectRefund: AllowedProperties = {
  '': ['amountOfMoney', 'bankRefundMethodSpecificInput', 'customer', 'refundDate', 'refundReason', 'refundReferences'],
  amountOfMoney: money,
  refundReferences,
}
const directRefund: AllowedProperties = {
  '': ['amountOfMoney', 'captureId', 'operationReferences', 'references'],
  amountOfMoney: money,
  references: ['merchantParameters', ...refundReferences],
}

export const requestProperties: Readonly<Record<Kind, { checkout: AllowedProperties; refund: AllowedProperties }>> = {
  connect: { checkout: connectCheckout, refund: connectRefund },
  direct: { checkout: directCheckout, refund: directRefund },
}

/** Returns the path of the first property that the product does not know. */
export function unknownProperty(fields: Fields, known: AllowedProperties): string | undefined {
  for (const [path, names] of Object.entries(known)) {
    const found = path === '' ? fields : path.split('.').reduce((at, name) => objectIn(at, name), fields)
    const unknown = Object.keys(found).find((name) => !names.includes(name))
    if (unknown !== undefined) return path === '' ? unknown : `${path}.${unknown}`
  }
  return undefined
}

export function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** Returns the id of a payment; on Direct it is the first operation of its own number. */
export function paymentIdOf(kind: Kind, number: number): string {
  return kind === 'connect' ? `${String(number).padStart(20, '0')}0000100001` : `${3_254_564_310 + number}_0`
}

/** Returns the id of an operation on a payment by its number. */
export function operationIdOf(kind: Kind, paymentId: string, number: number): string {
  if (kind === 'direct') return paymentId.replace(/_0$/, `_${number}`)
  return `${paymentId}${String(number).padStart(5, '0')}`
}
