/** The client's history of deposits, withdrawals and transfers. */
import * as contract from '#contract/history.ts'
import { officeReceiptPdf } from '#contract/office/receipts.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { historyCsv, historyPdf } from './print-history.ts'
import { printOfficeReceipt, printReceipt } from './print-receipt.ts'
import { countTransferHistory, getTransferHistory, getTransferTimeline } from './show-history.ts'

export function historyRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.getTransferHistory, getTransferHistory)
  registerEndpoint(contract.countTransferHistory, countTransferHistory)
  registerEndpoint(contract.getTransferTimeline, getTransferTimeline)
  registerEndpoint(contract.historyCsv, historyCsv)
  registerEndpoint(contract.historyPdf, historyPdf)
  registerEndpoint(contract.receiptPdf, printReceipt)
  registerEndpoint(officeReceiptPdf, printOfficeReceipt)
}
