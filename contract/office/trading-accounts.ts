/** A client's trading account for staff: as the client sees it on the account's page (requirements 24.8). */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import {
  getAccountCurve,
  getAccountResults,
  getOpenPositions,
  getTrade,
  getTrades,
  getTradingAccount,
  tradesCsv,
} from '../trading-history.ts'
import { getStatements, statementCsv, statementPdf, yearCsv, yearPdf } from '../statements.ts'
import { seconds } from '../fields.ts'
import { clientBrief, clientParams, root } from './briefs.ts'

const access = readPermissions.tradingAccounts
const path = `${root}/accounts/:platform/:number` as const

export const getOfficeTradingAccount = endpoint('getOfficeTradingAccount', `GET ${path}`, {
  summary: 'Returns one trading account with its balances and its client. Each access is logged.',
  access,
  params: getTradingAccount.params,
  response: z.object({
    ...getTradingAccount.response.shape,
    client: clientBrief,
    /** Since when the platform answers that it has no such account; null while it has it. */
    missingSince: z.nullable(seconds),
  }),
  problems: ['not-found'],
})

export const getOfficeAccountCurve = endpoint('getOfficeAccountCurve', `GET ${path}/curve`, {
  summary: getAccountCurve.summary,
  access,
  params: getAccountCurve.params,
  query: getAccountCurve.query,
  response: getAccountCurve.response,
  problems: ['not-found', 'unknown-value'],
})

export const getClientResults = endpoint('getClientResults', `GET ${root}/clients/:id/results`, {
  summary:
    'Returns the daily results of each of a client’s accounts over 30 days: trades only, without payments and other bookings.',
  access,
  params: clientParams,
  response: getAccountResults.response,
})

export const getOfficePositions = endpoint('getOfficePositions', `GET ${path}/positions`, {
  summary: getOpenPositions.summary,
  access,
  params: getOpenPositions.params,
  response: getOpenPositions.response,
  problems: ['not-found'],
})

export const getOfficeTrades = endpoint('getOfficeTrades', `GET ${path}/trades`, {
  summary: getTrades.summary,
  access,
  params: getTrades.params,
  query: getTrades.query,
  response: getTrades.response,
  problems: ['not-found', 'cursor-invalid', 'date-invalid', 'unknown-value', 'invalid'],
})

export const officeTradesCsv = endpoint('officeTradesCsv', `GET ${path}/trades.csv`, {
  summary: tradesCsv.summary,
  access,
  params: tradesCsv.params,
  query: tradesCsv.query,
  produces: 'text/csv',
  problems: ['not-found', 'date-invalid', 'unknown-value', 'invalid'],
})

export const getOfficeTrade = endpoint('getOfficeTrade', `GET ${path}/trades/:ticket`, {
  summary: getTrade.summary,
  access,
  params: getTrade.params,
  response: getTrade.response,
  problems: ['not-found'],
})

export const getOfficeStatements = endpoint('getOfficeStatements', `GET ${path}/statements`, {
  summary: getStatements.summary,
  access,
  params: getStatements.params,
  response: getStatements.response,
  problems: ['not-found'],
})

export const officeStatementPdf = endpoint('officeStatementPdf', `GET ${path}/statements/:month/:edition/pdf`, {
  summary: statementPdf.summary,
  access,
  params: statementPdf.params,
  produces: 'application/pdf',
  problems: ['not-found', 'file-damaged'],
})

export const officeStatementCsv = endpoint('officeStatementCsv', `GET ${path}/statements/:month/:edition/csv`, {
  summary: statementCsv.summary,
  access,
  params: statementCsv.params,
  produces: 'text/csv',
  problems: ['not-found'],
})

export const officeYearPdf = endpoint('officeYearStatementPdf', `GET ${path}/years/:year/pdf`, {
  summary: yearPdf.summary,
  access,
  params: yearPdf.params,
  produces: 'application/pdf',
  problems: ['not-found'],
})

export const officeYearCsv = endpoint('officeYearStatementCsv', `GET ${path}/years/:year/csv`, {
  summary: yearCsv.summary,
  access,
  params: yearCsv.params,
  produces: 'text/csv',
  problems: ['not-found'],
})
