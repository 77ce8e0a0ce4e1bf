/** Deposits and bank lines for staff: announced and received side by side, matched by a person, sent back by finance. */
import * as z from 'zod/mini'
import { methodTypes } from '#rules/choices.ts'
import { bankLineLife, depositLife } from '#rules/deposits.ts'
import { doers, readers } from '#rules/permissions.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import { endpoint } from '../endpoint.ts'
import { amount, balance, body, choice, currency, figure, id, isoDate, line, optionalLine, seconds } from '../fields.ts'
import { acknowledged, checkProblems } from './checks.ts'
import { statementFile, statementProblems } from './statements.ts'
import { decision } from './decision.ts'
import { clientBrief, nextCursor, recordParams, root, staffBrief } from './briefs.ts'
import {
  clientReason,
  decided,
  decisionProblems,
  note,
  operation,
  reason,
  recordFields,
  rowFields,
  verb,
  version,
  twoTexts,
} from './decisions.ts'
import { listPeriod, listQuery, sortedBy, stateOrAll } from './lists.ts'

const state = choice(depositLife.states)
const lineState = choice(bankLineLife.states)
const matchReason = choice(['reference', 'amount', 'name', 'account-before'])

export const bankLine = z.object({
  id: z.string(),
  version: z.int(),
  state: lineState,
  bankAccount: z.string(),
  bankId: z.string(),
  amount: figure,
  currency,
  payer: z.string(),
  payerAccount: z.string(),
  remittance: z.string(),
  bookedOn: z.string(),
  typedBy: z.nullable(staffBrief),
  importedBy: z.nullable(staffBrief),
  confirmedBy: z.nullable(staffBrief),
  reason: z.nullable(z.string()),
  createdAt: seconds,
  dueAt: z.nullable(seconds),
  /** No match for 5 days. */
  overdue: z.boolean(),
  verbs: z.array(verb),
})
export type BankLine = z.output<typeof bankLine>

const depositFacts = {
  state,
  reference: z.string(),
  accountNumber: z.string(),
  type: choice(methodTypes),
  method: z.string(),
  /** What was announced, and what arrived. */
  amount: figure,
  received: z.nullable(figure),
  fee: figure,
  /** What the provider took back, by kind; neither is a negative deposit. */
  refunded: figure,
  chargedBack: figure,
  currency,
}

export const listOfficeDeposits = endpoint({
  name: 'listOfficeDeposits',
  method: 'GET',
  path: `${root}/deposits`,
  summary: 'Deposits by state.',
  who: readers.deposits,
  query: z.strictObject({
    ...listQuery,
    ...listPeriod,
    ...sortedBy('createdAt', 'amount'),
    state: stateOrAll(depositLife.states),
    type: z.optional(choice(methodTypes)),
    currency: z.optional(currency),
  }),
  answer: z.object({ rows: z.array(z.object({ ...rowFields, ...depositFacts })), next: nextCursor }),
})

const suggestion = z.object({ line: bankLine, reasons: z.array(matchReason), difference: figure })

export const getOfficeDeposit = endpoint({
  name: 'getOfficeDeposit',
  method: 'GET',
  path: `${root}/deposits/:id`,
  summary: 'One deposit with suggested bank lines, or the provider’s state.',
  who: readers.deposits,
  params: recordParams,
  answer: z.object({
    deposit: z.object({
      ...recordFields,
      ...depositFacts,
      client: clientBrief,
      account: z.object({ id: z.string(), number: z.string(), platform: z.string() }),
      wireAccount: z.nullable(z.record(z.string(), z.string())),
      expiresAt: seconds,
      comment: z.string(),
      line: z.nullable(bankLine),
      suggestions: z.array(suggestion),
      provider: z.nullable(
        z.object({
          name: z.string(),
          id: z.nullable(z.string()),
          state: z.nullable(z.string()),
          askedAt: z.nullable(seconds),
          refunded: figure,
        }),
      ),
      operation,
    }),
  }),
  problems: ['not-found'],
})

export const matchDeposit = decision({
  name: 'matchDeposit',
  area: 'deposits',
  life: depositLife,
  verb: 'match',
  summary: 'Matches a bank line to the deposit: what arrived is credited to the account on the platform.',
  body: { lineId: id, lineVersion: version, note, acknowledged },
  problems: [
    'other-currency',
    'line-outgoing',
    'mt4-not-connected',
    'fee-over-amount',
    'line-of-adopted',
    ...checkProblems,
  ],
})
export const rejectDeposit = decision({
  name: 'rejectDeposit',
  area: 'deposits',
  life: depositLife,
  verb: 'reject',
  summary: 'Refuses an announced deposit with a reason that the client reads.',
  body: twoTexts,
  problems: ['reason-required'],
})

export const listBankLines = endpoint({
  name: 'listBankLines',
  method: 'GET',
  path: `${root}/bank-lines`,
  summary: 'Lines of the firm’s bank accounts, what is unmatched first.',
  who: readers.deposits,
  query: z.strictObject({
    ...listQuery,
    ...listPeriod,
    ...sortedBy('bookedOn', 'amount'),
    state: z.optional(lineState),
    currency: z.optional(currency),
  }),
  answer: z.object({ rows: z.array(bankLine), next: nextCursor }),
})

/** A payout that a line may be the return of; `charge` is what the bank kept of it. */
const returnedPayout = z.object({
  withdrawalId: z.string(),
  reference: z.string(),
  client: clientBrief,
  state: choice(withdrawalLife.states),
  sent: figure,
  charge: figure,
  /** Why this person cannot take the line as it now. */
  refusal: verb.shape.refusal,
})

export const getBankLine = endpoint({
  name: 'getBankLine',
  method: 'GET',
  path: `${root}/bank-lines/:id`,
  summary: 'One bank line with the deposits that it may pay, and the payouts that it may bring back.',
  who: readers.deposits,
  params: recordParams,
  answer: z.object({
    line: bankLine,
    suggestions: z.array(
      z.object({
        depositId: z.string(),
        depositVersion: z.int(),
        client: clientBrief,
        accountNumber: z.string(),
        amount: figure,
        currency,
        reference: z.string(),
        announcedAt: seconds,
        reasons: z.array(matchReason),
        difference: figure,
      }),
    ),
    payouts: z.array(returnedPayout),
    /** What it was taken for, once it was; or the payout that left with it. `charge` is what the bank took. */
    deposit: z.nullable(z.object({ id: z.string(), reference: z.string() })),
    withdrawal: z.nullable(
      z.object({ id: z.string(), reference: z.string(), accountNumber: z.string(), charge: figure }),
    ),
    timeline: recordFields.timeline,
    viewers: recordFields.viewers,
  }),
  problems: ['not-found'],
})

export const importStatement = endpoint({
  name: 'importStatement',
  method: 'POST',
  path: `${root}/bank-lines/import`,
  summary:
    'Imports a bank statement as CSV: all of it or nothing. Lines that are known already are counted, not repeated. At or over the threshold a second person confirms a line.',
  who: doers.importStatement,
  body: body({
    ...statementFile,
    filename: line(255),
    /** What the account held before and after, where the file does not say so itself. */
    opening: z.optional(balance),
    closing: z.optional(balance),
  }),
  bodyBytesMax: 6_000_000,
  status: 201,
  answer: z.object({
    imported: z.int(),
    known: z.int(),
    /** Known lines that come with another amount or currency than before: each is a difference. */
    differing: z.int(),
    outgoing: z.int(),
    suggested: z.int(),
    lines: z.array(bankLine),
  }),
  problems: [...statementProblems, 'statement-balance', 'statement-other-balance', 'other-currency'],
})

export const typeLine = endpoint({
  name: 'typeLine',
  method: 'POST',
  path: `${root}/bank-lines`,
  summary: 'Types a payment by hand; at or over the threshold a second person confirms it.',
  who: doers.typeLine,
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
  answer: z.object({ id: z.string(), state: lineState, version: z.int() }),
  problems: ['line-known', 'account-unknown-bank', 'other-currency', 'date-invalid', 'amount-invalid', 'amount-large'],
})

export const confirmLine = decision({
  name: 'confirmLine',
  area: 'bank-lines',
  life: bankLineLife,
  verb: 'confirm',
  summary: 'Confirms a line that somebody else typed or imported.',
  body: { note },
  problems: ['own-act'],
})
export const rejectLine = decision({
  name: 'rejectLine',
  area: 'bank-lines',
  life: bankLineLife,
  verb: 'reject',
  summary: 'Rejects a line that waits for its second person: it never arrived.',
  body: { reason: clientReason },
  problems: ['reason-required', 'own-act'],
})
export const sendBackLine = decision({
  name: 'sendBackLine',
  area: 'bank-lines',
  life: bankLineLife,
  verb: 'sendBack',
  segment: 'send-back',
  summary: 'Sends money back to where it came from.',
  body: { reason: clientReason },
  problems: ['reason-required', 'line-outgoing', 'checks-block', 'own-override'],
})

export const takeReturnedPayout = decision({
  name: 'takeReturnedPayout',
  area: 'bank-lines',
  life: bankLineLife,
  verb: 'comeBack',
  segment: 'come-back',
  summary: 'Takes a line as a payout that somebody else returned; what the bank kept of it is the firm’s cost.',
  body: { withdrawalId: id, reason },
  problems: [
    'reason-required',
    'line-outgoing',
    'other-currency',
    'payout-not-returned',
    'payout-has-line',
    'more-than-payout',
    'own-return',
  ],
})

export const matchLine = endpoint({
  name: 'matchLine',
  method: 'POST',
  path: `${root}/bank-lines/:id/match`,
  summary: 'Matches a line to an announced deposit, or to an account where nothing was announced.',
  who: matchDeposit.who,
  params: recordParams,
  body: body({ version, depositId: z.optional(id), accountId: z.optional(id), note, acknowledged }),
  answer: decided,
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
    ...checkProblems,
  ],
})
