import { clientMoneyCsv, getClientMoneyView } from '#contract/office/accounting.ts'
import * as firmMoney from '#contract/office/firm-money.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { confirmFirmTransfer, rejectFirmTransfer } from './decide-firm-transfer.ts'
import { proposeFirmTransfer } from './propose-firm-transfer.ts'
import { clientMoneyFile, showClientMoney } from './show-client-money.ts'
import { listFirmTransfers, showFirmTransfer } from './show-firm-transfers.ts'

export function clientMoneyRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(getClientMoneyView, (dependencies, context) => showClientMoney(dependencies, context.now))
  registerEndpoint(clientMoneyCsv, clientMoneyFile)
  registerEndpoint(firmMoney.listFirmMoney, listFirmTransfers)
  registerEndpoint(firmMoney.getFirmMoney, showFirmTransfer)
  registerEndpoint(firmMoney.proposeFirmMoney, proposeFirmTransfer)
  registerEndpoint(firmMoney.confirmFirmMoney, confirmFirmTransfer)
  registerEndpoint(firmMoney.rejectFirmMoney, rejectFirmTransfer)
}
