/** Manual corrections of what is owed to an account, with four eyes. */
import * as office from '#contract/office/accounting.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requestCorrection } from './request-correction.ts'
import { approveCorrection, rejectCorrection } from './decide-correction.ts'
import { listCorrections, showCorrection } from './show-corrections.ts'

export function correctionRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(office.listCorrections, (context) => listCorrections(dependencies, context))
  registerEndpoint(office.getCorrection, (context) => showCorrection(dependencies, context))
  registerEndpoint(office.requestCorrection, requestCorrection(dependencies))
  registerEndpoint(office.approveCorrection, approveCorrection(dependencies))
  registerEndpoint(office.rejectCorrection, rejectCorrection(dependencies))
}
