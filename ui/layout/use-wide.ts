import { useSyncExternalStore } from 'react'

const query = matchMedia('(min-width: 1024px)')

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Returns whether the window is at least 1024 px wide: two panes, or a side column, stand beside each other. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
