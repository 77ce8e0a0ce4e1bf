/** Data that two clients can share (requirements 24.9, 24.36). */
import type { StaffRole } from './actors.ts'
import { can } from './permissions.ts'

export const linkKinds = ['bank', 'phone', 'address', 'document', 'device'] as const
export type LinkKind = (typeof linkKinds)[number]

/** A device is a network and browser family within this many hours: a hint, never a warning on its own. */
export const deviceHours = 24

/** Returns whether these roles see which clients are linked; others see how many. */
export function canSeeLinkedClients(roles: readonly StaffRole[]): boolean {
  return can('seeLinkedClients', roles)
}
