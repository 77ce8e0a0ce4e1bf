/**
 * The browser's Back does what the BACK of a wizard's step does, instead of leaving the wizard with all that was typed, and
 * its Forward returns to the step that was left by it. While there is a step to go back to, one entry of our own stands on
 * the history, and one more where a step lies ahead; whichever way the first step is reached, Back leaves the wizard.
 */
import { useCallback, useEffect, useRef, useState } from 'react'

/** What an entry of ours stands for: the step that is shown, or the one ahead of it. The wizard's page has none. */
type Entry = 'here' | 'ahead'

function entryOf(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null || !('wizardStep' in state)) return null
  return state.wizardStep === 'ahead' ? 'ahead' : 'here'
}

function push(entry: Entry): void {
  history.pushState({ wizardStep: entry }, '')
}

/**
 * Returns whether the entry that is shown has one ahead of it: kept with it, since a reload forgets everything else.
 */
function hasAhead(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'hasAhead' in state
}

interface Way {
  /** Of the wizard's page: elsewhere its steps have no say. */
  readonly path: string
  readonly go: () => void
}

/** One of each, but for the moment in which a step takes the place of another. */
const waysBack = new Set<Way>()
const waysForward = new Set<Way>()

function wayFromHere(ways: ReadonlySet<Way>): Way | undefined {
  return [...ways].find(({ path }) => path === location.pathname)
}

/** True while the browser is on its way from one of our entries to the one before it. */
let isReturning = false

function returnOne(): void {
  isReturning = true
  history.back()
}

/** Lets our entries be there exactly while they lead somewhere. */
function settle(): void {
  if (isReturning) return
  const entry = entryOf(history.state)
  // The entry ahead does not stay open: its step is shown on the one before it.
  if (entry === 'ahead') return returnOne()
  const leadsBack = wayFromHere(waysBack) !== undefined
  // The entry of the step that was left stays behind the wizard's page: Forward leads there.
  if (!leadsBack) return entry === 'here' ? returnOne() : undefined
  const leadsOn = wayFromHere(waysForward) !== undefined
  if (entry === null) push('here')
  if (!leadsOn || hasAhead()) return
  history.replaceState({ wizardStep: 'here', hasAhead: true }, '')
  push('ahead')
  returnOne()
}

addEventListener('popstate', () => {
  if (!isReturning) wayFromHere(entryOf(history.state) === null ? waysBack : waysForward)?.go()
  isReturning = false
  // The step that is shown now has been drawn by then.
  setTimeout(settle)
})

function useWay(ways: Set<Way>, onGo: (() => void) | undefined): void {
  const latest = useRef(onGo)
  useEffect(() => {
    latest.current = onGo
  })
  const leads = onGo !== undefined
  useEffect(() => {
    const way = { path: location.pathname, go: () => latest.current?.() }
    if (leads) ways.add(way)
    // The step that goes and the one that comes are told of together.
    queueMicrotask(settle)
    return () => {
      ways.delete(way)
      queueMicrotask(settle)
    }
  }, [leads, ways])
}

/**
 * A step names its way back. A wizard whose first step has no footer calls it without one: a reload may start there again
 * where a later step stood.
 */
export function useBrowserBack(onBack?: () => void): void {
  useWay(waysBack, onBack)
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * How a wizard moves between its steps, so that Forward returns to those that were left by going back: `back` and `next`
 * show a step, and `leave` drops the steps ahead. What is decided differently on the way has other steps ahead, and Forward
 * leads no further. `fits` says whether the step ahead is the one that `next` leads to, with answers of its own: it is shown
 * with these.
 */
export function useSteps<Step>(
  current: Step,
  show: (step: Step) => void,
  fits: (ahead: Step, to: Step) => boolean = isEqual,
) {
  const [ahead, setAhead] = useState<readonly Step[]>([])
  const [first, ...rest] = ahead
  useWay(
    waysForward,
    first === undefined
      ? undefined
      : () => {
          setAhead(rest)
          show(first)
        },
  )
  const back = useCallback(
    (to: Step, left: readonly Step[] = [current]) => {
      setAhead([...left, ...ahead])
      show(to)
    },
    [current, ahead, show],
  )
  const next = useCallback(
    (to: Step) => {
      const [kept, ...later] = ahead
      const isKept = kept !== undefined && fits(kept, to)
      setAhead(isKept ? later : [])
      show(isKept ? kept : to)
    },
    [ahead, show, fits],
  )
  const leave = useCallback(() => setAhead([]), [])
  return { back, next, leave }
}
