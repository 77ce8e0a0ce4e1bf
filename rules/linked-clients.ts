/** What two clients can have in common (requirements 24.9, 24.36). */
import type { StaffRole } from './actors.ts'
import { can } from './permissions.ts'

export const linkKinds = ['bank', 'phone', 'address', 'document', 'device'] as const
export type LinkKind = (typeof linkKinds)[number]

/** A device is network and browser family within these hours: a hint, never alone a warning. */
export const deviceHours = 24

/** Returns whether somebody sees who is linked; others see how many. */
export function seesLinked(roles: readonly StaffRole[]): boolean {
  return can('seeLinkedClients', roles)
}
