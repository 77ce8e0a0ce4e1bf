import { useSyncExternalStore } from 'react'

const query = matchMedia('(min-width: 1024px)')

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Returns whether the window is at least 1024 px wide, which has room for two panes or a side column. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
