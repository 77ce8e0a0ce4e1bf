import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { isOwnKey } from '#ui/navigation/keyboard-shortcuts.ts'

/** The second key comes within this time. */
const secondKeyMs = 1000

export const goKeys = {
  o: officePaths.overview,
  i: officePaths.inbox,
  n: `${officePaths.inbox}?mine=true`,
} as const

/** Two keys lead to a page: g, then o for the overview or i for the inbox. They rest in fields and dialogs. */
export function useGoKeys(): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    // Times count from the page's own beginning: 0 would make its first second a second key's.
    let begunAt = -Infinity
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isOwnKey(event.target)) return
      const isSecond = event.timeStamp - begunAt < secondKeyMs
      begunAt = event.key === 'g' && !isSecond ? event.timeStamp : -Infinity
      const to = isSecond ? Object.entries(goKeys).find(([key]) => key === event.key)?.[1] : undefined
      if (to === undefined) return
      // The key is no page's own.
      event.preventDefault()
      event.stopImmediatePropagation()
      navigate(to)
    }
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [navigate])
}
