/** Deposits by wire and by card (requirements 8). */
import * as z from 'zod/mini'
import { cardMethodTypes, paymentGateways } from '#rules/payment-methods.ts'
import { cardTypes, platforms } from '#rules/constants.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, currency, signedBalance, id, line, numberChoice, requestedAmount, seconds } from './fields.ts'
import { userId } from './users-session.ts'

/** An account's number: the platform's login. */
export const accountNumber = line(20)

/** The firm's account for a wire, with the field names of requirements 8.6. */
export const wireDetails = z.object({
  AccountHolder: z.string(),
  BankAccountNumber: z.string(),
  SpecialId: z.string(),
  IBAN: z.string(),
  SwiftCode: z.string(),
  BankName: z.string(),
  BankReference: z.string(),
})
export type WireDetails = z.output<typeof wireDetails>

const depositFields = {
  accountPlatform: choice(platforms),
  accountNumber,
  depositCurrency: currency,
  depositAmountSent: requestedAmount,
  paymentGatewayService: choice(paymentGateways),
}
const depositProblems = [
  'amount-invalid',
  'amount-large',
  'deposit-too-low',
  'account-unknown',
  'account-not-approved',
  'platform-not-connected',
  'demo-account',
  'currency-not-account',
  'method-not-offered',
  'deposits-closed',
  'declaration-first',
  'fee-over-amount',
  'too-many',
] as const

export const requestWirePayment = endpoint('requestWirePayment', 'POST /api/gcen/requestWirePayment', {
  summary: 'Creates a deposit by bank transfer and returns the firm’s bank details with a unique payment reference.',
  access: ['approved'],
  stopsWith: ['accounts'],
  body: body({ userId, ...depositFields, depositType: choice(['wire']) }),
  status: 201,
  response: z.object({ id: z.string(), bankDetails: wireDetails, amount: signedBalance, currency, expiresAt: seconds }),
  problems: [...depositProblems, 'wire-account-missing', 'announced-over-maximum', 'announced-too-much'],
  idempotent: true,
})

export const requestCreditCardPayment = endpoint(
  'requestCreditCardPayment',
  'POST /api/gcen/requestCreditCardPayment',
  {
    summary: 'Starts a payment through the card provider and returns the URL of its page.',
    access: ['approved'],
    stopsWith: ['accounts'],
    body: body({
      userId,
      ...depositFields,
      depositType: choice(cardMethodTypes),
      method: choice(cardMethodTypes),
      ccType: z.optional(
        numberChoice(
          cardTypes.map((type) => type.code),
          'card-type-required',
        ),
      ),
    }),
    status: 201,
    response: z.object({ id: z.string(), paymentUrl: z.string(), REF: z.string() }),
    problems: [
      ...depositProblems,
      'card-type-required',
      'unknown-value',
      'wrong-state',
      'payment-refused',
      'provider-unavailable',
    ],
    idempotent: true,
  },
)

export const checkCreditCardPayment = endpoint('checkCreditCardPayment', 'POST /api/gcen/checkCreditCardPayment', {
  summary: 'Queries the card provider for the status of a payment. Repeat the request while the payment is pending.',
  access: ['approved'],
  body: body({ userId, REF: line(64) }),
  response: z.object({
    status: choice(['paid', 'pending']),
    id: z.string(),
    accountNumber: z.string(),
    amount: signedBalance,
    currency,
  }),
  problems: [
    'not-found',
    'payment-refused',
    'payment-not-credited',
    'payment-in-review',
    'payment-review-open',
    'payment-returned',
    'payment-ended',
    'payment-unchecked',
    'too-many',
  ],
})

export const cancelDeposit = endpoint('cancelDeposit', 'POST /api/accounts/cancelDeposit', {
  summary: 'Cancels a pending deposit: an expected bank transfer, or a card payment that has not been made yet.',
  access: ['approved'],
  body: body({ id }),
  problems: [
    'money-stopped',
    'not-found',
    'decided-meanwhile',
    'transfer-arrived',
    'payment-under-way',
    'payment-not-closed',
    'too-many',
  ],
})

export const mailWireDetails = endpoint('mailWireDetails', 'POST /api/accounts/mailWireDetails', {
  summary: 'Emails the bank transfer details of a pending deposit to the client.',
  access: ['approved'],
  body: body({ id }),
  problems: ['not-found', 'wrong-state', 'too-many'],
})

export const wireDetailsPdf = endpoint('wireDetailsPdf', 'GET /api/accounts/wireDetails/:id.pdf', {
  summary: 'Returns the bank transfer details of a pending deposit as a PDF.',
  access: ['approved'],
  params: z.object({ id }),
  produces: 'application/pdf',
  problems: ['wrong-state'],
})

export const getWireDetails = endpoint('getWireDetails', 'GET /api/accounts/wireDetails/:id/details', {
  summary: 'Returns the bank transfer details of a pending deposit.',
  access: ['approved'],
  params: z.object({ id }),
  response: z.object({ bankDetails: wireDetails, amount: signedBalance, currency, expiresAt: seconds }),
  problems: ['wrong-state'],
})
