/** The back office's session: its token in sessionStorage, and the permissions of the signed-in person. */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { officeCurrent } from '#contract/office/session.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { Area, Permission } from '#rules/permissions.ts'
import { browserSession, hasExpired } from '#ui/auth/session.ts'

/** Stored by the command palette: names and numbers of clients, deleted with the token. */
export const recentRecordsKey = 'office.recent'
export const session = browserSession(sessionStorage, 'office.token', [recentRecordsKey])

export type SignedInStaff = ResponseOf<typeof officeCurrent>

export const StaffContext = createContext<SignedInStaff | null>(null)

/** Returns the signed-in person, with the firm's name and time zone; screens are rendered only once it is known. */
export function useStaff(): SignedInStaff {
  const staff = useContext(StaffContext)
  if (!staff) throw new Error('The layout must provide the staff member before it renders a screen')
  return staff
}

export function useCanRead(area: Area): boolean {
  return useStaff().reads.includes(area)
}

export function useCanDo(action: Permission): boolean {
  return useStaff().does.includes(action)
}

/** Returns whether the signed-in person sees files only with a written reason, which is logged (requirements 1.9). */
export function useIsAuditing(): boolean {
  const { staff } = useStaff()
  return staff.roles.every((role) => role === 'auditor')
}

/** Returns whether there is a token that has not expired. */
export function useSignedIn(): boolean {
  const token = useSyncExternalStore(session.subscribe, session.token)
  return token !== null && !hasExpired(token, new Date())
}
