/**
 * The browser's Back does what the BACK of a wizard's step does, instead of leaving the wizard with all that was typed.
 * While there is a step to go back to, one entry of our own stands on the history; whichever way the first step is reached,
 * it is taken away again, so that the next Back leaves the wizard.
 */
import { useEffect, useRef } from 'react'

const mark = { wizardStep: true }

function isMarked(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'wizardStep' in state
}

interface WayBack {
  /** Of the wizard's page: elsewhere its steps have no say. */
  readonly path: string
  readonly go: () => void
}

/** One, but for the moment in which a step takes the place of another. */
const waysBack = new Set<WayBack>()

function wayBackFromHere(): WayBack | undefined {
  return [...waysBack].find(({ path }) => path === location.pathname)
}

/** True while the browser is on its way from our entry to the one before it. */
let isDropping = false

/** Lets our entry be there exactly while there is a way back. */
function settle(): void {
  const isWanted = wayBackFromHere() !== undefined
  if (isDropping || isWanted === isMarked(history.state)) return
  if (isWanted) return history.pushState(mark, '')
  isDropping = true
  history.back()
}

addEventListener('popstate', () => {
  if (!isDropping && !isMarked(history.state)) wayBackFromHere()?.go()
  isDropping = false
  // The step that is shown now has been drawn by then.
  setTimeout(settle)
})

/**
 * A step names its way back. A wizard whose first step has no footer calls it without one: a reload may begin there anew
 * where a later step stood.
 */
export function useBrowserBack(onBack?: () => void): void {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  const leadsBack = onBack !== undefined
  useEffect(() => {
    const way = { path: location.pathname, go: () => latest.current?.() }
    if (leadsBack) waysBack.add(way)
    // The step that goes and the one that comes are told of together.
    queueMicrotask(settle)
    return () => {
      waysBack.delete(way)
      queueMicrotask(settle)
    }
  }, [leadsBack])
}
