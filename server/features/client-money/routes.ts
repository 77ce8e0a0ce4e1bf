import { clientMoneyCsv, getClientMoneyView } from '#contract/office/accounting.ts'
import * as firmMoney from '#contract/office/firm-money.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { confirmMove, rejectMove } from './decide-move.ts'
import { proposeMove } from './propose-move.ts'
import { clientMoneyFile, showClientMoney } from './show-client-money.ts'
import { listMoves, showMove } from './show-moves.ts'

export function clientMoneyRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(getClientMoneyView, (context) => showClientMoney(dependencies, context.now))
  registerEndpoint(clientMoneyCsv, (context) => clientMoneyFile(dependencies, context))
  registerEndpoint(firmMoney.listFirmMoney, (context) => listMoves(dependencies, context))
  registerEndpoint(firmMoney.getFirmMoney, (context) => showMove(dependencies, context))
  registerEndpoint(firmMoney.proposeFirmMoney, proposeMove(dependencies))
  registerEndpoint(firmMoney.confirmFirmMoney, confirmMove(dependencies))
  registerEndpoint(firmMoney.rejectFirmMoney, rejectMove(dependencies))
}
