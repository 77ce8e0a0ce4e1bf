/** Statements of the firm's bank: their columns, and a preview before the import. */
import * as z from 'zod/mini'
import { permissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, currency, signedBalance, line, severalLines } from '../fields.ts'
import { root } from './briefs.ts'

const columnPlace = z.optional(z.nullable(z.int('unknown-value').check(z.minimum(0, 'unknown-value'))))

/** The columns of a file, counted from 0; null leaves one out, an absent one is found by its name. */
export const statementColumns = z.strictObject({
  bookedOn: columnPlace,
  amount: columnPlace,
  currency: columnPlace,
  payer: columnPlace,
  payerAccount: columnPlace,
  remittance: columnPlace,
  payerReference: columnPlace,
  bankId: columnPlace,
})
export type StatementColumns = z.output<typeof statementColumns>

export const statementFile = {
  /** If the file does not name it. */
  bankAccount: z.optional(line(42)),
  csv: z.string('required').check(z.minLength(1, 'required'), z.maxLength(5_000_000, 'body-large'), severalLines),
  columns: z.optional(statementColumns),
}
export const statementProblems = [
  'statement-invalid',
  'statement-long',
  'statement-other-account',
  'statement-account-unknown',
  'account-unknown-bank',
  'unknown-value',
  'body-large',
  'required',
] as const

export const previewStatement = endpoint('previewStatement', `POST ${root}/bank-lines/preview`, {
  summary: 'Returns a preview of a bank statement import: its account, columns and first lines. Stores nothing.',
  access: permissions.importStatement,
  body: body(statementFile),
  bodyBytesMax: 6_000_000,
  response: z.object({
    /** Named by the file or by the clerk; without it no transaction is read. */
    account: z.nullable(z.object({ name: z.string(), currency })),
    header: z.array(z.string()),
    columns: z.record(z.keyof(statementColumns), z.nullable(z.int())),
    count: z.int(),
    known: z.int(),
    lines: z.array(
      z.object({
        bookedOn: z.string(),
        amount: signedBalance,
        payer: z.string(),
        payerAccount: z.string(),
        remittance: z.string(),
      }),
    ),
    /** Why the file cannot be imported. */
    problem: z.nullable(z.string()),
  }),
  problems: statementProblems,
})
