/** Reset of a client's lost second factor, with dual approval. */
import * as office from '#contract/office/factor-resets.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requestFactorReset } from './request-factor-reset.ts'
import { decideFactorReset } from './decide-factor-reset.ts'

export function factorResetRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.requestFactorReset, requestFactorReset)
  registerEndpoint(office.approveFactorReset, decideFactorReset('approve'))
  registerEndpoint(office.rejectFactorReset, decideFactorReset('reject'))
  registerEndpoint(office.cancelFactorReset, decideFactorReset('cancel'))
}
