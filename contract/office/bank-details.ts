/** Bank details beside their statement. */
import * as z from 'zod/mini'
import { bankDetailsMachine } from '#rules/bank-details.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { body, choice, currency, line, optionalLine, seconds } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, otherClients, page, paramsOf, root, stateOrAll, listOf } from './briefs.ts'
import { note, recordFields, rowFields, twoTexts, version } from './decisions.ts'

const bankState = choice(bankDetailsMachine.states)

export const listOfficeBankDetails = endpoint('listOfficeBankDetails', `GET ${root}/bank-details`, {
  summary: 'Returns bank details, filtered by state.',
  access: readPermissions.bankDetails,
  query: listOf(['createdAt'], { state: stateOrAll(bankDetailsMachine.states), currency: z.optional(currency) }),
  response: page(
    z.object({
      ...rowFields,
      state: bankState,
      bankName: z.string(),
      bankCountry: z.string(),
      currency,
      number: z.string(),
    }),
  ),
})

export const getOfficeBankDetails = endpoint('getOfficeBankDetails', `GET ${root}/bank-details/:id`, {
  summary: 'Returns one bank account with its bank statement. Account numbers are masked for auditors.',
  access: readPermissions.bankDetails,
  params: paramsOf<'bank_details'>(),
  response: z.object({
    bankDetails: z.object({
      ...recordFields,
      state: bankState,
      client: clientBrief,
      holder: z.string(),
      /** As the clerk read it on the statement; null until entered. */
      statementHolder: z.nullable(z.string()),
      mayEnterHolder: z.boolean(),
      decisionChecks: z.array(decisionCheck),
      bankName: z.string(),
      bankAddress: z.string(),
      bankCountry: z.string(),
      currency,
      accountNumber: z.nullable(z.string()),
      sortCode: z.nullable(z.string()),
      iban: z.nullable(z.string()),
      swift: z.nullable(z.string()),
      statement: z.nullable(
        z.object({
          fileId: z.string(),
          filename: z.string(),
          pages: z.int(),
          uploadedAt: seconds,
          state: choice(['clean', 'quarantined', 'infected']),
        }),
      ),
      /** The values before the last change. */
      previous: z.nullable(z.record(z.string(), z.nullable(z.string()))),
      elsewhere: otherClients,
      usedForPayouts: z.int(),
    }),
  }),
})

export type OfficeBankDetails = ResponseOf<typeof getOfficeBankDetails>['bankDetails']

const decision = decisionsOn('bank-details', bankDetailsMachine)

export const approveBankDetails = decision('approveBankDetails', 'approve', {
  summary: 'Approves the bank account for withdrawals with the holder named on the statement, and notifies the client.',
  /** `holder` may be absent if a name is stored already. */
  body: { note, acknowledged, holder: optionalLine(140) },
  problems: ['file-not-scanned', 'own-act', ...checkProblems],
})
export const enterHolder = endpoint('enterHolder', `POST ${root}/bank-details/:id/holder`, {
  summary: 'Records the account holder named on the bank statement for bank details that were approved without one.',
  access: approveBankDetails.access,
  params: paramsOf<'bank_details'>(),
  body: body({ version, holder: line(140) }),
  response: z.object({ version: z.int() }),
  problems: ['own-request', 'stale-page', 'wrong-state', 'holder-entered'],
})
export const rejectBankDetails = decision('rejectBankDetails', 'reject', {
  summary: 'Rejects the bank account with a reason for the client.',
  body: twoTexts,
})
