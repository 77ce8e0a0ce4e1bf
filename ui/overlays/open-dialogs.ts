/**
 * Counts the open dialogs and drawers, so that none opens above another automatically or by a key of the page. One
 * whose code is still being loaded counts too.
 */
import { useLayoutEffect, useSyncExternalStore } from 'react'

let open = 0
const listeners = new Set<() => void>()

function changeOpenCount(by: 1 | -1): void {
  open += by
  for (const tell of listeners) tell()
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** Counts a dialog while it is open. */
export function useCountedDialog(isOpen: boolean): void {
  // Before the next key.
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    changeOpenCount(1)
    return () => changeOpenCount(-1)
  }, [isOpen])
}

/** Returns how many counted dialogs are open now. */
export function useOpenDialogs(): number {
  return useSyncExternalStore(subscribe, () => open)
}

/** Returns whether a dialog is open, or will be as soon as its code is loaded. */
export function isDialogOpen(): boolean {
  return open > 0
}
