/** The ledger: corrections with dual approval, client money requirement and resource, reconciliation. */
import * as z from 'zod/mini'
import { correctionMachine, differenceMachine } from '#rules/corrections.ts'
import { differenceProposals } from '#rules/differences.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, currency, idOf, signedBalance, seconds, signedAmount, accountId } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, staffBrief, signedAmountFilters, listOf } from './briefs.ts'
import { note, reason, recordFields } from './decisions.ts'

const correctionState = choice(correctionMachine.states)
const correctionFacts = {
  state: correctionState,
  accountId: z.string(),
  accountNumber: z.string(),
  client: clientBrief,
  amount: signedBalance,
  currency,
  why: z.string(),
  askedBy: staffBrief,
  /** The deposit that it returns to its payer, if any. */
  deposit: z._default(z.nullable(z.object({ id: z.string(), reference: z.string() })), null),
}

export const listCorrections = endpoint('listCorrections', `GET ${root}/corrections`, {
  summary: 'Returns manual ledger corrections.',
  access: readPermissions.corrections,
  query: listOf(['createdAt', 'amount'], { ...signedAmountFilters, state: z.optional(correctionState) }),
  response: page(
    z.object({
      id: z.string(),
      version: z.int(),
      createdAt: seconds,
      ...correctionFacts,
    }),
  ),
})
export const getCorrection = endpoint('getCorrection', `GET ${root}/corrections/:id`, {
  summary: 'Returns one correction with the ledger and platform balances before and after it.',
  access: readPermissions.corrections,
  params: paramsOf<'correction'>(),
  response: z.object({
    correction: z.object({
      ...recordFields,
      decisionChecks: z.array(decisionCheck),
      ...correctionFacts,
      ledgerBefore: signedBalance,
      ledgerAfter: signedBalance,
      platformBalance: z.nullable(signedBalance),
      readAt: z.nullable(seconds),
    }),
  }),
})
export const requestCorrection = endpoint('askCorrection', `POST ${root}/corrections`, {
  summary: 'Requests a correction, which needs a decision by another person.',
  access: permissions.askCorrection,
  body: body({ accountId, amount: signedAmount, currency, reason, depositId: z.optional(idOf<'deposit'>()) }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: [
    'account-unknown',
    'other-currency',
    'amount-invalid',
    'amount-large',
    'reason-required',
    'own-request',
    'deposit-not-of-account',
    'return-is-debit',
    'more-than-deposit-left',
    'checks-block',
  ],
  idempotent: true,
  stopsWith: ['accounts'],
})
export const listReturnableDeposits = endpoint(
  'listReturnableDeposits',
  `GET ${root}/corrections/accounts/:id/deposits`,
  {
    summary: 'Returns the deposits of an account that a correction can still return, newest first.',
    access: readPermissions.corrections,
    params: paramsOf<'account'>(),
    response: z.object({
      deposits: z.array(
        z.object({
          id: z.string(),
          reference: z.string(),
          at: seconds,
          currency,
          received: signedBalance,
          /** Less what other corrections return, also undecided ones. */
          left: signedBalance,
        }),
      ),
    }),
  },
)
const correctionDecision = decisionsOn('corrections', correctionMachine)

export const approveCorrection = correctionDecision('approveCorrection', 'approve', {
  summary: 'Approves and posts the correction. The person who requested it may not approve it.',
  body: { note, acknowledged },
  problems: ['own-act', 'available-fell', 'account-not-on-platform', ...checkProblems],
})
export const rejectCorrection = correctionDecision('rejectCorrection', 'reject', {
  summary: 'Rejects the correction with a reason.',
  body: { reason },
  problems: ['own-act'],
})

/** One row of the two columns: the requirement or the resource. */
const place = z.object({
  code: choice([
    'trading-accounts',
    'set-aside',
    'arrived-unmatched',
    'payout-in-transit',
    'transfer-in-transit',
    'bank',
    'provider',
  ]),
  name: z.string(),
  count: z.nullable(z.int()),
  owed: z.nullable(signedBalance),
  held: z.nullable(signedBalance),
})
/** The firm's own part of the resource according to the ledger; negative if the firm owes it. */
const ownPart = z.object({
  code: choice(['fees', 'exchange', 'trading-result', 'corrections', 'firm-money']),
  amount: signedBalance,
})

export const getClientMoneyView = endpoint('getClientMoneyView', `GET ${root}/client-money`, {
  summary:
    'Returns the client money requirement, the client money resource at the bank and the card provider, and an explanation of the difference.',
  access: readPermissions.clientMoney,
  response: z.object({
    at: seconds,
    statementsTo: z.nullable(z.string()),
    currencies: z.array(
      z.object({
        currency,
        places: z.array(place),
        owed: signedBalance,
        held: signedBalance,
        difference: signedBalance,
        own: z.array(ownPart),
        unexplained: signedBalance,
        openDifferences: z.int(),
        /**
         * The bank's balance of each account at the end of its last statement, and the ledger's balance at that time.
         */
        statements: z.array(
          z.object({
            account: z.string(),
            on: z.string(),
            closing: signedBalance,
            booked: signedBalance,
            readAt: seconds,
          }),
        ),
        standing: choice(['agrees', 'explained', 'open', 'unexplained']),
      }),
    ),
  }),
})
export const clientMoneyCsv = endpoint('clientMoneyCsv', `GET ${root}/client-money.csv`, {
  summary: 'Returns the client money view as CSV.',
  access: readPermissions.clientMoney,
  produces: 'text/csv',
})

const differenceState = choice(differenceMachine.states)
const differenceRow = z.object({
  id: z.string(),
  version: z.int(),
  kind: z.string(),
  state: differenceState,
  client: z.nullable(clientBrief),
  accountNumber: z.nullable(z.string()),
  platform: z.nullable(choice(['MT4', 'MT5'])),
  subject: z.nullable(z.string()),
  record: z.nullable(z.string()),
  ours: z.nullable(signedBalance),
  theirs: z.nullable(signedBalance),
  difference: z.nullable(signedBalance),
  currency: z.nullable(currency),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  foundAt: seconds,
  /** Whether it blocks its account: then two people decide it. */
  holds: z.boolean(),
  /** The proposal of one person, and its confirmation by another. */
  proposal: z.nullable(
    z.object({ proposal: choice(differenceProposals), by: staffBrief, at: seconds, reason: z.string() }),
  ),
  decidedBy: z.nullable(staffBrief),
})

/** How many accounts were compared, how many could not be, and how many discrepancies were found. */
const comparison = { accounts: z.int(), unread: z.int(), differences: z.int() }

export const listDifferences = endpoint('listDifferences', `GET ${root}/reconciliation`, {
  summary: 'Returns the discrepancies between ledger, platform, bank and card provider, with both sides of each.',
  access: readPermissions.reconciliation,
  query: listOf(['foundAt'], { state: z.optional(differenceState), ...signedAmountFilters }),
  response: page(differenceRow, { lastRun: z.nullable(z.object({ at: seconds, ...comparison })) }),
})
export const getDifference = endpoint('getDifference', `GET ${root}/reconciliation/:id`, {
  summary: 'Returns one discrepancy with the postings and platform operations around it.',
  access: readPermissions.reconciliation,
  params: paramsOf<'difference'>(),
  response: z.object({
    difference: z.object({
      ...recordFields,
      row: differenceRow,
      /** Permitted proposals; empty if one person explains it. */
      proposals: z.array(choice(differenceProposals)),
      ours: z.array(z.object({ ref: z.string(), kind: z.string(), amount: signedBalance, at: seconds })),
      theirs: z.array(z.object({ ref: z.string(), ticket: z.string(), amount: signedBalance, at: seconds })),
    }),
  }),
})
const discrepancyDecision = decisionsOn('reconciliation', differenceMachine)

export const explainDifference = discrepancyDecision('explainDifference', 'explain', {
  summary: 'Closes a discrepancy that does not block an account, with an explanation.',
  body: { reason },
  problems: ['two-people-decide'],
})
export const proposeDifference = discrepancyDecision('proposeDifference', 'propose', {
  summary: 'Proposes a resolution for a discrepancy that blocks an account; another person must confirm it.',
  body: { proposal: choice(differenceProposals), reason },
  problems: ['unknown-value', 'recovery-refunded'],
})
export const confirmDifference = discrepancyDecision('confirmDifference', 'confirm', {
  summary: 'Confirms the proposal: the deal is booked or reversed on the platform, and the rest is explained.',
  body: { note },
  problems: ['own-act', 'mt4-not-connected', 'recovery-refunded'],
})
export const rejectDifference = discrepancyDecision('rejectDifference', 'reject', {
  summary: 'Rejects or cancels the proposal; the discrepancy remains open.',
  body: { reason },
})
export const reconcileNow = endpoint('reconcileNow', `POST ${root}/reconciliation/run`, {
  summary: 'Reconciles the ledger with the platforms immediately.',
  access: permissions.reconcileNow,
  response: z.object({ at: seconds, ...comparison }),
  problems: ['platform-unavailable', 'too-many'],
})
