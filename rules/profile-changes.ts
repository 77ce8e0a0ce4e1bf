/**
 * Changes that wait for compliance: what a client asks for of a verified identity (requirements 5.5), and
 * the e-mail address, which staff ask for.
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
  transitions: {
    /** An address counts once its own link is opened. Four eyes: never by the one who asked. */
    approve: { from: ['pending'], to: ['approved', 'confirming'], by: ['compliance'] },
    reject: { from: ['pending', 'confirming'], to: 'rejected', by: ['compliance'] },
    /** By the link in the mail to the new address. */
    confirm: { from: ['confirming'], to: 'approved', by: ['client'] },
    /** A second change of the same field replaces the first. */
    replace: { from: ['pending'], to: 'replaced', by: ['client'] },
  },
})
export type ProfileChangeState = (typeof profileChangeMachine.states)[number]

/** Returns what became of a change, for the client: an address that waits for its link is still pending. */
export function profileChangeStatusForClient(state: ProfileChangeState): Exclude<ProfileChangeState, 'confirming'> {
  return state === 'confirming' ? 'pending' : state
}

/** Every field that a change is about: staff alone ask for another address, the login of its owner. */
export type ChangedField = DecidedField | 'email'
export const changedFields: readonly ChangedField[] = [...decidedFields, 'email']

/** Returns whether a client asks for changes of a field, which compliance decides. */
export function isDecidedField(field: string): field is DecidedField {
  return (decidedFields as readonly string[]).includes(field)
}

/**
 * Returns why another address cannot be asked for now, or null: one at a time, and for the person who was known by the
 * answer.
 */
export function checkEmailChange(wish: SecurityAnswer & { readonly isAsked: boolean }) {
  return wish.isAsked ? 'email-change-waits' : checkSecurityAnswer(wish)
}

/** Splits a change into what applies at once and what waits. */
export function changesOf(
  before: Partial<ProfileValues>,
  after: Partial<ProfileValues>,
  identityApproved: boolean,
): { readonly atOnce: ProfileFieldName[]; readonly waiting: DecidedField[] } {
  const changed = profileFieldNames.filter((field) => after[field] !== before[field])
  if (!identityApproved) return { atOnce: changed, waiting: [] }
  return { atOnce: changed.filter((field) => !isDecidedField(field)), waiting: changed.filter(isDecidedField) }
}
