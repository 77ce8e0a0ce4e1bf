/** Manual corrections of an account's ledger balance, with dual approval. */
import * as office from '#contract/office/accounting.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requestCorrection } from './request-correction.ts'
import { approveCorrection, rejectCorrection } from './decide-correction.ts'
import { listCorrections, listReturnableDeposits, showCorrection } from './show-corrections.ts'

export function correctionRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listCorrections, listCorrections)
  registerEndpoint(office.getCorrection, showCorrection)
  registerEndpoint(office.listReturnableDeposits, listReturnableDeposits)
  registerEndpoint(office.requestCorrection, requestCorrection)
  registerEndpoint(office.approveCorrection, approveCorrection)
  registerEndpoint(office.rejectCorrection, rejectCorrection)
}
