/** Endpoints of the back office about profile changes that need a decision. */
import {
  approveProfileChange,
  requestEmailChange as askEmailChangeCall,
  getProfileChange,
  listProfileChanges,
  rejectProfileChange,
} from '#contract/office/profile-changes.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requestEmailChange } from './request-email-change.ts'
import { decideProfileChange } from './decide-profile-change.ts'
import { listChanges, profileChangePage } from './queries.ts'
import { requestReason } from '../../office/standard-reasons.ts'

export function profileChangeRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(askEmailChangeCall, requestEmailChange)
  registerEndpoint(listProfileChanges, listChanges)
  registerEndpoint(getProfileChange, async (dependencies, context) => ({
    change: await profileChangePage(dependencies, context, context.params.id),
  }))
  registerEndpoint(approveProfileChange, (dependencies, context) => {
    const { version, note } = context.body
    return decideProfileChange(dependencies, context, {
      action: 'approve',
      id: context.params.id,
      version,
      reason: note,
    })
  })
  registerEndpoint(rejectProfileChange, (dependencies, context) => {
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
