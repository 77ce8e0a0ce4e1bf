/** Changes of leverage: the client's request, and the back office's decision. */
import { updateAccount as updateEndpoint } from '#contract/accounts.ts'
import * as office from '#contract/office/leverage-requests.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { approveLeverage, rejectLeverage } from './decide-leverage.ts'
import { getLeverageRequest, listLeverageRequests } from './office-requests.ts'
import { updateAccount } from './request-leverage.ts'

export function leverageRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(updateEndpoint, updateAccount(dependencies))
  registerEndpoint(office.listLeverageRequests, listLeverageRequests(dependencies))
  registerEndpoint(office.getLeverageRequest, getLeverageRequest(dependencies))
  registerEndpoint(office.approveLeverage, approveLeverage(dependencies))
  registerEndpoint(office.rejectLeverage, rejectLeverage(dependencies))
}
