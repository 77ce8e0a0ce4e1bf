import { useEffect, useEffectEvent } from 'react'
import { isDialogOpen } from '../overlays/open-dialogs.ts'

/** Elements that handle keys themselves: text fields and anything open above the page. */
const keyHandlingElements = [
  'input:not([type="radio"], [type="checkbox"])',
  'textarea',
  'select',
  '[contenteditable]',
  ...['dialog', 'alertdialog', 'menu', 'listbox'].map((role) => `[role="${role}"]`),
].join(', ')

/** All keys that a page may use. The back office lists each of them, and no other key has an effect. */
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

/**
 * Registers shortcuts such as `{ a: approve, r: reject, j: next, '/': search }`; disabled while a field or a dialog has
 * the focus, and while a dialog is opening.
 */
export function useShortcuts(keys: Readonly<Partial<Record<ShortcutKey, (() => void) | undefined>>>): void {
  useKeyDown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
    if (isKeyHandledElsewhere(event.target)) return
    if (event.key === 'Enter' && isControl(event.target)) return
    const key = shortcutKeys.find((one) => one === event.key)
    const act = key && keys[key]
    if (!act) return
    event.preventDefault()
    act()
  })
}

/** Returns whether a key is not the page's: the focused element handles keys itself, or a dialog is open or opening. */
export function isKeyHandledElsewhere(target: EventTarget | null): boolean {
  return isDialogOpen() || (target instanceof Element && target.closest(keyHandlingElements) !== null)
}

/** Returns whether Enter belongs to a link or button; the list entry that is open already has no use for it. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a:not([aria-current="true"]), button, summary') !== null
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'preventDefault'>

/** Returns a handler that sends on Enter, with or without Ctrl, and stops the event. */
export function submitOnEnter(send: () => void): (event: KeyPress & { stopPropagation: () => void }) => void {
  return (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    send()
  }
}

/** Returns a handler that sends on Ctrl+Enter (⌘ on a Mac). */
export function submitOnControlEnter(send: () => void): (event: KeyPress) => void {
  return (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
}

/** Returns whether the element takes text: single keys are characters, and Ctrl+Enter sends. */
export function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('textarea, input:not([type="radio"], [type="checkbox"])')
}

/** Calls the action on Ctrl+Enter in any field: a text, a list, a tile. Undefined turns it off. */
export function useControlEnter(send: (() => void) | undefined): void {
  useKeyDown((event) => {
    const isInField = event.target instanceof Element && event.target.matches('input, select, textarea')
    if (send && !event.defaultPrevented && isInField) submitOnControlEnter(send)(event)
  })
}

function useKeyDown(onPress: (event: KeyboardEvent) => void): void {
  const pressed = useEffectEvent(onPress)
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressed(event)
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
