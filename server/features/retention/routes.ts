/** What is forgotten: erasures with four eyes, and what the daily job took away. */
import * as office from '#contract/office/retention.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { askErasure } from './request-erasure.ts'
import { decideErasure } from './decide-erasure.ts'
import { lastRuns } from './queries.ts'

export function retentionRoutes(serve: Serve, parts: Parts): void {
  serve(office.listRetentionRuns, async () => ({ runs: await lastRuns(parts.pool) }))
  serve(office.askErasure, askErasure(parts))
  serve(office.approveErasure, (call) => decideErasure(parts, call, 'approve', call.body.note))
  serve(office.rejectErasure, (call) => decideErasure(parts, call, 'reject', call.body.reason))
  serve(office.cancelErasure, (call) => decideErasure(parts, call, 'cancel', call.body.note))
}
