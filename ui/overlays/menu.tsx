import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { type ShortcutKey, useShortcuts } from '../navigation/keyboard-shortcuts.ts'
import { lazyPart } from '../loading/lazy.tsx'
import type { MenuEntry } from './menu-list.tsx'

const MenuList = lazyPart(async () => (await import('./menu-list.tsx')).MenuList)

const noKeys = {}
const openingKeys = ['Enter', ' ', 'ArrowDown', 'ArrowUp']

interface MenuProps {
  name: string
  face: ReactNode
  look?: string
  entries: readonly MenuEntry[]
  /** The shortcut that opens it. */
  shortcut?: ShortcutKey
}

/** A button that opens a menu. `look` is the class of the button: "button outline small", "icon-button". */
export function Menu({ name, face, look = 'icon-button', entries, shortcut }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<boolean | null>(null)
  // react-aria takes a click by a key for one of a screen reader, and would not move the focus.
  const openByKey = (event: KeyboardEvent) => {
    if (!openingKeys.includes(event.key)) return
    event.preventDefault()
    setOpen(true)
  }
  useShortcuts(shortcut === undefined ? noKeys : { [shortcut]: () => setOpen(true) })
  return (
    <>
      <button
        ref={button}
        type="button"
        className={look}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={open === true}
        onClick={() => setOpen(open !== true)}
        onKeyDown={openByKey}
      >
        {face}
      </button>
      {open !== null && <MenuList name={name} entries={entries} button={button} isOpen={open} onOpenChange={setOpen} />}
    </>
  )
}
