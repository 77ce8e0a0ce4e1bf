/** Who may act: product-decisions section 2. */

export const staffRoles = ['compliance', 'operations', 'finance', 'administrator', 'auditor'] as const
export type StaffRole = (typeof staffRoles)[number]

/**
 * Everyone who can move a state. `outside` is an answer of a platform, provider or bank that was asked for;
 * `clock` is the passing of time; `recovery` is what those show after a restore, adopted without sending anything.
 */
export const actors = ['client', ...staffRoles, 'outside', 'clock', 'recovery'] as const
export type Actor = (typeof actors)[number]

/** A person or thing that acts, as the event log keeps it. Only people have an `id`. */
export type Acting =
  | { readonly kind: 'client'; readonly id: string }
  | { readonly kind: 'staff'; readonly id: string; readonly roles: readonly StaffRole[] }
  | { readonly kind: 'outside' }
  | { readonly kind: 'clock' }
  | { readonly kind: 'recovery' }

/**
 * The actors that somebody counts as. An administrator may do whatever the other deciding roles may
 * (product-decisions section 2), the auditor nothing. Recovery reads what an integration shows, so it may also do what an
 * answer of one does.
 */
export function actorsOf(acting: Acting): readonly Actor[] {
  if (acting.kind === 'recovery') return ['recovery', 'outside']
  if (acting.kind !== 'staff') return [acting.kind]
  if (acting.roles.includes('administrator')) return ['administrator', 'compliance', 'operations', 'finance']
  return acting.roles
}
