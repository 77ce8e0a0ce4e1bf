import { useEffect, useEffectEvent } from 'react'
import { sessionOfCalls } from '../api/call.ts'
import { claimsOf } from './session.ts'

const checkMs = 30_000
/** The server records activity at most once a minute, in ms (requirements 4.8). */
const tellMs = 60_000
/** Returning to a tab fires two events, visibility and focus. */
const oneLookMs = 1_000

interface LiveSession {
  signedIn: boolean
  /** Requests the current user and, when due, a new token. */
  ask: (background: boolean) => void
  /** While something is pending, polls at this interval in ms. */
  pollMs?: number | undefined
}

/**
 * Keeps the user up to date: queries when the window becomes visible or focused and, while the person is active, every
 * minute. So any activity, and nothing else, extends the idle time (requirements 4.8). An expired token ends the
 * session.
 */
export function useLiveSession({ signedIn, ask: onAsk, pollMs }: LiveSession): void {
  const ask = useEffectEvent(onAsk)
  useEffect(() => {
    if (!signedIn) return
    let active = false
    let reportedAt = Date.now()
    let lookedAt = 0
    const onVisible = () => {
      if (document.visibilityState !== 'visible' || Date.now() - lookedAt < oneLookMs) return
      lookedAt = Date.now()
      ask(true)
    }
    const onActivity = () => {
      active = true
    }
    const watch = () => {
      const session = sessionOfCalls()
      const { exp } = (claimsOf(session.token()) ?? {}) as { exp?: number }
      const now = Date.now()
      if (exp !== undefined && exp <= now / 1000) return session.end('expired')
      if (!active || now - reportedAt < tellMs) return
      active = false
      reportedAt = now
      ask(false)
    }
    const watching = setInterval(watch, checkMs)
    document.addEventListener('visibilitychange', onVisible)
    // A window beside others is always visible, so its focus counts as return.
    addEventListener('focus', onVisible)
    addEventListener('pointerdown', onActivity)
    addEventListener('keydown', onActivity)
    return () => {
      clearInterval(watching)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('focus', onVisible)
      removeEventListener('pointerdown', onActivity)
      removeEventListener('keydown', onActivity)
    }
  }, [signedIn])

  useEffect(() => {
    if (!signedIn || pollMs === undefined) return
    const polling = setInterval(() => ask(true), pollMs)
    return () => clearInterval(polling)
  }, [signedIn, pollMs])
}
