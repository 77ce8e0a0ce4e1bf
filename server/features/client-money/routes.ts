import { clientMoneyCsv, getClientMoneyView } from '#contract/office/books.ts'
import type { Serve } from '../../http/serve.ts'
import type { Parts } from '../../parts.ts'
import { clientMoneyFile, showClientMoney } from './show-client-money.ts'

export function clientMoneyRoutes(serve: Serve, parts: Parts): void {
  serve(getClientMoneyView, (call) => showClientMoney(parts, call.now))
  serve(clientMoneyCsv, (call) => clientMoneyFile(parts, call.now))
}
