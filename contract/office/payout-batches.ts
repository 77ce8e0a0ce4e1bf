/** Payout batches: created, released by a second person, confirmed as sent, or voided (ADR 115). */
import * as z from 'zod/mini'
import { rolesFor, permissions, readPermissions } from '#rules/permissions.ts'
import { batchPaymentsMax, payoutBatchMachine } from '#rules/payout-batches.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { body, choice, currency, signedBalance, id, optionalLine, seconds, wholeNumber } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, staffBrief, stateOrAll, listOf, amountFilters } from './briefs.ts'
import { decided, decisionProblems, note, reason, recordFields, version } from './decisions.ts'

const state = choice(payoutBatchMachine.states)
const area = 'payout-batches'

/** Batches whose file the bank has or may have: released, or with a requested void. */
export const withBank = 'with_bank'

/** Why a payment may not be paid now: the code of a check and its text. */
const block = z.object({ code: z.string(), text: z.string() })
/** A payment that is not in the file, for display. */
const omittedPayment = z.object({ id: z.string(), reference: z.string(), client: z.string(), blocks: z.array(block) })

const facts = {
  state,
  number: z.string(),
  currency,
  count: z.int(),
  total: signedBalance,
  createdBy: z.nullable(staffBrief),
  releasedBy: z.nullable(staffBrief),
  releasedAt: z.nullable(seconds),
  confirmedBy: z.nullable(staffBrief),
  sentAt: z.nullable(seconds),
}

const payee = {
  id: z.string(),
  reference: z.string(),
  client: clientBrief,
  holder: z.string(),
  bankName: z.string(),
  iban: z.nullable(z.string()),
  swift: z.nullable(z.string()),
  accountNumber: z.nullable(z.string()),
  sortCode: z.nullable(z.string()),
  amount: signedBalance,
}

export const payoutOverview = endpoint('payoutOverview', `GET ${root}/payouts`, {
  summary:
    'Returns the approved withdrawals that are not in a batch, by currency, and the number of batches at each step.',
  access: readPermissions.payouts,
  response: z.object({
    /** `cutOff`: until when a file still reaches the bank on its day. */
    ready: z.array(z.object({ currency, count: z.int(), sum: signedBalance, cutOff: z.nullable(seconds) })),
    toRelease: z.int(),
    withBank: z.int(),
    returned: z.int(),
  }),
})

export const payoutList = endpoint('payoutList', `GET ${root}/payouts/:currency`, {
  summary: 'Returns the approved withdrawals in one currency that are not in a batch, with their total.',
  access: permissions.createPayoutBatch,
  params: z.object({ currency }),
  response: z.object({
    rows: z.array(z.object({ ...payee, version: z.int(), approvedAt: seconds, blocks: z.array(block) })),
    count: z.int(),
    sum: signedBalance,
    currency,
  }),
})

export const createPayoutBatch = endpoint('createPayoutBatch', `POST ${root}/${area}`, {
  summary:
    'Creates a batch of approved withdrawals: the given ones or, by default, the oldest that are not in a batch.',
  access: permissions.createPayoutBatch,
  body: body({
    currency,
    withdrawals: z.optional(z.array(id).check(z.minLength(1, 'required'), z.maxLength(batchPaymentsMax, 'invalid'))),
  }),
  status: 201,
  response: z.object({
    id: z.string(),
    number: z.string(),
    count: z.int(),
    total: signedBalance,
    currency,
    leftOut: z.array(omittedPayment),
  }),
  problems: ['nothing-to-pay', 'all-left-out', 'own-request', 'payouts-stopped'],
  stopsWith: ['payouts'],
  idempotent: true,
})

export const listPayoutBatches = endpoint('listPayoutBatches', `GET ${root}/${area}`, {
  summary: 'Returns payout batches, by default those that are not finished.',
  access: readPermissions.payouts,
  query: listOf(['createdAt'], {
    state: stateOrAll([...payoutBatchMachine.states, withBank]),
    ...amountFilters,
  }),
  response: page(
    z.object({
      id: z.string(),
      version: z.int(),
      createdAt: seconds,
      ...facts,
      /** Whether the caller may release it now. */
      mayRelease: z.boolean(),
    }),
  ),
})

const payment = z.object({
  ...payee,
  state: choice(withdrawalMachine.states),
  /** How many people approved it. */
  approvals: z.int(),
  /** Why it is not in the file: currently while the batch waits for its release, then as of the release. */
  blocks: z.array(block),
  inFile: z.boolean(),
})

export const getPayoutBatch = endpoint('getPayoutBatch', `GET ${root}/${area}/:id`, {
  summary: 'Returns one batch with its payments, and what its file would contain if it were released now.',
  access: readPermissions.payouts,
  params: paramsOf<'payout_batch'>(),
  response: z.object({
    batch: z.object({
      ...recordFields,
      ...facts,
      sha256: z.nullable(z.string()),
      fileName: z.nullable(z.string()),
      payments: z.array(payment),
      /** What a release confirms exactly; null once it has been released. */
      draft: z.nullable(
        z.object({
          count: z.int(),
          total: signedBalance,
          sha256: z.string(),
          /** The ledger's bank balance in this currency; null for readers without access to client money. */
          held: z.nullable(signedBalance),
        }),
      ),
      /** Until when its file reaches the bank, while it waits for its release. */
      cutOff: z.nullable(seconds),
      /** True if the release must name the bank's last batch: for the first one after a start. */
      asksBankNumber: z.boolean(),
      /** True if no active person may release it. */
      nobodyCanRelease: z.boolean(),
      voidRequest: z.nullable(z.object({ by: staffBrief, at: seconds, reason: z.string() })),
    }),
  }),
})

export type PayoutBatch = ResponseOf<typeof getPayoutBatch>['batch']

export const releasePayoutBatch = endpoint('releasePayoutBatch', `POST ${root}/${area}/:id/release`, {
  summary: 'Releases a batch if its count, total and hash match the given ones, and creates its payout file.',
  access: rolesFor(payoutBatchMachine, 'release'),
  params: paramsOf<'payout_batch'>(),
  body: body({
    version,
    count: wholeNumber(0, batchPaymentsMax),
    total: signedBalance,
    sha256: z.string('required').check(z.regex(/^[0-9a-f]{64}$/, 'invalid')),
    /** The bank's last batch in this currency, "PB-000041" or "41"; "0" if there is none. */
    bankNumber: optionalLine(20),
    note,
  }),
  response: decided,
  problems: [
    ...decisionProblems,
    'own-batch',
    'approved-in-batch',
    'own-override',
    'batch-changed',
    'nothing-to-pay',
    'payouts-stopped',
    'bank-number-needed',
  ],
  requiresStepUp: true,
  stopsWith: ['payouts'],
})

export const payoutFile = endpoint('payoutFile', `GET ${root}/${area}/:id/file`, {
  summary: 'Returns the payout file of a released batch as CSV.',
  access: permissions.savePayoutFile,
  params: paramsOf<'payout_batch'>(),
  produces: 'text/csv',
  problems: ['batch-not-released', 'batch-void', 'batch-file-differs'],
  requiresStepUp: true,
  stopsWith: ['payouts'],
})

const decision = decisionsOn(area, payoutBatchMachine)

export const confirmPayoutBatch = decision('confirmPayoutBatch', 'confirm', {
  summary:
    'Confirms that the bank has executed the batch and marks its payments as paid. The person who released the batch may not confirm it.',
  body: { note },
  problems: ['own-release'],
})
export const discardPayoutBatch = decision('discardPayoutBatch', 'discard', {
  summary: 'Voids a batch that has not been released. Its payments can be added to another batch.',
  body: { reason },
})
export const requestVoidPayoutBatch = decision('askVoidPayoutBatch', 'askVoid', {
  segment: 'ask-void',
  summary:
    'Requests that a released batch be voided because the bank executed none of its payments. A second person must confirm this.',
  body: { reason },
})
export const confirmVoidPayoutBatch = decision('confirmVoidPayoutBatch', 'confirmVoid', {
  segment: 'confirm-void',
  summary:
    'Confirms that the bank executed none of the payments. The batch is voided, and its payments can be added to another batch.',
  body: { note },
  problems: ['own-act'],
})
export const dropVoidPayoutBatch = decision('dropVoidPayoutBatch', 'dropVoid', {
  segment: 'drop-void',
  summary: 'Cancels the request to void a batch, which returns to the released state.',
  body: { reason },
})
export const closePayoutBatch = decision('closePayoutBatch', 'close', {
  summary: 'Closes a batch that was sent, once the bank statement shows all of its payments.',
  body: { note },
})
