import { clientMoneyCsv, getClientMoneyView } from '#contract/office/accounting.ts'
import * as firmMoney from '#contract/office/firm-money.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { confirmMove, rejectMove } from './decide-move.ts'
import { proposeMove } from './propose-move.ts'
import { clientMoneyFile, showClientMoney } from './show-client-money.ts'
import { listMoves, showMove } from './show-moves.ts'

export function clientMoneyRoutes(serve: Serve, parts: Parts): void {
  serve(getClientMoneyView, (call) => showClientMoney(parts, call.now))
  serve(clientMoneyCsv, (call) => clientMoneyFile(parts, call))
  serve(firmMoney.listFirmMoney, (call) => listMoves(parts, call))
  serve(firmMoney.getFirmMoney, (call) => showMove(parts, call))
  serve(firmMoney.proposeFirmMoney, proposeMove(parts))
  serve(firmMoney.confirmFirmMoney, confirmMove(parts))
  serve(firmMoney.rejectFirmMoney, rejectMove(parts))
}
