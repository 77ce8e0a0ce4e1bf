/** Changes of leverage: the client's request, and the back office's decision. */
import { updateAccount as updateEndpoint } from '#contract/accounts.ts'
import * as office from '#contract/office/leverage-requests.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { approveLeverage, rejectLeverage } from './decide-leverage.ts'
import { getLeverageRequest, listLeverageRequests } from './office-requests.ts'
import { updateAccount } from './request-leverage.ts'

export function leverageRoutes(serve: Serve, parts: Parts): void {
  serve(updateEndpoint, updateAccount(parts))
  serve(office.listLeverageRequests, listLeverageRequests(parts))
  serve(office.getLeverageRequest, getLeverageRequest(parts))
  serve(office.approveLeverage, approveLeverage(parts))
  serve(office.rejectLeverage, rejectLeverage(parts))
}
