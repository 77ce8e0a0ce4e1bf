/**
 * Changes that wait for compliance: of a verified identity, requested by the client (requirements 5.5), and of the
 * email address, requested by staff.
 */
import {
  decidedFields,
  profileFieldNames,
  type DecidedField,
  type ProfileFieldName,
  type ProfileValues,
} from './profile-fields.ts'
import { defineStateMachine } from './state-machine.ts'
import { checkSecurityAnswer, type SecurityAnswer } from './security-answer.ts'

export const profileChangeMachine = defineStateMachine({
  name: 'profile_change',
  table: 'profile_changes',
  states: ['pending', 'confirming', 'approved', 'rejected', 'replaced'],
  first: 'pending',
  undecided: ['pending', 'confirming'],
  transitions: {
    /** An address is valid once its own link is opened. Dual approval: never by the person who requested it. */
    approve: { from: ['pending'], to: ['approved', 'confirming'], by: ['compliance'] },
    reject: { from: ['pending', 'confirming'], to: 'rejected', by: ['compliance'] },
    /** By the link in the email to the new address. */
    confirm: { from: ['confirming'], to: 'approved', by: ['client'] },
    /** A second change of the same field replaces the first; a second address, one whose link has expired. */
    replace: { from: ['pending', 'confirming'], to: 'replaced', by: ['client', 'clock'] },
  },
})
export type ProfileChangeState = (typeof profileChangeMachine.states)[number]

/** Returns the status that a client sees: an address that waits for its link is still pending. */
export function profileChangeStatusForClient(state: ProfileChangeState): Exclude<ProfileChangeState, 'confirming'> {
  return state === 'confirming' ? 'pending' : state
}

/**
 * Every field that can be changed by a decision: only staff request another email address, which is its owner's login.
 */
export type ChangedField = DecidedField | 'email'
export const changedFields: readonly ChangedField[] = [...decidedFields, 'email']

/** Returns whether clients request changes of a field, which compliance decides. */
export function isDecidedField(field: string): field is DecidedField {
  return (decidedFields as readonly string[]).includes(field)
}

/**
 * Returns why another address cannot be requested now, or null: one at a time, and by the person who checked the
 * security answer.
 */
export function checkEmailChange(wish: SecurityAnswer & { readonly isAsked: boolean }) {
  return wish.isAsked ? 'email-change-waits' : checkSecurityAnswer(wish)
}

/** Splits a change into the part that applies immediately and the part that waits. */
export function splitChanges(
  before: Partial<ProfileValues>,
  after: Partial<ProfileValues>,
  identityApproved: boolean,
): { readonly atOnce: ProfileFieldName[]; readonly waiting: DecidedField[] } {
  const changed = profileFieldNames.filter((field) => after[field] !== before[field])
  if (!identityApproved) return { atOnce: changed, waiting: [] }
  return { atOnce: changed.filter((field) => !isDecidedField(field)), waiting: changed.filter(isDecidedField) }
}
