/** Transfers between own trading accounts: the client's calls, and the back office's. */
import * as contract from '#contract/transfers.ts'
import * as office from '#contract/office/transfers.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { approveTransfer, rejectTransfer } from './decide-transfer.ts'
import { getOfficeTransfer, listOfficeTransfers } from './office-transfers.ts'
import { quoteTransfer, requestTransfer } from './request-transfer.ts'

export function transferRoutes(serve: Serve, parts: Parts): void {
  serve(contract.quoteTransfer, quoteTransfer(parts))
  serve(contract.requestTransfer, requestTransfer(parts))
  serve(contract.cancelTransfer, cancelTransfer(parts))
  serve(office.listOfficeTransfers, listOfficeTransfers(parts))
  serve(office.getOfficeTransfer, getOfficeTransfer(parts))
  serve(office.approveTransfer, approveTransfer(parts))
  serve(office.rejectTransfer, rejectTransfer(parts))
}
