/** The client's history of deposits, withdrawals and transfers. */
import * as contract from '#contract/history.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { historyCsv, historyPdf } from './print-history.ts'
import { getTransferHistory, getTransferTimeline } from './show-history.ts'

export function historyRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(contract.getTransferHistory, getTransferHistory(dependencies))
  registerEndpoint(contract.getTransferTimeline, getTransferTimeline(dependencies))
  registerEndpoint(contract.historyCsv, historyCsv(dependencies))
  registerEndpoint(contract.historyPdf, historyPdf(dependencies))
}
