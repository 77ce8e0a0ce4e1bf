/** Balances that a page shows as current although newer ones are overdue (requirements 24.12). */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Account } from '#contract/accounts.ts'

/** Balances without a newer reading for this long are old: the 15 s between two, and the time to answer. */
const lateMs = 20_000
/** A page that is opened or shown again has this long to receive the next reading. */
const openingMs = 5_000

/** An account on an open page. `late`: its balances are old by the page's own clock, not by the server's report. */
export type ShownAccount = Account & { readonly late?: boolean }

/**
 * Returns whether the page has received no reading in time, which a server that cannot be reached does not report.
 * `answeredAt` is the page's time of the last answer, 0 without one; `pushed` is the last data of a stream.
 * Only the time since the receipt counts: the server's clock may differ, and the person may set that of the device.
 */
export function useIsReadingLate(answeredAt: number, pushed?: object): boolean {
  const isSeen = useIsPageVisible()
  const receivedAt = useRef(-Infinity)
  const [late, setLate] = useState<readonly [number, object | undefined] | null>(null)
  useEffect(() => {
    if (answeredAt === 0) return
    // A cached response of another page was received before this one was opened.
    const keptMs = Math.max(0, Date.now() - answeredAt)
    receivedAt.current = Math.max(receivedAt.current, performance.now() - keptMs)
  }, [answeredAt])
  useEffect(() => {
    if (pushed) receivedAt.current = performance.now()
  }, [pushed])
  useEffect(() => {
    if (!isSeen || (answeredAt === 0 && !pushed)) return
    const timer = setTimeout(() => setLate([answeredAt, pushed]), lateAfterMs(performance.now() - receivedAt.current))
    return () => clearTimeout(timer)
  }, [answeredAt, pushed, isSeen])
  return late !== null && late[0] === answeredAt && late[1] === pushed
}

/** Returns after how many more ms balances that were received this long ago are late. */
export function lateAfterMs(receivedAgoMs: number): number {
  return Math.max(openingMs, lateMs - receivedAgoMs)
}

/** Returns an account with its balances marked as old if newer ones are overdue, unless the server has done so. */
export function withLateMark<Shown extends Account>(account: Shown, late: boolean): Shown & ShownAccount {
  if (!late || account.figuresOld || account.figuresAt === null) return account
  return { ...account, figuresOld: true, figuresHeld: null, late: true }
}

/** Returns whether the page is visible, and renders again when that changes. */
export function useIsPageVisible(): boolean {
  return useSyncExternalStore(subscribeToVisibility, isVisible)
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
