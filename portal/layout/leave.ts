/** Logout: at once, or after saying what became of requests that got no answer (requirements 4.24). */
import { useSyncExternalStore } from 'react'
import { logout } from '#contract/users-session.ts'
import { call } from '#ui/api/call.ts'
import { unansweredOf } from '../funding/stored-request.ts'
import { clientOf, session } from '../session.ts'

let isAsked = false
const listeners = new Set<() => void>()

function change(to: boolean): void {
  isAsked = to
  for (const listener of listeners) listener()
}

/** Logs the client out. */
export function leave(): void {
  const owner = clientOf(session.token(), new Date())?.id ?? ''
  if (unansweredOf(owner).length > 0) change(true)
  else leaveNow()
}

/** Leaves at once; the server is told, and if it cannot be, the token's end ends the session there. */
export function leaveNow(): void {
  change(false)
  call(logout, {}).catch(() => undefined)
  session.end('logout')
}

export function stay(): void {
  change(false)
}

/** Returns whether Logout waits for the client's word. */
export function useIsLeaving(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAsked,
  )
}
