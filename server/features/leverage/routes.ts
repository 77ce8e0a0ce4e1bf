/** Changes of leverage: the client's request, and the back office's decision. */
import { updateAccount as updateEndpoint } from '#contract/accounts.ts'
import * as office from '#contract/office/leverage-requests.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { approveLeverage, rejectLeverage } from './decide-leverage.ts'
import { getLeverageRequest, listLeverageRequests } from './office-requests.ts'
import { updateAccount } from './request-leverage.ts'

export function leverageRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(updateEndpoint, updateAccount)
  registerEndpoint(office.listLeverageRequests, listLeverageRequests)
  registerEndpoint(office.getLeverageRequest, getLeverageRequest)
  registerEndpoint(office.approveLeverage, approveLeverage)
  registerEndpoint(office.rejectLeverage, rejectLeverage)
}
