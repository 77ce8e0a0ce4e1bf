/** Where the parts of an account's page read, and for whom they are worded: the page is the portal's and the back office's. */
import type { ReactNode } from 'react'
import type {
  CurveMark,
  getAccountCurve,
  getOpenPositions,
  getTrade,
  getTrades,
  tradesCsv,
} from '#contract/trading-history.ts'
import type { getStatements } from '#contract/statements.ts'
import type { AccountAddress } from './account-url.ts'

export interface AccountSource {
  reader: 'client' | 'staff'
  address: AccountAddress
  calls: {
    curve: typeof getAccountCurve
    positions: typeof getOpenPositions
    trades: typeof getTrades
    csv: typeof tradesCsv
    trade: typeof getTrade
    statements: typeof getStatements
    statementPdf: { readonly path: string }
    statementCsv: { readonly path: string }
    yearPdf: { readonly path: string }
    yearCsv: { readonly path: string }
  }
  /** The record of what came or went. */
  markPath: (mark: CurveMark) => string
  /** What an account without a deposit offers. */
  begin: ReactNode
  /** The zone whose days the filters offer. */
  timeZone: string
}
