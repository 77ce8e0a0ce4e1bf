import { useEffect } from 'react'
import { sessionOfCalls } from '../api/call.ts'
import { claimsOf } from './session.ts'

const checkMs = 30_000
/** The server writes down once a minute at most that somebody is there (requirements 4.8). */
const tellMs = 60_000
/** Coming back to a tab is told twice, as its being seen and as its focus. */
const oneLookMs = 1_000

interface LiveSession {
  signedIn: boolean
  /** Asks the server for the current user and, when it is time, a fresh token. */
  ask: (background: boolean) => void
  /** Where something is waited for, asks again every so many ms. */
  pollMs?: number | undefined
}

/**
 * Keeps the user fresh: asks when the window is looked at again and, while the person does something, every minute, so
 * that acts renew the idle time, also those that call nothing, and nothing else does (requirements 4.8). A token that
 * runs out ends the session.
 */
export function useLiveSession({ signedIn, ask, pollMs }: LiveSession): void {
  useEffect(() => {
    if (!signedIn) return
    let active = false
    let toldAt = Date.now()
    let lookedAt = 0
    const looked = () => {
      if (document.visibilityState !== 'visible' || Date.now() - lookedAt < oneLookMs) return
      lookedAt = Date.now()
      ask(true)
    }
    const acted = () => {
      active = true
    }
    const watch = () => {
      const session = sessionOfCalls()
      const { exp } = (claimsOf(session.token()) ?? {}) as { exp?: number }
      const now = Date.now()
      if (exp !== undefined && exp <= now / 1000) return session.end('expired')
      if (!active || now - toldAt < tellMs) return
      active = false
      toldAt = now
      ask(false)
    }
    const watching = setInterval(watch, checkMs)
    document.addEventListener('visibilitychange', looked)
    // A window beside others is seen all along; looking at it again is its focus.
    addEventListener('focus', looked)
    addEventListener('pointerdown', acted)
    addEventListener('keydown', acted)
    return () => {
      clearInterval(watching)
      document.removeEventListener('visibilitychange', looked)
      removeEventListener('focus', looked)
      removeEventListener('pointerdown', acted)
      removeEventListener('keydown', acted)
    }
  }, [signedIn, ask])

  useEffect(() => {
    if (!signedIn || pollMs === undefined) return
    const polling = setInterval(() => ask(true), pollMs)
    return () => clearInterval(polling)
  }, [signedIn, ask, pollMs])
}
