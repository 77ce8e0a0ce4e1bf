/** The back office's calls about changes of a profile that somebody decides. */
import {
  approveProfileChange,
  askEmailChange as askEmailChangeCall,
  getProfileChange,
  listProfileChanges,
  rejectProfileChange,
} from '#contract/office/profile-changes.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { askEmailChange } from './request-email-change.ts'
import { decideProfileChange } from './decide-profile-change.ts'
import { listChanges, profileChangePage } from './queries.ts'

export function profileChangeRoutes(serve: Serve, parts: Parts): void {
  serve(askEmailChangeCall, askEmailChange(parts))
  serve(listProfileChanges, (call) => listChanges(parts, call))
  serve(getProfileChange, async (call) => ({ change: await profileChangePage(parts, call, call.params.id) }))
  serve(approveProfileChange, (call) => {
    const { version, note } = call.body
    return decideProfileChange(parts, call, { verb: 'approve', id: call.params.id, version, reason: note })
  })
  serve(rejectProfileChange, (call) => {
    const { version, reason } = call.body
    const told = requestReason(call.body)
    return decideProfileChange(parts, call, { verb: 'reject', id: call.params.id, version, reason, told })
  })
}
