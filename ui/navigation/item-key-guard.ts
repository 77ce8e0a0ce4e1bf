import { useEffect, useLayoutEffect, useRef } from 'react'
import { isTextField } from './keyboard-shortcuts.ts'

/** For this long after an item has appeared, no key decides it: the press was meant for the one before. */
const appearingMs = 400

/** Keys that act on the item that is shown; keys that only move on are never held back. */
const actingKeys: readonly string[] = ['a', 'r', 'p', 'e', 'Enter', ' ']
/** In a list Enter only opens. */
export const listKeys: readonly string[] = ['a', 'r', 'e', 'E', 's']

/**
 * Ignores keys that were not meant for the item on the page: one that is still down, and one that comes within 400 ms
 * after `item` appeared. Tab or the pointer end the wait, since the person has then looked at this item. Without an
 * item only keys that are still down are ignored. Source: requirements 19.21.
 */
export function useItemKeyGuard(item: string | null, keys = actingKeys): void {
  const appeared = useRef<number | null>(null)
  useLayoutEffect(() => {
    appeared.current = item === null ? null : Date.now()
  }, [item])
  useEffect(() => {
    const seen = () => {
      appeared.current = null
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Tab') return seen()
      if (!keys.includes(event.key) || isTyped(event)) return
      if (!event.repeat && !isNew(appeared.current)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener('keydown', press, true)
    addEventListener('pointerdown', seen, true)
    return () => {
      removeEventListener('keydown', press, true)
      removeEventListener('pointerdown', seen, true)
    }
  }, [keys])
}

/** Returns whether the key writes a character or a line; Ctrl+Enter sends. */
function isTyped({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  return isTextField(target) && !(key === 'Enter' && (ctrlKey || metaKey))
}

/** A clock that was set back counts as long ago. */
function isNew(appearedAt: number | null): boolean {
  if (appearedAt === null) return false
  const elapsedMs = Date.now() - appearedAt
  return elapsedMs >= 0 && elapsedMs < appearingMs
}
