/**
 * The browser's Back acts like BACK of a wizard's step, instead of leaving the wizard and losing its entries, and
 * Forward returns to the step that was left. While there is a previous step, the history has one entry of ours, and one
 * more if there is a next step; from the first step, Back leaves the wizard.
 */
import { useCallback, useEffect, useEffectEvent, useState } from 'react'

/** The meaning of our entry: the current step, or the one after it. The wizard's page has none. */
type Entry = 'here' | 'ahead'

function entryOf(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null || !('wizardStep' in state)) return null
  return state.wizardStep === 'ahead' ? 'ahead' : 'here'
}

function push(entry: Entry): void {
  history.pushState({ wizardStep: entry }, '')
}

/** Returns whether the current entry has one after it: stored with it, because a reload loses everything else. */
function hasAhead(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'hasAhead' in state
}

interface HistoryHandler {
  /** The path of the wizard's page: elsewhere its steps have no effect. */
  readonly path: string
  readonly go: () => void
}

/** One of each, except while one step replaces another. */
const backHandlers = new Set<HistoryHandler>()
const forwardHandlers = new Set<HistoryHandler>()

function handlerForPage(ways: ReadonlySet<HistoryHandler>): HistoryHandler | undefined {
  return [...ways].find(({ path }) => path === location.pathname)
}

/** True while the browser moves from one of our entries to the previous one. */
let isReturning = false

function goBackOneEntry(): void {
  isReturning = true
  history.back()
}

/** Adds or removes our entries so that they exist exactly while they lead somewhere. */
function syncEntries(): void {
  if (isReturning) return
  const entry = entryOf(history.state)
  // The entry ahead is not kept as current: its step is shown on the previous entry.
  if (entry === 'ahead') return goBackOneEntry()
  const leadsBack = handlerForPage(backHandlers) !== undefined
  // The entry of the step that was left stays after the wizard's page: Forward leads to it.
  if (!leadsBack) return entry === 'here' ? goBackOneEntry() : undefined
  const leadsOn = handlerForPage(forwardHandlers) !== undefined
  if (entry === null) push('here')
  if (!leadsOn || hasAhead()) return
  history.replaceState({ wizardStep: 'here', hasAhead: true }, '')
  push('ahead')
  goBackOneEntry()
}

addEventListener('popstate', () => {
  if (!isReturning) handlerForPage(entryOf(history.state) === null ? backHandlers : forwardHandlers)?.go()
  isReturning = false
  // The current step is rendered by then.
  setTimeout(syncEntries)
})

function useHistoryHandler(ways: Set<HistoryHandler>, onGo: (() => void) | undefined): void {
  const go = useEffectEvent(() => onGo?.())
  const leads = onGo !== undefined
  useEffect(() => {
    const way = { path: location.pathname, go: () => go() }
    if (leads) ways.add(way)
    // The old and the new step are handled together.
    queueMicrotask(syncEntries)
    return () => {
      ways.delete(way)
      queueMicrotask(syncEntries)
    }
  }, [leads, ways])
}

/**
 * Registers a step's way back. A wizard whose first step has no footer calls it without one: a reload may start there
 * when a later step was open.
 */
export function useBrowserBack(onBack?: () => void): void {
  useHistoryHandler(backHandlers, onBack)
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns functions to move between a wizard's steps, so that Forward returns to steps that were left by going back:
 * `back` and `next` show a step, `leave` drops the later steps. Another choice drops them too. `fits` returns whether
 * the later step is the one that `next` leads to, with its own entries, which are then shown.
 */
export function useSteps<Step>(
  current: Step,
  show: (step: Step) => void,
  fits: (ahead: Step, to: Step) => boolean = isEqual,
) {
  const [ahead, setAhead] = useState<readonly Step[]>([])
  const [first, ...rest] = ahead
  useHistoryHandler(
    forwardHandlers,
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
