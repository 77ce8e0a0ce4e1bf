/** Parts of a page whose code the first look at it does without: dialogs, lists that open. */
import { useLingui } from '@lingui/react/macro'
import { type ComponentType, lazy, useEffect, useState } from 'react'
import { showToast } from '../feedback/toasts.tsx'

type FetchCode<Props> = () => Promise<ComponentType<Props>>

interface AwaitedPart<Props> {
  /** Waits for its code, as a Suspense around it sees. */
  View: ComponentType<Props>
  load: () => Promise<ComponentType<Props>>
  /** What has been fetched. */
  fetched: () => ComponentType<Props> | null
}

const againAfterMs = 3_000

/**
 * A component whose code is fetched. What is there already is drawn at once: React would hold back for 300 ms what has
 * waited for its code even a moment.
 */
export function awaitPart<Props extends object>(fetchCode: FetchCode<Props>): AwaitedPart<Props> {
  let fetched: ComponentType<Props> | null = null
  const load = async () => (fetched = await fetchCode())
  const Waiting = lazy(async () => ({ default: await load() }))
  function View(props: Props) {
    const [Drawn] = useState<ComponentType<Props>>(() => fetched ?? Waiting)
    return <Drawn {...props} />
  }
  return { View, load, fetched: () => fetched }
}

/**
 * A part whose code is fetched when it is first drawn, and nothing is drawn until it is there. What somebody who is at
 * the page may open next is fetched at the first movement already, so that it opens at once. Without a connection that is
 * said, and asked for again as long as it is wanted: the page itself stays as it is.
 */
export function lazyPart<Props extends object>(fetchCode: FetchCode<Props>): ComponentType<Props> {
  const { load, fetched } = awaitPart(fetchCode)
  atFirstMovement(() => {
    load().catch(() => undefined)
  })
  return function FetchedLater(props: Props) {
    const { t } = useLingui()
    const [Drawn, setDrawn] = useState<ComponentType<Props> | null>(fetched)
    const missing = t`This content could not be loaded. It will open when you are back online.`
    useEffect(() => {
      if (Drawn) return undefined
      let again: ReturnType<typeof setTimeout> | undefined
      let wanted = true
      let takeBack = () => {}
      const attempt = async (first: boolean) => {
        try {
          const code = await load()
          if (!wanted) return
          takeBack()
          setDrawn(() => code)
        } catch {
          if (!wanted) return
          if (first) takeBack = showToast(missing, { kind: 'bad' })
          again = setTimeout(() => void attempt(false), againAfterMs)
        }
      }
      void attempt(true)
      return () => {
        wanted = false
        clearTimeout(again)
        takeBack()
      }
    }, [Drawn, missing])
    return Drawn && <Drawn {...props} />
  }
}

/** No focus: a page sets its own when it opens. */
const movements = ['pointermove', 'pointerdown', 'keydown'] as const
const waiting = new Set<() => void>()
let somebodyIsHere = false

function atFirstMovement(fetchNow: () => void): void {
  if (somebodyIsHere) return fetchNow()
  waiting.add(fetchNow)
}

function wake(): void {
  somebodyIsHere = true
  for (const movement of movements) removeEventListener(movement, wake, true)
  for (const fetchNow of waiting) fetchNow()
  waiting.clear()
}

for (const movement of movements) addEventListener(movement, wake, { capture: true, passive: true })
