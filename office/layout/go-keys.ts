import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { isKeyHandledElsewhere } from '#ui/navigation/keyboard-shortcuts.ts'

/** Maximum time until the second key, in ms. */
const secondKeyMs = 1000

export const goKeys = {
  o: officePaths.overview,
  i: officePaths.inbox,
  n: `${officePaths.inbox}?mine=true`,
} as const

/** Two keys open a page: g, then o for the overview or i for the inbox. Disabled in fields and dialogs. */
export function useGoKeys(): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    // Times are relative to the page load: with 0, any key in the first second would count as a second one.
    let begunAt = -Infinity
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isKeyHandledElsewhere(event.target)) return
      const isSecond = event.timeStamp - begunAt < secondKeyMs
      begunAt = event.key === 'g' && !isSecond ? event.timeStamp : -Infinity
      const to = isSecond ? Object.entries(goKeys).find(([key]) => key === event.key)?.[1] : undefined
      if (to === undefined) return
      // Prevents the page from handling the key.
      event.preventDefault()
      event.stopImmediatePropagation()
      navigate(to)
    }
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [navigate])
}
