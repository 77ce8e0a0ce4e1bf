/** Withdrawals for staff: dual approval, returned payouts, reversals (requirements 21.12). */
import * as z from 'zod/mini'
import { payoutBatchMachine } from '#rules/payout-batches.ts'
import { readPermissions } from '#rules/permissions.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { choice, currency, signedBalance, seconds, lineInQuery } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, staffBrief, amountFilters, stateOrAll, listOf } from './briefs.ts'
import {
  clientReason,
  moneyFact,
  note,
  operation,
  reason,
  recipient,
  recordFields,
  rowFields,
  twoTexts,
} from './decisions.ts'

const state = choice(withdrawalMachine.states)

/**
 * The date that `from` and `to` filter instead of that of the request; reports count withdrawals and returned payouts
 * by these.
 */
export const withdrawalDays = ['debited', 'returned'] as const

const withdrawalListRow = z.object({
  ...rowFields,
  state,
  reference: z.string(),
  accountNumber: z.string(),
  amount: signedBalance,
  currency,
  bankEnding: z.string(),
  firstApprovedBy: z.nullable(staffBrief),
})

export const listOfficeWithdrawals = endpoint('listOfficeWithdrawals', `GET ${root}/withdrawals`, {
  summary: 'Returns withdrawals, filtered by state, pending ones first.',
  access: readPermissions.withdrawals,
  query: listOf(['createdAt', 'amount'], {
    state: stateOrAll(withdrawalMachine.states),
    dated: z.optional(choice(withdrawalDays)),
    /** A method by its stored name. */
    method: z.optional(lineInQuery(200)),
    ...amountFilters,
  }),
  response: page(withdrawalListRow),
})

const approval = z.nullable(z.object({ by: staffBrief, at: seconds, note: z.string() }))

export const officeWithdrawal = z.object({
  ...recordFields,
  decisionChecks: z.array(decisionCheck),
  state,
  reference: z.string(),
  client: clientBrief,
  amount: signedBalance,
  fee: signedBalance,
  arrives: signedBalance,
  currency,
  account: z.object({ id: z.string(), number: z.string(), platform: z.string(), clientStatus: z.string() }),
  bank: z.extend(recipient, { id: z.string() }),
  /**
   * Balance, reserved amount, unrealised P&L and margin as they are now, which result in the platform's free margin;
   * null once it is decided, because they are not those of the decision.
   */
  money: z.nullable(
    z.object({
      balance: moneyFact,
      ledger: moneyFact,
      agrees: z.boolean(),
      setAsideHere: moneyFact,
      setAsideElsewhere: moneyFact,
      floating: z.nullable(moneyFact),
      margin: moneyFact,
      /** Null if it is not known. */
      openPositions: z.nullable(z.int()),
      freeAfter: moneyFact,
    }),
  ),
  fourEyes: z.object({ threshold: signedBalance, sumToBank: signedBalance, needed: z.boolean() }),
  firstApproval: approval,
  secondApproval: approval,
  paidBy: z.nullable(staffBrief),
  /** Its payout batch; null if it is in none or only in void ones. */
  batch: z.nullable(z.object({ id: z.string(), number: z.string(), state: choice(payoutBatchMachine.states) })),
  /** Who requested its reversal, while that waits for the second person. */
  reversal: z.nullable(z.object({ by: staffBrief, at: seconds })),
  /** Who entered it as a last balance, and the proof; null for a client's request. */
  lastBalance: z.nullable(
    z.object({ by: staffBrief, proof: z.nullable(z.object({ fileId: z.string(), filename: z.string() })) }),
  ),
  operation,
})

export const getOfficeWithdrawal = endpoint('getOfficeWithdrawal', `GET ${root}/withdrawals/:id`, {
  summary: 'Returns one withdrawal with the facts needed to decide it.',
  access: readPermissions.withdrawals,
  params: paramsOf<'withdrawal'>(),
  response: z.object({ withdrawal: officeWithdrawal }),
})

export type OfficeWithdrawal = ResponseOf<typeof getOfficeWithdrawal>['withdrawal']

const decision = decisionsOn('withdrawals', withdrawalMachine)

export const approveWithdrawal = decision('approveWithdrawal', 'approve', {
  summary:
    'Gives the first approval: the withdrawal is sent to the platform or, at or above the threshold, needs a second approval.',
  body: { note, acknowledged },
  problems: [...checkProblems],
})
export const confirmWithdrawal = decision('confirmWithdrawal', 'confirm', {
  summary: 'Gives the second approval. The first approver may not give it.',
  body: { note, acknowledged },
  problems: ['own-approval', ...checkProblems],
})
export const rejectWithdrawal = decision('rejectWithdrawal', 'reject', {
  summary: 'Rejects the withdrawal with a reason for the client, and releases the reserved amount.',
  body: twoTexts,
  problems: ['debit-sent'],
})
export const returnWithdrawal = decision('returnWithdrawal', 'return', {
  summary: 'Records that the bank returned a payout, and credits the account again.',
  body: { reason: clientReason },
  problems: ['return-needs-line'],
})
export const requestReversal = decision('askReversal', 'askReversal', {
  segment: 'ask-reversal',
  summary:
    'Requests the reversal of a withdrawal that was debited but not paid. A second person must confirm it. The reason is visible to staff only.',
  body: { reason },
  problems: ['in-payout-batch', 'payout-not-paid', 'reversal-asked'],
})
export const dropReversal = decision('dropReversal', 'dropReversal', {
  segment: 'drop-reversal',
  summary: 'Cancels the reversal request; the withdrawal is ready for payout again.',
  body: { reason },
  problems: ['reversal-not-asked'],
})
export const reverseWithdrawal = decision('reverseWithdrawal', 'reverse', {
  summary:
    'Confirms a reversal that another person requested. The full debit, including the fee, is credited to the account.',
  body: { note },
  problems: ['own-act', 'payout-not-paid', 'reversal-not-asked'],
})
