/** Staff: their records, roles and changes of them. */
import * as absences from '#contract/office/absences.ts'
import * as office from '#contract/office/staff.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { endAbsence, endMyAbsence, setAbsence, setMyAbsence } from './change-absence.ts'
import { changeRoles } from './request-change.ts'
import { deactivateStaff, resetFactor } from './revoke-access.ts'
import { decideChange } from './decide-change.ts'
import { inviteStaff, inviteStaffAgain } from './invite-staff.ts'
import { showChange, showChanges, showMember, showStaff } from './show-staff.ts'

export function staffRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listStaff, showStaff)
  registerEndpoint(office.getStaffMember, showMember)
  registerEndpoint(office.inviteStaff, inviteStaff)
  registerEndpoint(office.inviteStaffAgain, inviteStaffAgain)
  registerEndpoint(office.changeRoles, changeRoles)
  registerEndpoint(office.resetFactor, resetFactor)
  registerEndpoint(office.deactivateStaff, deactivateStaff)
  registerEndpoint(absences.setMyAbsence, setMyAbsence)
  registerEndpoint(absences.endMyAbsence, endMyAbsence)
  registerEndpoint(absences.setAbsence, setAbsence)
  registerEndpoint(absences.endAbsence, endAbsence)
  registerEndpoint(office.listStaffChanges, showChanges)
  registerEndpoint(office.getStaffChange, showChange)
  registerEndpoint(office.approveStaffChange, decideChange('approve'))
  registerEndpoint(office.rejectStaffChange, decideChange('reject'))
  registerEndpoint(office.cancelStaffChange, decideChange('cancel'))
}
