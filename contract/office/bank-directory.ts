/** The directory of banks by IBAN, which the firm imports (requirements 24.15). */
import * as z from 'zod/mini'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, isoDate, line, severalLines } from '../fields.ts'
import { root, staffBrief } from './briefs.ts'

export const showBankDirectory = endpoint('showBankDirectory', `GET ${root}/bank-directory`, {
  summary: 'Returns the countries in the bank directory, each with the date of its table.',
  access: readPermissions.bankDetails,
  response: z.object({
    countries: z.array(
      z.object({
        country: z.string(),
        asOf: z.string(),
        banks: z.int(),
        importedBy: staffBrief,
      }),
    ),
  }),
})

export const importBankDirectory = endpoint('importBankDirectory', `POST ${root}/bank-directory`, {
  summary:
    'Imports a table of banks (country, bank code, BIC, name), replacing all banks of the countries that it contains.',
  access: permissions.importBankDirectory,
  body: body({
    filename: line(200),
    /** The date of the table. */
    asOf: isoDate,
    csv: z.string('required').check(z.minLength(1, 'required'), z.maxLength(5_000_000, 'body-large'), severalLines),
  }),
  bodyBytesMax: 6_000_000,
  status: 201,
  response: z.object({ banks: z.int() }),
  problems: ['bank-directory-invalid', 'date-invalid', 'body-large', 'required'],
})
