/** Deletion of data: erasures with dual approval, and the runs of the daily job. */
import * as office from '#contract/office/retention.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requestErasure } from './request-erasure.ts'
import { decideErasure } from './decide-erasure.ts'
import { lastRuns } from './queries.ts'

export function retentionRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(office.listRetentionRuns, async () => ({ runs: await lastRuns(dependencies.pool) }))
  registerEndpoint(office.requestErasure, requestErasure(dependencies))
  registerEndpoint(office.approveErasure, (context) =>
    decideErasure(dependencies, context, 'approve', context.body.note),
  )
  registerEndpoint(office.rejectErasure, (context) =>
    decideErasure(dependencies, context, 'reject', context.body.reason),
  )
  registerEndpoint(office.cancelErasure, (context) => decideErasure(dependencies, context, 'cancel', context.body.note))
}
