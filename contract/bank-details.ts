/** A client's bank accounts (requirements 12). */
import * as z from 'zod/mini'
import { bankDetailsMachine } from '#rules/bank-details.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, countryCode, currency, fileName, iban, id, line, optionalLine, seconds } from './fields.ts'
import { userId } from './users-session.ts'

export const bankDetails = z.object({
  _id: z.string(),
  userId: z.string(),
  bankName: z.string(),
  bankAddress: z.string(),
  bankCountry: z.string(),
  bankAccountCurrency: currency,
  bankAccountNumber: z.nullable(z.string()),
  bankSortCode: z.nullable(z.string()),
  bankIBAN: z.nullable(z.string()),
  bankSwift: z.nullable(z.string()),
  bankPOA: z.nullable(z.string()),
  bankPOAUrl: z.nullable(z.string()),
  status: choice(bankDetailsMachine.states),
  reason: z.nullable(z.string()),
  timestamp: seconds,
})
export type BankDetails = z.output<typeof bankDetails>

const fields = {
  userId,
  bankName: line(140, 'bank-fields-required'),
  bankAddress: line(200, 'bank-fields-required'),
  bankCountry: countryCode,
  bankAccountCurrency: currency,
  bankAccountNumber: optionalLine(34),
  bankSortCode: optionalLine(20),
  bankIBAN: iban(50),
  bankSwift: optionalLine(20),
  /** Confirms that the IBAN rightly belongs to another country than the bank. */
  ibanCountryConfirmed: z.optional(z.boolean()),
}
const statement = fileName('bank-statement-required')

export const getBankDetails = endpoint('getBankDetails', 'GET /api/accounts/getBankDetails/:a/:b', {
  summary: 'Returns the client’s bank accounts, filtered by currency (a) and status (b); “all” disables either filter.',
  access: ['approved'],
  params: z.object({ a: choice(['all', 'EUR', 'GBP', 'USD']), b: choice(['all', ...bankDetailsMachine.states]) }),
  response: z.object({ bankDetails: z.array(bankDetails) }),
})

export const lookUpBank = endpoint('lookUpBank', 'POST /api/accounts/lookUpBank', {
  summary:
    'Returns the bank and the BIC of an IBAN from the bank directory that the firm imported, or null if the directory has no entry.',
  access: ['approved'],
  body: body({ iban: line(50) }),
  response: z.object({
    bank: z.nullable(z.object({ bankName: z.string(), bankSwift: z.string(), asOf: z.string() })),
  }),
  problems: ['too-many'],
})

const bankProblems = [
  'bank-fields-required',
  'bank-statement-required',
  'account-number-invalid',
  'sort-code-invalid',
  'iban-invalid',
  'swift-invalid',
  'iban-other-country',
  'not-for-country',
  'file-unknown',
  'unknown-value',
  'not-yours',
] as const

export const addBankDetails = endpoint('addBankDetails', 'POST /api/accounts/addBankDetails', {
  summary: 'Adds a bank account with its bank statement. It needs approval by staff.',
  access: ['approved'],
  body: body({ bankData: body({ ...fields, bankPOA: statement }) }),
  status: 201,
  response: z.object({ bankDetails }),
  problems: bankProblems,
  idempotent: true,
  requiresBoundStepUp: true,
})

export const updateBankDetails = endpoint('updateBankDetails', 'POST /api/accounts/updateBankDetails', {
  summary: 'Updates a bank account that is not approved. The existing statement is kept unless a new one is given.',
  access: ['approved'],
  body: body({ bankData: body({ ...fields, _id: id, bankPOA: z.optional(statement) }) }),
  response: z.object({ bankDetails }),
  problems: [...bankProblems, 'bank-read-only', 'not-found'],
  idempotent: true,
  requiresBoundStepUp: true,
})
