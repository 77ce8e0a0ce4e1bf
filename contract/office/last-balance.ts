/** The last balance of a client who is suspended, closed or rejected: entered by finance, approved by compliance. */
import * as z from 'zod/mini'
import { permissions } from '#rules/permissions.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { endpoint } from '../endpoint.ts'
import { amount, body, iban, id, optionalLine, accountId, storedFileProblems } from '../fields.ts'
import { root, clientParams } from './briefs.ts'
import { acknowledged, checkProblems } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientReason, note, reason } from './decisions.ts'
import { proofBodyBytesMax, proofFile } from './proof-file.ts'

export const payLastBalance = endpoint('payLastBalance', `POST ${root}/clients/:id/last-balance`, {
  summary:
    'Creates a payout of the last balance to an approved or a new bank account, with evidence. It needs approval by compliance.',
  access: permissions.payLastBalance,
  stopsWith: ['accounts'],
  params: clientParams,
  body: body({
    accountId,
    amount,
    /** An approved bank account of the client; without it, the following fields describe a new one. */
    bankId: z.optional(id),
    holder: optionalLine(140),
    bankName: optionalLine(140),
    bankAddress: optionalLine(200),
    bankCountry: optionalLine(2),
    bankAccountNumber: optionalLine(34),
    bankSortCode: optionalLine(20),
    bankIBAN: iban(50),
    bankSwift: optionalLine(20),
    /** Confirms that the IBAN rightly belongs to another country than the bank. */
    ibanCountryConfirmed: z.optional(z.boolean()),
    proof: proofFile,
    reason,
  }),
  bodyBytesMax: proofBodyBytesMax,
  status: 201,
  response: z.object({ id: z.string(), reference: z.string() }),
  problems: [
    'own-request',
    'erased-already',
    'reason-required',
    'last-balance-state',
    'account-unknown',
    'account-not-approved',
    'payout-not-on-platform',
    'demo-account',
    'amount-invalid',
    'amount-large',
    'no-balance',
    'more-than-balance',
    'more-than-available',
    'figures-old',
    'bank-currency',
    'bank-not-approved',
    'bank-chosen-and-entered',
    'bank-fields-required',
    'account-number-invalid',
    'sort-code-invalid',
    'iban-invalid',
    'swift-invalid',
    'iban-other-country',
    'not-for-country',
    'unknown-value',
    ...storedFileProblems,
  ],
  idempotent: true,
})

const decision = decisionsOn('withdrawals', withdrawalMachine)

export const approveLastBalance = decision('approveLastBalance', 'approveLastBalance', {
  segment: 'approve-last-balance',
  summary:
    'Approves a last-balance payout and its bank account: it is sent to the platform or, at or above the threshold, needs a second approval.',
  body: { note, acknowledged },
  problems: ['own-approval', 'bank-not-approved', 'file-not-scanned', ...checkProblems],
})
export const rejectLastBalance = decision('rejectLastBalance', 'rejectLastBalance', {
  segment: 'reject-last-balance',
  summary: 'Rejects a last-balance payout and its bank account, and releases the reserved amount.',
  /** The client's text is always required: the internal reason is never sent to a suspended or closed client. */
  body: { reason, clientReason },
  problems: ['debit-sent'],
})
