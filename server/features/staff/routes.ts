/** Staff: who they are, what they may, and how that changes. */
import * as office from '#contract/office/staff.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { changeRoles } from './request-change.ts'
import { deactivateStaff, resetFactor } from './revoke-access.ts'
import { decideChange } from './decide-change.ts'
import { inviteStaff, inviteStaffAgain } from './invite-staff.ts'
import { showChange, showChanges, showMember, showStaff } from './show-staff.ts'

export function staffRoutes(serve: Serve, parts: Parts): void {
  serve(office.listStaff, (call) => showStaff(parts, call))
  serve(office.getStaffMember, (call) => showMember(parts, call))
  serve(office.inviteStaff, (call) => inviteStaff(parts, call))
  serve(office.inviteStaffAgain, (call) => inviteStaffAgain(parts, call))
  serve(office.changeRoles, (call) => changeRoles(parts, call))
  serve(office.resetFactor, (call) => resetFactor(parts, call))
  serve(office.deactivateStaff, (call) => deactivateStaff(parts, call))
  serve(office.listStaffChanges, (call) => showChanges(parts, call))
  serve(office.getStaffChange, (call) => showChange(parts, call))
  serve(office.approveStaffChange, (call) => decideChange(parts, call, 'approve', call.body.note))
  serve(office.rejectStaffChange, (call) => decideChange(parts, call, 'reject', call.body.reason))
  serve(office.cancelStaffChange, (call) => decideChange(parts, call, 'cancel', ''))
}
