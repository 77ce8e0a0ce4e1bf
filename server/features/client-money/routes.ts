import { clientMoneyCsv, getClientMoneyView } from '#contract/office/accounting.ts'
import * as firmMoney from '#contract/office/firm-money.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { confirmMove, rejectMove } from './decide-move.ts'
import { proposeMove } from './propose-move.ts'
import { clientMoneyFile, showClientMoney } from './show-client-money.ts'
import { listMoves, showMove } from './show-moves.ts'

export function clientMoneyRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(getClientMoneyView, (dependencies, context) => showClientMoney(dependencies, context.now))
  registerEndpoint(clientMoneyCsv, clientMoneyFile)
  registerEndpoint(firmMoney.listFirmMoney, listMoves)
  registerEndpoint(firmMoney.getFirmMoney, showMove)
  registerEndpoint(firmMoney.proposeFirmMoney, proposeMove)
  registerEndpoint(firmMoney.confirmFirmMoney, confirmMove)
  registerEndpoint(firmMoney.rejectFirmMoney, rejectMove)
}
