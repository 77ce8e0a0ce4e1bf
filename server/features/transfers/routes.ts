/** Transfers between own trading accounts: the client's calls, and the back office's. */
import * as contract from '#contract/transfers.ts'
import * as office from '#contract/office/transfers.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { approveTransfer, rejectTransfer } from './decide-transfer.ts'
import { getOfficeTransfer, listOfficeTransfers } from './office-transfers.ts'
import { quoteTransfer, requestTransfer } from './request-transfer.ts'

export function transferRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(contract.quoteTransfer, quoteTransfer(dependencies))
  registerEndpoint(contract.requestTransfer, requestTransfer(dependencies))
  registerEndpoint(contract.cancelTransfer, cancelTransfer(dependencies))
  registerEndpoint(office.listOfficeTransfers, listOfficeTransfers(dependencies))
  registerEndpoint(office.getOfficeTransfer, getOfficeTransfer(dependencies))
  registerEndpoint(office.approveTransfer, approveTransfer(dependencies))
  registerEndpoint(office.rejectTransfer, rejectTransfer(dependencies))
}
