/** A client's lost second factor, with four eyes. */
import * as office from '#contract/office/factor-resets.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requestFactorReset } from './request-factor-reset.ts'
import { decideFactorReset } from './decide-factor-reset.ts'

export function factorResetRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(office.requestFactorReset, requestFactorReset(dependencies))
  registerEndpoint(office.approveFactorReset, (context) =>
    decideFactorReset(dependencies, context, 'approve', context.body.note),
  )
  registerEndpoint(office.rejectFactorReset, (context) =>
    decideFactorReset(dependencies, context, 'reject', context.body.reason),
  )
  registerEndpoint(office.cancelFactorReset, (context) =>
    decideFactorReset(dependencies, context, 'cancel', context.body.note),
  )
}
