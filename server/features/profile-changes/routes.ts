/** The back office's calls about changes of a profile that somebody decides. */
import {
  approveProfileChange,
  requestEmailChange as askEmailChangeCall,
  getProfileChange,
  listProfileChanges,
  rejectProfileChange,
} from '#contract/office/profile-changes.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requestEmailChange } from './request-email-change.ts'
import { decideProfileChange } from './decide-profile-change.ts'
import { listChanges, profileChangePage } from './queries.ts'
import { requestReason } from '../../office/standard-reasons.ts'

export function profileChangeRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(askEmailChangeCall, requestEmailChange(dependencies))
  registerEndpoint(listProfileChanges, (context) => listChanges(dependencies, context))
  registerEndpoint(getProfileChange, async (context) => ({
    change: await profileChangePage(dependencies, context, context.params.id),
  }))
  registerEndpoint(approveProfileChange, (context) => {
    const { version, note } = context.body
    return decideProfileChange(dependencies, context, {
      action: 'approve',
      id: context.params.id,
      version,
      reason: note,
    })
  })
  registerEndpoint(rejectProfileChange, (context) => {
    const { version, reason } = context.body
    const told = requestReason(context.body)
    return decideProfileChange(dependencies, context, {
      action: 'reject',
      id: context.params.id,
      version,
      reason,
      told,
    })
  })
}
