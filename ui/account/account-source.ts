/** The endpoints and reader of an account's page, which the portal and the back office share. */
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
  /** Returns the path of a deposit's or withdrawal's record. */
  markPath: (mark: CurveMark) => string
  /** Returns the path of the account's deposits, withdrawals or transfers. */
  listPath: (list: CurveMark['list']) => string
  /** Shown for an account without a deposit. */
  begin: ReactNode
  /** The minutes by which the platform's clock, which determines trading days, is ahead of UTC; null if unknown. */
  clockMinutes: number | null
}
