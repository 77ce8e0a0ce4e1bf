/** Transfers between own trading accounts (requirements 10). */
import * as z from 'zod/mini'
import { platforms } from '#rules/constants.ts'
import { accountNumber } from './deposits.ts'
import { endpoint } from './endpoint.ts'
import { amount, body, choice, currency, signedBalance, id, requestedAmount, seconds } from './fields.ts'
import { userId } from './users-session.ts'

export const quoteTransfer = endpoint('quoteTransfer', 'POST /api/accounts/quoteTransfer', {
  summary: 'Returns the exchange rate of a transfer, the amount to be credited, and how long the rate is valid.',
  access: ['approved'],
  /** Each platform has its own numbers: if a client has the same one on both, the platform distinguishes them. */
  body: body({
    sourceAccountPlatform: z.optional(choice(platforms)),
    sourceAccount: accountNumber,
    destinationAccountPlatform: z.optional(choice(platforms)),
    destinationAccount: accountNumber,
    transferAmount: amount,
  }),
  response: z.object({ rate: z.string(), arrives: signedBalance, currency, until: seconds }),
  problems: [
    'amount-invalid',
    'amount-large',
    'account-unknown',
    'account-not-approved',
    'platform-not-connected',
    'demo-account',
    'same-account',
    'no-rate',
    'rates-out-of-date',
  ],
})

export const requestTransfer = endpoint('requestTransfer', 'POST /api/accounts/requestTransfer', {
  summary: 'Requests a transfer, which needs approval by staff, and reserves its amount.',
  access: ['approved'],
  stopsWith: ['accounts'],
  body: body({
    userId,
    sourceAccountPlatform: choice(platforms),
    sourceAccount: accountNumber,
    destinationAccountPlatform: choice(platforms),
    destinationAccount: accountNumber,
    transferCurrency: currency,
    transferAmount: requestedAmount,
    /**
     * The rate that was shown; if another one is in force, the request is rejected with the new arriving amount
     * (requirements 28.14).
     */
    rate: z.optional(z.string('invalid').check(z.regex(/^\d{1,9}(\.\d{1,8})?$/, 'invalid'))),
  }),
  status: 201,
  response: z.object({
    id: z.string(),
    reference: z.string(),
    status: choice(['pending', 'processing', 'approved', 'rejected', 'cancelled']),
    amount: signedBalance,
    currency,
    rate: z.string(),
    arrives: signedBalance,
    arrivesCurrency: currency,
  }),
  problems: [
    'amount-invalid',
    'amount-large',
    'transfer-too-low',
    'transfer-more-than-balance',
    'transfer-more-than-available',
    'no-balance',
    'account-unknown',
    'account-not-approved',
    'account-closed',
    'platform-not-connected',
    'demo-account',
    'same-account',
    'currency-not-account',
    'no-rate',
    'rates-out-of-date',
    'rate-changed',
    'figures-old',
    'too-many',
  ],
  idempotent: true,
})

export const cancelTransfer = endpoint('cancelTransfer', 'POST /api/accounts/cancelTransfer', {
  summary: 'Cancels a pending transfer.',
  access: ['approved'],
  body: body({ id }),
  problems: ['money-stopped', 'not-found', 'decided-meanwhile'],
})
