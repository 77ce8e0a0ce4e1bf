import { useEffect, useRef } from 'react'

/** Keys such as `{ a: approve, r: reject, j: next, '/': search }`; they rest while a field or a dialog has the focus. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
      if (
        event.target instanceof Element &&
        event.target.closest(
          'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]',
        )
      )
        return
      if (event.key === 'Enter' && isControl(event.target)) return
      const act = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Enter on a link or button is the control's own; only the entry of a list that is open already has no other use for it. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a:not([aria-current="true"]), button, summary') !== null
}

/** Ctrl+Enter (⌘ on a Mac) sends from a text field. */
export function sendsOnControlEnter(send: () => void): (event: React.KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  }
}
