/** Changes of a verified identity wait for compliance: product-decisions section 10. */
import { lifecycle } from './lifecycle.ts'

export const profileChangeLife = lifecycle({
  name: 'profile_change',
  table: 'profile_changes',
  states: ['pending', 'approved', 'rejected', 'replaced'],
  first: 'pending',
  steps: {
    approve: { from: ['pending'], to: 'approved', by: ['compliance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['compliance'] },
    /** A second change of the same field replaces the first. */
    replace: { from: ['pending'], to: 'replaced', by: ['client'] },
  },
})
export type ProfileChangeState = (typeof profileChangeLife.states)[number]

/** What became of a change, for the client. */
export function profileChangeStatusForClient(state: ProfileChangeState): ProfileChangeState {
  return state
}

/** The fields whose change is decided once identity is approved. */
export const decidedFields = ['name', 'surname', 'birthDate', 'nationality', 'country'] as const
export type DecidedField = (typeof decidedFields)[number]

/** Splits a change into what applies at once and what waits. Values are compared as text. */
export function changesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  identityApproved: boolean,
): { readonly atOnce: string[]; readonly waiting: DecidedField[] } {
  const changed = Object.keys(after).filter((field) => after[field] !== before[field])
  const isDecided = (field: string): field is DecidedField => (decidedFields as readonly string[]).includes(field)
  if (!identityApproved) return { atOnce: changed, waiting: [] }
  return { atOnce: changed.filter((field) => !isDecided(field)), waiting: changed.filter(isDecided) }
}
