/** The page of one account, for its client and for staff: its trades on the platform. */
import * as office from '#contract/office/trading-accounts.ts'
import * as contract from '#contract/trading-history.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { getAccountCurve, getAccountResults, getClientResults } from './show-curve.ts'
import { getTrade, getTrades, tradesCsv } from './show-trades.ts'

export function tradingHistoryRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.getAccountCurve, getAccountCurve)
  registerEndpoint(contract.getAccountResults, getAccountResults)
  registerEndpoint(contract.getTrades, getTrades)
  registerEndpoint(contract.tradesCsv, tradesCsv)
  registerEndpoint(contract.getTrade, getTrade)
  registerEndpoint(office.getOfficeAccountCurve, getAccountCurve)
  registerEndpoint(office.getClientResults, getClientResults)
  registerEndpoint(office.getOfficeTrades, getTrades)
  registerEndpoint(office.officeTradesCsv, tradesCsv)
  registerEndpoint(office.getOfficeTrade, getTrade)
}
