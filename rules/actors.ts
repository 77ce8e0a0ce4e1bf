/** Who may act: product-decisions section 2. */

export const staffRoles = ['compliance', 'operations', 'finance', 'administrator', 'auditor'] as const
export type StaffRole = (typeof staffRoles)[number]

/**
 * Everyone who can move a state. `outside` is an answer of a platform, provider or bank that was asked for;
 * `clock` is the passing of time.
 */
export const actors = ['client', ...staffRoles, 'outside', 'clock'] as const
export type Actor = (typeof actors)[number]

/** A person or thing that acts, as the event log keeps it. `id` is absent for `outside` and `clock`. */
export type Acting =
  | { readonly kind: 'client'; readonly id: string }
  | { readonly kind: 'staff'; readonly id: string; readonly roles: readonly StaffRole[] }
  | { readonly kind: 'outside' }
  | { readonly kind: 'clock' }

/**
 * The actors that somebody counts as. An administrator may do whatever the other deciding roles may
 * (product-decisions section 2), the auditor nothing.
 */
export function actorsOf(acting: Acting): readonly Actor[] {
  if (acting.kind !== 'staff') return [acting.kind]
  if (acting.roles.includes('administrator')) return ['administrator', 'compliance', 'operations', 'finance']
  return acting.roles
}
