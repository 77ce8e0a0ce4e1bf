import { useEffect, useLayoutEffect, useRef } from 'react'
import { isTextField } from './keyboard-shortcuts.ts'

/** For this time after an item has appeared, in ms, keys are ignored: they were meant for the previous item. */
const appearingMs = 400

/** Keys that act on the shown item; keys that only move on are never blocked. */
const actingKeys: readonly string[] = ['a', 'r', 'p', 'e', 'Enter', ' ']
/** In a list Enter only opens. */
export const listKeys: readonly string[] = ['a', 'r', 'e', 'E', 's']

/**
 * Ignores keys that were not meant for the shown item: one that is still pressed, and one within 400 ms after `item`
 * appeared. Tab or the pointer end the wait, because the person has then looked at the item. Without an item only keys
 * that are still pressed are ignored. Source: requirements 19.21.
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
      if (!keys.includes(event.key) || entersText(event)) return
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

/** Returns whether the key enters text; Ctrl+Enter sends. */
function entersText({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  return isTextField(target) && !(key === 'Enter' && (ctrlKey || metaKey))
}

/** Returns whether the item is new; false if the clock was set back. */
function isNew(appearedAt: number | null): boolean {
  if (appearedAt === null) return false
  const elapsedMs = Date.now() - appearedAt
  return elapsedMs >= 0 && elapsedMs < appearingMs
}
