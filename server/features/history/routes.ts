/** The client's history of deposits, withdrawals and transfers. */
import * as contract from '#contract/history.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { historyCsv, historyPdf } from './print-history.ts'
import { getTransferHistory, getTransferTimeline } from './show-history.ts'

export function historyRoutes(serve: Serve, parts: Parts): void {
  serve(contract.getTransferHistory, getTransferHistory(parts))
  serve(contract.getTransferTimeline, getTransferTimeline(parts))
  serve(contract.historyCsv, historyCsv(parts))
  serve(contract.historyPdf, historyPdf(parts))
}
