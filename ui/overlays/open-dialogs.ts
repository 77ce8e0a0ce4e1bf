/** Counts open dialogs and drawers, so that none opens over another on its own. */
import { useEffect, useSyncExternalStore } from 'react'

let open = 0
const listeners = new Set<() => void>()

function change(by: 1 | -1): void {
  open += by
  for (const tell of listeners) tell()
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** Counts a dialog while it is open. */
export function useCounted(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    change(1)
    return () => change(-1)
  }, [isOpen])
}

/** Returns how many counted dialogs are open now. */
export function useOpenDialogs(): number {
  return useSyncExternalStore(subscribe, () => open)
}
