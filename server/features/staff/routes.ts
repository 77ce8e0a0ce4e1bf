/** Staff: who they are, what they may, and how that changes. */
import * as office from '#contract/office/staff.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { changeRoles } from './request-change.ts'
import { deactivateStaff, resetFactor } from './revoke-access.ts'
import { decideChange } from './decide-change.ts'
import { inviteStaff, inviteStaffAgain } from './invite-staff.ts'
import { showChange, showChanges, showMember, showStaff } from './show-staff.ts'

export function staffRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(office.listStaff, (context) => showStaff(dependencies, context))
  registerEndpoint(office.getStaffMember, (context) => showMember(dependencies, context))
  registerEndpoint(office.inviteStaff, (context) => inviteStaff(dependencies, context))
  registerEndpoint(office.inviteStaffAgain, (context) => inviteStaffAgain(dependencies, context))
  registerEndpoint(office.changeRoles, (context) => changeRoles(dependencies, context))
  registerEndpoint(office.resetFactor, (context) => resetFactor(dependencies, context))
  registerEndpoint(office.deactivateStaff, (context) => deactivateStaff(dependencies, context))
  registerEndpoint(office.listStaffChanges, (context) => showChanges(dependencies, context))
  registerEndpoint(office.getStaffChange, (context) => showChange(dependencies, context))
  registerEndpoint(office.approveStaffChange, (context) =>
    decideChange(dependencies, context, 'approve', context.body.note),
  )
  registerEndpoint(office.rejectStaffChange, (context) =>
    decideChange(dependencies, context, 'reject', context.body.reason),
  )
  registerEndpoint(office.cancelStaffChange, (context) => decideChange(dependencies, context, 'cancel', ''))
}
