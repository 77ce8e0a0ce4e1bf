/** Deposits for staff, and their rejection. Their bank transactions are in bank-lines.ts. */
import * as z from 'zod/mini'
import { methodTypes } from '#rules/payment-methods.ts'
import { depositMachine } from '#rules/deposits.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { choice, currency, signedBalance, seconds, lineInQuery } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, amountFilters, stateOrAll, listOf } from './briefs.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { note, operation, recordFields, rowFields, twoTexts } from './decisions.ts'
import { bankLine, matchReason } from './bank-lines.ts'

const state = choice(depositMachine.states)

/** The date that `from` and `to` filter instead of that of the request; reports count deposits and refunds by these. */
export const depositDays = ['credited', 'refunded'] as const

const depositFacts = {
  state,
  reference: z.string(),
  accountNumber: z.string(),
  type: choice(methodTypes),
  method: z.string(),
  /** The announced and the received amount. */
  amount: signedBalance,
  received: z.nullable(signedBalance),
  fee: signedBalance,
  /** Refunds and chargebacks, separately; neither is a negative deposit. */
  refunded: signedBalance,
  chargedBack: signedBalance,
  currency,
}

export const listOfficeDeposits = endpoint('listOfficeDeposits', `GET ${root}/deposits`, {
  summary: 'Returns deposits, filtered by state.',
  access: readPermissions.deposits,
  query: listOf(['createdAt', 'amount'], {
    state: stateOrAll(depositMachine.states),
    type: z.optional(choice(methodTypes)),
    dated: z.optional(choice(depositDays)),
    /** A method by its stored name. */
    method: z.optional(lineInQuery(200)),
    ...amountFilters,
  }),
  response: page(z.object({ ...rowFields, ...depositFacts })),
})

const suggestion = z.object({ line: bankLine, reasons: z.array(matchReason), difference: signedBalance })

export const getOfficeDeposit = endpoint('getOfficeDeposit', `GET ${root}/deposits/:id`, {
  summary: 'Returns one deposit with suggested bank transactions, or with the card provider’s status.',
  access: readPermissions.deposits,
  params: paramsOf<'deposit'>(),
  response: z.object({
    deposit: z.object({
      ...recordFields,
      ...depositFacts,
      decisionChecks: z.array(decisionCheck),
      client: clientBrief,
      account: z.object({ id: z.string(), number: z.string(), platform: z.string() }),
      expiresAt: seconds,
      comment: z.string(),
      line: z.nullable(bankLine),
      suggestions: z.array(suggestion),
      provider: z.nullable(
        z.object({
          name: z.string(),
          id: z.nullable(z.string()),
          state: z.nullable(z.string()),
          refunded: signedBalance,
        }),
      ),
      operation,
    }),
  }),
})

export type OfficeDeposit = ResponseOf<typeof getOfficeDeposit>['deposit']

const decision = decisionsOn('deposits', depositMachine)

export const rejectDeposit = decision('rejectDeposit', 'reject', {
  summary: 'Rejects an expected deposit, or one in review, with a reason for the client.',
  body: twoTexts,
  problems: ['payment-not-returned', 'payment-not-checked'],
})

export const creditDeposit = decision('creditDeposit', 'credit', {
  summary: 'Sends the credit of a card payment that the platform refused, or that came late, to its account.',
  body: { note, acknowledged },
  problems: [
    'payment-partly-returned',
    'owner-closed',
    'account-not-approved',
    'refund-open',
    'mt4-not-connected',
    'job-gone',
    'own-override',
    'payment-not-checked',
    ...checkProblems,
  ],
})

export const refundDeposit = decision('refundDeposit', 'refund', {
  summary: 'Requests the refund of a card payment that is not credited from the provider.',
  body: { note, acknowledged },
  problems: [
    'provider-payment-unknown',
    'credit-on-platform',
    'deal-unreadable',
    'refund-open',
    'mt4-not-connected',
    'own-override',
    'payment-not-checked',
    'platform-unavailable',
    ...checkProblems,
  ],
})
