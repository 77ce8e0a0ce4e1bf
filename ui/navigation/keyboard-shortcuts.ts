import { useEffect, useRef } from 'react'

/** Where keys are somebody else's: a field that is written in, whatever is open above the page. */
const ownKeys = [
  'input:not([type="radio"], [type="checkbox"])',
  'textarea',
  'select',
  '[contenteditable]',
  ...['dialog', 'alertdialog', 'menu', 'listbox'].map((role) => `[role="${role}"]`),
].join(', ')

/** Every key that a page may take. The back office prints each of them, and no other one does anything. */
export const shortcutKeys = [
  'j',
  'k',
  'ArrowDown',
  'ArrowUp',
  'Enter',
  'a',
  'r',
  'p',
  'c',
  'm',
  'e',
  'E',
  's',
  'x',
  'v',
  '+',
  '=',
  '-',
  '0',
  't',
  'b',
  'o',
  '/',
  '?',
  'Escape',
] as const
export type ShortcutKey = (typeof shortcutKeys)[number]

/** Keys such as `{ a: approve, r: reject, j: next, '/': search }`; they rest while a field or a dialog has the focus. */
export function useShortcuts(keys: Readonly<Partial<Record<ShortcutKey, (() => void) | undefined>>>): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
      if (isOwnKey(event.target)) return
      if (event.key === 'Enter' && isControl(event.target)) return
      const key = shortcutKeys.find((one) => one === event.key)
      const act = key && current.current[key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Returns whether keys belong to what has the focus: a field, a dialog, a menu. */
export function isOwnKey(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(ownKeys) !== null
}

/** Enter on a link or button is the control's own; only the entry of a list that is open already has no other use for it. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a:not([aria-current="true"]), button, summary') !== null
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'preventDefault'>

/** Enter, with or without Ctrl, does what the field is for; the key goes no further. */
export function sendsOnEnter(send: () => void): (event: Pressed & { stopPropagation: () => void }) => void {
  return (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    send()
  }
}

/** Ctrl+Enter (⌘ on a Mac) sends from a text field. */
export function sendsOnControlEnter(send: () => void): (event: Pressed) => void {
  return (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
}

/** Returns whether what is typed there is text: single keys are characters, and Ctrl+Enter sends. */
export function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('textarea, input:not([type="radio"], [type="checkbox"])')
}

/** Calls the action on Ctrl+Enter in any text field. Undefined turns it off. */
export function useControlEnter(send: (() => void) | undefined): void {
  const current = useRef(send)
  current.current = send
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isTextField(event.target)) return
      if (current.current) sendsOnControlEnter(current.current)(event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
