/** Actors and roles (requirements 1.4 to 1.9). */
import type { StaffId } from './ids.ts'

/** The roles that decide; an auditor only reads. */
export const decidingRoles = ['compliance', 'operations', 'finance', 'administrator'] as const
export const staffRoles = [...decidingRoles, 'auditor'] as const
export type StaffRole = (typeof staffRoles)[number]

/**
 * Everyone who can cause a transition. `external` is the response of a platform, provider or bank, an anonymous caller,
 * or the operator at the server's terminal; `clock` is the passing of time; `recovery` is what platforms, provider and
 * bank show after a restore, adopted without sending anything.
 */
export const actors = ['client', ...staffRoles, 'external', 'clock', 'recovery'] as const
export type Actor = (typeof actors)[number]

/** A person or system that acts, as the event log stores it. Only people have an `id`. */
export type ActorIdentity =
  | { readonly kind: 'client'; readonly id: string }
  | { readonly kind: 'staff'; readonly id: StaffId; readonly roles: readonly StaffRole[] }
  | { readonly kind: 'external' }
  | { readonly kind: 'clock' }
  | { readonly kind: 'recovery' }

/**
 * Returns the actors that an identity counts as. An administrator may do whatever the other deciding roles may
 * (requirements 1.6, 1.7), the auditor nothing. Recovery may also perform the transitions of an integration's response,
 * because it reads the integration's data.
 */
export function actorsOf(identity: ActorIdentity): readonly Actor[] {
  if (identity.kind === 'recovery') return ['recovery', 'external']
  if (identity.kind !== 'staff') return [identity.kind]
  if (identity.roles.includes('administrator')) return decidingRoles
  return identity.roles
}

/** The decisions on a proposal of staff with dual approval. */
export const proposalActions = ['approve', 'reject', 'cancel'] as const
export type ProposalAction = (typeof proposalActions)[number]

/** Returns why this person may not take this action, in any state of the proposal; null if permitted. */
export function checkProposalDecider(action: ProposalAction, isProposer: boolean) {
  if (action === 'cancel') return isProposer ? null : 'not-your-act'
  return isProposer ? 'own-act' : null
}
