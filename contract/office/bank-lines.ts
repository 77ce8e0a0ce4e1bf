/** Bank transactions: their list, import, manual entry, matching and return to the sender. */
import * as z from 'zod/mini'
import { bankLineMachine, depositMachine } from '#rules/deposits.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import {
  amount,
  balance,
  body,
  charge,
  choice,
  currency,
  signedBalance,
  id,
  idOf,
  isoDate,
  line,
  optionalLine,
  seconds,
  accountId,
} from '../fields.ts'
import { acknowledged, checkProblems } from './checks.ts'
import { statementFile, statementProblems } from './statements.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, staffBrief, signedAmountFilters, listOf } from './briefs.ts'
import {
  clientReason,
  decided,
  decisionProblems,
  note,
  reason,
  recordFields,
  requiredRoles,
  action,
  version,
} from './decisions.ts'

export const matchReason = choice(['reference', 'amount', 'name', 'account-before'])

const lineState = choice(bankLineMachine.states)

export const bankLine = z.object({
  id: z.string(),
  version: z.int(),
  state: lineState,
  bankAccount: z.string(),
  bankId: z.string(),
  amount: signedBalance,
  currency,
  payer: z.string(),
  payerAccount: z.string(),
  remittance: z.string(),
  bookedOn: z.string(),
  typedBy: z.nullable(staffBrief),
  importedBy: z.nullable(staffBrief),
  confirmedBy: z.nullable(staffBrief),
  /**
   * Proposed or confirmed as a settlement of the card provider: `gross` is settled of what the provider holds, `fee` was
   * withheld. A server of the version before does not send it.
   */
  settlement: z._default(
    z.nullable(z.object({ gross: signedBalance, fee: signedBalance, proposedBy: staffBrief })),
    null,
  ),
  reason: z.nullable(z.string()),
  createdAt: seconds,
  /** No match for 5 days. */
  overdue: z.boolean(),
  verbs: z.array(action),
  requiredRoles,
})

export type BankLine = z.output<typeof bankLine>

export const listBankLines = endpoint('listBankLines', `GET ${root}/bank-lines`, {
  summary: 'Returns the transactions of the firm’s bank accounts, unmatched ones first.',
  access: readPermissions.deposits,
  query: listOf(['bookedOn', 'amount'], { state: z.optional(lineState), ...signedAmountFilters }),
  response: page(bankLine),
})

/** A payout that a transaction may return; `charge` is the amount deducted by the bank. */
const returnedPayout = z.object({
  withdrawalId: z.string(),
  reference: z.string(),
  client: clientBrief,
  state: choice(withdrawalMachine.states),
  sent: signedBalance,
  charge: signedBalance,
  /** Why this person cannot take the transaction as it now. */
  refusal: action.shape.refusal,
})

export const getBankLine = endpoint('getBankLine', `GET ${root}/bank-lines/:id`, {
  summary: 'Returns one bank transaction with suggested deposits and possible returned payouts.',
  access: readPermissions.deposits,
  params: paramsOf<'bank_line'>(),
  response: z.object({
    line: bankLine,
    suggestions: z.array(
      z.object({
        depositId: z.string(),
        client: clientBrief,
        accountNumber: z.string(),
        amount: signedBalance,
        currency,
        reference: z.string(),
        announcedAt: seconds,
        reasons: z.array(matchReason),
        difference: signedBalance,
      }),
    ),
    payouts: z.array(returnedPayout),
    /** The matched deposit or payout. `charge` is the amount deducted by the bank. */
    deposit: z.nullable(z.object({ id: z.string(), reference: z.string() })),
    withdrawal: z.nullable(
      z.object({ id: z.string(), reference: z.string(), accountNumber: z.string(), charge: signedBalance }),
    ),
    timeline: recordFields.timeline,
    viewers: recordFields.viewers,
  }),
})

export type BankLineDetails = ResponseOf<typeof getBankLine>

export const importStatement = endpoint('importStatement', `POST ${root}/bank-lines/import`, {
  summary:
    'Imports a bank statement as CSV, completely or not at all. Lines that are already known are counted but not imported again. Lines at or above the threshold need confirmation by a second person; without a closing balance, the amounts that the caller entered within 24 hours count together, and each receipt on a replaced account needs confirmation.',
  access: permissions.importStatement,
  body: body({
    ...statementFile,
    filename: line(255),
    /** The balances before and after, if the file does not state them. */
    opening: z.optional(balance),
    closing: z.optional(balance),
  }),
  bodyBytesMax: 6_000_000,
  status: 201,
  response: z.object({
    imported: z.int(),
    known: z.int(),
    /** Known transactions with another amount or currency than before: each is a discrepancy. */
    differing: z.int(),
    outgoing: z.int(),
    suggested: z.int(),
    lines: z.array(bankLine),
  }),
  problems: [...statementProblems, 'statement-balance', 'statement-other-balance', 'other-currency'],
})

export const enterBankTransaction = endpoint('typeLine', `POST ${root}/bank-lines`, {
  summary:
    'Records a bank transaction manually. It needs confirmation by a second person once the amounts that the caller entered within 24 hours reach the threshold, and always on a replaced account.',
  access: permissions.typeLine,
  body: body({
    bankAccount: line(42),
    bankId: line(64),
    amount,
    currency,
    payer: line(140),
    payerAccount: optionalLine(42),
    remittance: optionalLine(140),
    bookedOn: isoDate,
  }),
  status: 201,
  response: z.object({ id: z.string(), state: lineState, version: z.int() }),
  problems: ['line-known', 'account-unknown-bank', 'other-currency', 'date-invalid', 'amount-invalid', 'amount-large'],
})

const lineDecision = decisionsOn('bank-lines', bankLineMachine)

export const confirmLine = lineDecision('confirmLine', 'confirm', {
  summary: 'Confirms a bank transaction that another person entered or imported.',
  body: { note },
  problems: ['own-act'],
})

export const rejectLine = lineDecision('rejectLine', 'reject', {
  summary: 'Rejects a bank transaction that needs confirmation by a second person, because the payment never arrived.',
  body: { reason: clientReason },
  problems: ['own-act'],
})

export const sendBackLine = lineDecision('sendBackLine', 'sendBack', {
  segment: 'send-back',
  summary: 'Returns the money of a bank transaction to its sender.',
  body: { reason: clientReason },
  problems: ['line-outgoing', 'checks-block'],
})

export const takeReturnedPayout = lineDecision('takeReturnedPayout', 'comeBack', {
  segment: 'come-back',
  summary:
    'Matches a bank transaction to a payout that another person marked as returned. The firm bears any bank charges.',
  body: { withdrawalId: id, reason },
  problems: [
    'line-outgoing',
    'other-currency',
    'payout-not-returned',
    'payout-has-line',
    'more-than-payout',
    'own-return',
  ],
})

export const proposeSettlement = lineDecision('proposeSettlement', 'proposeSettlement', {
  segment: 'propose-settlement',
  summary:
    'Proposes a bank transaction as a settlement of the card provider, with the charges that it withheld. Another person must confirm it.',
  body: { fee: charge, reason },
  problems: ['amount-invalid', 'amount-large', 'line-not-free', 'settlement-over-balance', 'settlement-over-returns'],
})

export const confirmSettlement = lineDecision('confirmSettlement', 'confirmSettlement', {
  segment: 'confirm-settlement',
  summary: 'Confirms a settlement of the card provider that another person proposed, and posts it.',
  body: { note },
  problems: ['own-act', 'settlement-over-balance', 'settlement-over-returns'],
})

export const rejectSettlement = lineDecision('rejectSettlement', 'rejectSettlement', {
  segment: 'reject-settlement',
  summary: 'Rejects a proposed settlement of the card provider. The bank transaction is unmatched again.',
  body: { reason },
  problems: ['own-act'],
})

const depositDecision = decisionsOn('deposits', depositMachine)

export const matchDeposit = depositDecision('matchDeposit', 'match', {
  summary: 'Matches a bank transaction to a deposit and credits the received amount on the platform.',
  body: { lineId: idOf<'bank_line'>(), lineVersion: version, note, acknowledged },
  problems: [
    'other-currency',
    'line-outgoing',
    'mt4-not-connected',
    'fee-over-amount',
    'line-of-adopted',
    'own-override',
    ...checkProblems,
  ],
})

export const matchLine = endpoint('matchLine', `POST ${root}/bank-lines/:id/match`, {
  summary: 'Matches a bank transaction to an expected deposit, or to an account if none was expected.',
  access: matchDeposit.access,
  params: paramsOf<'bank_line'>(),
  body: body({
    version,
    depositId: z.optional(idOf<'deposit'>()),
    accountId: z.optional(accountId),
    note,
    acknowledged,
  }),
  response: decided,
  problems: [
    ...decisionProblems,
    'other-currency',
    'line-outgoing',
    'mt4-not-connected',
    'fee-over-amount',
    'line-of-adopted',
    'account-not-approved',
    'owner-closed',
    'demo-account',
    'required',
    'own-override',
    ...checkProblems,
  ],
})
