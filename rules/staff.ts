/** Staff and their roles (requirements 1.5 to 1.10); changes by two administrators (requirements 21.3). */
import { defineStateMachine } from './state-machine.ts'
import { staffRoles, type StaffRole } from './actors.ts'

export const staffMachine = defineStateMachine({
  name: 'staff',
  table: 'staff',
  states: ['invited', 'active', 'deactivated'],
  first: 'invited',
  undecided: [],
  transitions: {
    /** Password and second factor are set by the invitation's link. */
    enrol: { from: ['invited'], to: 'active', by: staffRoles },
    deactivate: { from: ['invited', 'active'], to: 'deactivated', by: ['administrator'] },
    inviteAgain: { from: ['invited', 'deactivated'], to: 'invited', by: ['administrator'] },
  },
})
export type StaffState = (typeof staffMachine.states)[number]

export const staffChangeMachine = defineStateMachine({
  name: 'staff_change',
  table: 'staff_changes',
  states: ['pending', 'approved', 'rejected', 'cancelled'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    approve: { from: ['pending'], to: 'approved', by: ['administrator'] },
    reject: { from: ['pending'], to: 'rejected', by: ['administrator'] },
    /** By the person who proposed it. */
    cancel: { from: ['pending'], to: 'cancelled', by: ['administrator'] },
  },
})
export type StaffChangeState = (typeof staffChangeMachine.states)[number]

/** Returns why these roles cannot be changed, or null: never one's own, and one administrator must remain. */
export function checkStaffChange(change: {
  readonly own: boolean
  readonly roles: readonly StaffRole[]
  readonly wasAdministrator: boolean
  readonly otherActiveAdministrators: number
}) {
  if (change.own) return 'own-roles'
  if (change.roles.length === 0) return 'required'
  if (change.roles.includes('auditor') && change.roles.length > 1) return 'auditor-alone'
  const leaves = change.wasAdministrator && !change.roles.includes('administrator')
  return leaves && change.otherActiveAdministrators === 0 ? 'last-administrator' : null
}

/** Returns why a person cannot be deactivated, or null. */
export function checkDeactivation(staff: {
  readonly own: boolean
  readonly administrator: boolean
  readonly otherActiveAdministrators: number
}) {
  if (staff.own) return 'own-account'
  return staff.administrator && staff.otherActiveAdministrators === 0 ? 'last-administrator' : null
}

/**
 * Returns why a change needs the operator's command line, or null: with fewer than two active administrators there is
 * no second person.
 */
export function checkTwoAdministrators(activeAdministrators: number) {
  return activeAdministrators < 2 ? 'second-administrator-missing' : null
}
