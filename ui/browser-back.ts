import { useEffect, useRef } from 'react'

interface Mark {
  wizardStep: true
}

const mark: Mark = { wizardStep: true }

function isMarked(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'wizardStep' in state
}

/**
 * The browser's Back does what the BACK of a wizard's step does, instead of leaving the wizard with all that was typed: the
 * step puts an entry of its own on the history, and going back from it is the step's way back.
 */
export function useBrowserBack(onBack: (() => void) | undefined): void {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
    if (onBack && !isMarked(history.state)) history.pushState(mark, '')
  })
  useEffect(() => {
    const left = () => {
      if (!isMarked(history.state)) latest.current?.()
    }
    addEventListener('popstate', left)
    return () => removeEventListener('popstate', left)
  }, [])
}
