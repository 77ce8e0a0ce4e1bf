import { useState, useEffect } from 'react'
import { lazyDialog } from '#ui/loading/lazy.tsx'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { useGoKeys } from './go-keys.ts'

const KeysDialog = lazyDialog(async () => (await import('./keys-dialog.tsx')).ShortcutsDialog)

const shows = new Set<() => void>()

/** Opens the list of shortcuts, as ? does. */
export function showShortcuts(): void {
  for (const show of shows) show()
}

/** The shortcuts of every page: ? for the list of all, g and a letter for a page. */
export function GlobalShortcuts() {
  const [shown, setShown] = useState(false)
  useGoKeys()
  useShortcuts({ '?': showShortcuts })
  useEffect(() => {
    const show = () => setShown(true)
    shows.add(show)
    return () => void shows.delete(show)
  }, [])
  return shown && <KeysDialog onClose={() => setShown(false)} />
}
