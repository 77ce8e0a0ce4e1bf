/** Withdrawals to a saved bank account (requirements 9). */
import * as z from 'zod/mini'
import { methodTypes, paymentGateways } from '#rules/payment-methods.ts'
import { platforms } from '#rules/constants.ts'
import { accountNumber } from './deposits.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, currency, signedBalance, id, line, requestedAmount, seconds } from './fields.ts'
import { userId } from './users-session.ts'

/** A withdrawal's status as a client sees it. */
export const withdrawalStatus = choice([
  'pending',
  'processing',
  'approved',
  'paid',
  'returned',
  'rejected',
  'cancelled',
])

export const requestWithdrawal = endpoint('requestWithdrawal', 'POST /api/accounts/requestWithdrawal', {
  summary: 'Requests a withdrawal and reserves its amount.',
  access: ['approved'],
  stopsWith: ['accounts'],
  body: body({
    userId,
    accountPlatform: choice(platforms),
    accountNumber,
    paymentGatewayService: choice(paymentGateways),
    withdrawalType: choice(methodTypes),
    withdrawalPaymentName: line(100),
    withdrawalCurrency: currency,
    withdrawalAmount: requestedAmount,
    bankId: id,
  }),
  status: 201,
  response: z.object({
    id: z.string(),
    reference: z.string(),
    status: withdrawalStatus,
    amount: signedBalance,
    fee: signedBalance,
    arrives: signedBalance,
    currency,
    available: signedBalance,
    /** When the withdrawal can continue, if it cannot now; the reason is not told. */
    continuesAt: z.nullable(seconds),
  }),
  problems: [
    'amount-invalid',
    'amount-large',
    'withdrawal-too-low',
    'more-than-balance',
    'more-than-available',
    'fee-over-amount',
    'no-balance',
    'account-unknown',
    'account-not-approved',
    'account-closed',
    'platform-not-connected',
    'demo-account',
    'currency-not-account',
    'bank-currency',
    'not-found',
    'bank-not-approved',
    'method-not-offered',
    'figures-old',
    'too-many',
  ],
  idempotent: true,
  requiresBoundStepUp: true,
})

export const cancelWithdrawal = endpoint('cancelWithdrawal', 'POST /api/accounts/cancelWithdrawal', {
  summary: 'Cancels a pending withdrawal and releases the reserved amount.',
  access: ['approved'],
  body: body({ id }),
  problems: ['money-stopped', 'not-found', 'decided-meanwhile'],
})
