/**
 * The two products that the adapter speaks to, and all in which they differ: Worldline Connect v1 and Worldline Direct v2.
 * Signatures, statuses and answers are the same (ADR 204).
 */
import type * as z from 'zod/mini'
import { languageRows } from '#rules/choices.ts'
import type { Money } from '#rules/money.ts'
import { Rejected } from '../../errors.ts'
import type { CardKind, CheckoutRequest } from '../payment-provider.ts'
import type { createdCheckout } from './answers.ts'

export interface ProductLine {
  readonly version: 'v1' | 'v2'
  /** Whether a page can be ended. One that cannot is over before two hours are. */
  readonly closesCheckouts: boolean
  /** Where an answer names what the payer's bank took back: in the payment, or behind a call of its own. */
  readonly operations: 'in-payment' | 'details'
  checkoutBody(request: CheckoutRequest, webhookUrl: string): object
  refundBody(amount: Money, key: string): object
  /** The page's address in the provider's answer to a new checkout. */
  redirectUrl(created: z.infer<typeof createdCheckout>, scheme: string): string
  /** Whether clients may be sent to this host. */
  isPageHost(hostname: string): boolean
  /** Returns the id of the payment that an event is about, by the ids that it names; empty where they do not say it. */
  paymentIdOf(event: { payment?: string | null | undefined; refund?: string | null | undefined }): string
}

/** Ten minutes less than the two hours after which a page counts as over (`settle-checkout.ts`). */
const sessionMinutes = 110

const connect: ProductLine = {
  version: 'v1',
  closesCheckouts: true,
  operations: 'in-payment',
  checkoutBody: (request) => ({
    order: order(request),
    hostedCheckoutSpecificInput: {
      ...pageInput(request),
      // Without it a payment that its client cancelled on the page is told as one in progress.
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
  operations: 'details',
  checkoutBody: (request, webhookUrl) => ({
    order: order(request),
    hostedCheckoutSpecificInput: {
      ...pageInput(request),
      sessionTimeout: sessionMinutes,
      // With more, a declined payment is followed by another one of the same checkout.
      allowedNumberOfPaymentAttempts: 1,
    },
    // Without it the money may be authorised alone, and is never taken.
    cardPaymentMethodSpecificInput: { authorizationMode: 'SALE' },
    feedbacks: { webhooksUrls: [webhookUrl] },
  }),
  refundBody: (amount, key) => ({ amountOfMoney: moneyBody(amount), references: { merchantReference: key } }),
  redirectUrl: ({ redirectUrl }) => redirectUrl ?? '',
  isPageHost: (hostname) => /^payment\.([a-z0-9-]+\.)?direct\.worldline-solutions\.com$/.test(hostname),
  // Each operation has a number behind the payment's: 3254564310_0 is the payment, 3254564310_1 its refund.
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
    throw new Rejected('amount-too-large', 'card:amount', 'An amount that the card provider does not take')
  }
  return { amount: Number(amount.minor), currencyCode: amount.currency }
}
