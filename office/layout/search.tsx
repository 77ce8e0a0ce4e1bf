import { IconZoom } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette)

/** Opens the command palette: Ctrl+K (⌘K) everywhere, also in fields, and / elsewhere. Not while a dialog is open. */
export function Search() {
  const { t } = useLingui()
  const words = t`Client, account, reference, page, action`
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ '/': () => setOpen(true) })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      if (!document.querySelector('[role="dialog"], [role="alertdialog"]')) setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button
        type="button"
        className="office-search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      >
        <IconZoom className="small" aria-hidden="true" />
        <span className="unseen">{t`Search: ${words}`}</span>
        <span className="office-search-words" aria-hidden="true">
          {words}
        </span>
        <kbd className="key" aria-hidden="true">
          Ctrl K
        </kbd>
      </button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
