/** Logs out, after showing the outcome of requests without a response if there are any (requirements 4.24). */
import { useSyncExternalStore } from 'react'
import { logout } from '#contract/users-session.ts'
import { call } from '#ui/api/call.ts'
import type { EndReason } from '#ui/auth/session.ts'
import { unansweredRequests } from '../funding/stored-request.ts'
import { clientOf, session } from '../session.ts'

/** The reason of a logout that waits for the client's confirmation; null if none does. */
let pending: EndReason | null = null
const listeners = new Set<() => void>()

function setPending(to: EndReason | null): void {
  pending = to
  for (const listener of listeners) listener()
}

/** Logs the client out. By `reason` the login page says how to continue later (requirements 24.189). */
export function logOut(reason: EndReason = 'logout'): void {
  const owner = clientOf(session.token(), new Date())?.id ?? ''
  if (unansweredRequests(owner).length > 0) setPending(reason)
  else endSession(reason)
}

/** Logs out although requests are unanswered. */
export function confirmLogout(): void {
  endSession(pending ?? 'logout')
}

/** Also tells the server. If it cannot be reached, the session ends there when the token expires. */
function endSession(reason: EndReason): void {
  setPending(null)
  call(logout, {}).catch(() => undefined)
  session.end(reason)
}

export function cancelLogout(): void {
  setPending(null)
}

/** Returns whether the logout waits for the client's confirmation. */
export function useIsLogoutPending(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending !== null,
  )
}
