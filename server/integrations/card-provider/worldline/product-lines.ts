/**
 * The two products that the adapter supports, and all their differences: Worldline Connect v1 and Worldline Direct v2.
 * Signatures, statuses and responses are the same (ADR 204).
 */
import type * as z from 'zod/mini'
import { languageRows } from '#rules/choices.ts'
import type { Money } from '#rules/money.ts'
import { Rejected } from '../../errors.ts'
import type { CardKind, CheckoutRequest } from '../payment-provider.ts'
import type { createdCheckout } from './answers.ts'

export interface ProductLine {
  readonly version: 'v1' | 'v2'
  /** Whether a page can be closed. One that cannot expires within two hours. */
  readonly closesCheckouts: boolean
  /** Whether a declined payment may be followed by another one of the same checkout. */
  readonly allowsSeveralPayments: boolean
  /** Where a response contains chargebacks: in the payment, or in a separate call. */
  readonly operations: 'in-payment' | 'details'
  checkoutBody(request: CheckoutRequest, webhookUrl: string): object
  refundBody(amount: Money, key: string): object
  /** Returns the page's address from the provider's response to a new checkout. */
  redirectUrl(created: z.infer<typeof createdCheckout>, scheme: string): string
  /** Returns whether clients may be sent to this host. */
  isPageHost(hostname: string): boolean
  /** Returns the id of an event's payment, from the ids in the event; empty if they do not contain it. */
  paymentIdOf(event: { payment?: string | null | undefined; refund?: string | null | undefined }): string
}

/** Ten minutes less than the two hours after which a page counts as expired (`apply-status.ts`). */
const sessionMinutes = 110

const connect: ProductLine = {
  version: 'v1',
  closesCheckouts: true,
  // A request cannot limit the attempts; their number depends on the merchant's set-up at the provider.
  allowsSeveralPayments: true,
  operations: 'in-payment',
  checkoutBody: (request) => ({
    order: order(request),
    hostedCheckoutSpecificInput: {
      ...pageInput(request),
      // Without it a payment that its client cancelled on the page is reported as one in progress.
      returnCancelState: true,
    },
    cardPaymentMethodSpecificInput: { authorizationMode: 'SALE', requiresApproval: false },
  }),
  refundBody: (amount, key) => ({ amountOfMoney: moneyBody(amount), refundReferences: { merchantReference: key } }),
  redirectUrl: ({ partialRedirectUrl }, scheme) =>
    scheme === 'http:' ? `http://${partialRedirectUrl ?? ''}` : `https://payment.${partialRedirectUrl ?? ''}`,
  isPageHost: (hostname) =>
    hostname.endsWith('.worldline-solutions.com') || hostname.endsWith('.secured-by-ingenico.com'),
  paymentIdOf: ({ payment }) => payment ?? '',
}

const direct: ProductLine = {
  version: 'v2',
  closesCheckouts: false,
  allowsSeveralPayments: false,
  operations: 'details',
  checkoutBody: (request, webhookUrl) => ({
    order: order(request),
    hostedCheckoutSpecificInput: {
      ...pageInput(request),
      sessionTimeout: sessionMinutes,
      // With more, a declined payment is followed by another one of the same checkout.
      allowedNumberOfPaymentAttempts: 1,
    },
    // Without it the money may only be authorised, and is never taken.
    cardPaymentMethodSpecificInput: { authorizationMode: 'SALE' },
    feedbacks: { webhooksUrls: [webhookUrl] },
  }),
  refundBody: (amount, key) => ({ amountOfMoney: moneyBody(amount), references: { merchantReference: key } }),
  redirectUrl: ({ redirectUrl }) => redirectUrl ?? '',
  isPageHost: (hostname) => /^payment\.([a-z0-9-]+\.)?direct\.worldline-solutions\.com$/.test(hostname),
  // Each operation has a number after the payment's: 3254564310_0 is the payment, 3254564310_1 its refund.
  paymentIdOf: ({ payment, refund }) => (payment ?? refund ?? '').replace(/_\d+$/, '_0'),
}

export const productLines: Readonly<Record<CardKind, ProductLine>> = {
  'worldline-connect': connect,
  'worldline-direct': direct,
}

function order({ amount, country, ref }: CheckoutRequest): object {
  return {
    amountOfMoney: moneyBody(amount),
    customer: { billingAddress: { countryCode: country } },
    references: { merchantReference: ref },
  }
}

function pageInput({ returnUrl, language, productIds }: CheckoutRequest): object {
  return {
    returnUrl,
    locale: languageRows[language ?? 'en'].locale.replace('-', '_'),
    showResultPage: false,
    ...(productIds && { paymentProductFilters: { restrictTo: { products: [...productIds] } } }),
  }
}

function moneyBody(amount: Money): { amount: number; currencyCode: string } {
  if (amount.minor <= 0n || amount.minor > 999_999_999_999n) {
    throw new Rejected('amount-too-large', 'card:amount', 'The amount is too large for the card provider')
  }
  return { amount: Number(amount.minor), currencyCode: amount.currency }
}
