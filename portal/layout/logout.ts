/** Logs out, after showing the outcome of requests without a response if there are any (requirements 4.24). */
import { useSyncExternalStore } from 'react'
import { logout } from '#contract/users-session.ts'
import { call } from '#ui/api/call.ts'
import type { EndReason } from '#ui/auth/session.ts'
import { unansweredRequests } from '../funding/stored-request.ts'
import { clientOf, session } from '../session.ts'

let isAsked = false
const listeners = new Set<() => void>()

function setAsked(to: boolean): void {
  isAsked = to
  for (const listener of listeners) listener()
}

/** Logs the client out. */
export function logOut(): void {
  const owner = clientOf(session.token(), new Date())?.id ?? ''
  if (unansweredRequests(owner).length > 0) setAsked(true)
  else logOutNow()
}

/** Logs out immediately. */
export function logOutNow(): void {
  endNow('logout')
}

/** Logs out of steps that the client continues later; the login page says how (requirements 24.189). */
export function leaveForLater(reason: 'paused' | 'unconfirmed'): void {
  endNow(reason)
}

/** Also tells the server. If it cannot be reached, the session ends there when the token expires. */
function endNow(reason: EndReason): void {
  setAsked(false)
  call(logout, {}).catch(() => undefined)
  session.end(reason)
}

export function cancelLogout(): void {
  setAsked(false)
}

/** Returns whether the logout waits for the client's confirmation. */
export function useIsLogoutPending(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAsked,
  )
}
