/** Endpoints of the back office about profile changes that need a decision. */
import * as office from '#contract/office/profile-changes.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requestEmailChange } from './request-email-change.ts'
import { decideProfileChange } from './decide-profile-change.ts'
import { listChanges, profileChangePage } from './queries.ts'
import { requestReason } from '../../office/standard-reasons.ts'

export function profileChangeRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.requestEmailChange, requestEmailChange)
  registerEndpoint(office.listProfileChanges, listChanges)
  registerEndpoint(office.getProfileChange, async (dependencies, context) => ({
    change: await profileChangePage(dependencies, context, context.params.id),
  }))
  registerEndpoint(office.approveProfileChange, (dependencies, context) => {
    const { version, note } = context.body
    return decideProfileChange(dependencies, context, 'approve', { version, reason: note })
  })
  registerEndpoint(office.rejectProfileChange, (dependencies, context) => {
    const { version, reason } = context.body
    const clientReason = requestReason(context.body)
    return decideProfileChange(dependencies, context, 'reject', { version, reason, clientReason })
  })
}
