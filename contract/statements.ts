/** Statements of a trading account by the platform's months and years (requirements 24.31 to 24.34). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { choice, currency, isoDate, seconds, signedBalance } from './fields.ts'
import { getTradingAccount } from './trading-history.ts'

const { params } = getTradingAccount
const month = z.string('required').check(z.regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'invalid'))
const year = z.string('required').check(z.regex(/^[1-9]\d{3}$/, 'invalid'))
const edition = z.string('required').check(z.regex(/^[1-9]\d{0,3}$/, 'invalid'))
const path = 'GET /api/accounts/:platform/:number' as const

/**
 * `due`: not created before its day; `checking`: due, and not created yet; `correcting`: created, and a correction is
 * being checked.
 */
const statementStates = ['due', 'checking', 'drawn', 'correcting'] as const

export const statementRow = z.object({
  /** "2026-08". */
  month,
  state: choice(statementStates),
  /** When it is created at the earliest. */
  dueAt: seconds,
  /** Of the newest edition. */
  closingBalance: z.nullable(signedBalance),
  /** Newest first; each one stays unchanged. */
  editions: z.array(z.object({ edition: z.int(), drawnAt: seconds })),
})
export type StatementRow = z.output<typeof statementRow>

export const getStatements = endpoint('getStatements', `${path}/statements`, {
  summary:
    'Returns an account’s monthly statements, newest first, with the current month and the years that have an annual statement.',
  access: ['approved'],
  params,
  response: z.object({
    currency,
    /** The current month as of the last reading; null if nothing is known of it. */
    running: z.nullable(z.object({ month, until: isoDate, balance: signedBalance })),
    statements: z.array(statementRow),
    years: z.array(z.string()),
  }),
  problems: ['account-unknown'],
})

const monthParams = z.object({ ...params.shape, month, edition })
const yearParams = z.object({ ...params.shape, year })

export const statementPdf = endpoint('statementPdf', `${path}/statements/:month/:edition/pdf`, {
  summary: 'Returns one edition of a monthly statement as PDF, exactly as it was created.',
  access: ['approved'],
  params: monthParams,
  produces: 'application/pdf',
  problems: ['account-unknown', 'not-found', 'file-damaged'],
})

export const statementCsv = endpoint('statementCsv', `${path}/statements/:month/:edition/csv`, {
  summary: 'Returns the closed trades and movements of one edition of a monthly statement as CSV.',
  access: ['approved'],
  params: monthParams,
  produces: 'text/csv',
  problems: ['account-unknown', 'not-found'],
})

export const yearPdf = endpoint('yearStatementPdf', `${path}/years/:year/pdf`, {
  summary:
    'Returns an annual statement for tax returns as PDF: the totals of each month, from the newest editions of its monthly statements.',
  access: ['approved'],
  params: yearParams,
  produces: 'application/pdf',
  problems: ['account-unknown', 'not-found'],
})

export const yearCsv = endpoint('yearStatementCsv', `${path}/years/:year/csv`, {
  summary: 'Returns the monthly totals of a year as CSV.',
  access: ['approved'],
  params: yearParams,
  produces: 'text/csv',
  problems: ['account-unknown', 'not-found'],
})
