/** Deletion of data: erasures with dual approval, and the runs of the daily job. */
import * as office from '#contract/office/retention.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requestErasure } from './request-erasure.ts'
import { decideErasure } from './decide-erasure.ts'
import { lastRuns } from './queries.ts'

export function retentionRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listRetentionRuns, async (dependencies) => ({ runs: await lastRuns(dependencies.pool) }))
  registerEndpoint(office.requestErasure, requestErasure)
  registerEndpoint(office.approveErasure, decideErasure('approve'))
  registerEndpoint(office.rejectErasure, decideErasure('reject'))
  registerEndpoint(office.cancelErasure, decideErasure('cancel'))
}
