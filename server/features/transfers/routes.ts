/** Transfers between own trading accounts: endpoints of the client and of the back office. */
import * as contract from '#contract/transfers.ts'
import * as office from '#contract/office/transfers.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { cancelTransfer } from './cancel-transfer.ts'
import { approveTransfer, rejectTransfer } from './decide-transfer.ts'
import { getOfficeTransfer, listOfficeTransfers } from './office-transfers.ts'
import { quoteTransfer, requestTransfer } from './request-transfer.ts'

export function transferRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.quoteTransfer, quoteTransfer)
  registerEndpoint(contract.requestTransfer, requestTransfer)
  registerEndpoint(contract.cancelTransfer, cancelTransfer)
  registerEndpoint(office.listOfficeTransfers, listOfficeTransfers)
  registerEndpoint(office.getOfficeTransfer, getOfficeTransfer)
  registerEndpoint(office.approveTransfer, approveTransfer)
  registerEndpoint(office.rejectTransfer, rejectTransfer)
}
