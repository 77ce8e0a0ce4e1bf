/** Parts of a page whose code the first look at it does without: dialogs, lists that open. */
import { type ComponentType, lazy, Suspense, useState } from 'react'

type FetchCode<Props> = () => Promise<ComponentType<Props>>

export interface Awaited<Props> {
  /** Waits for its code, as a Suspense around it sees. */
  View: ComponentType<Props>
  load: () => Promise<ComponentType<Props>>
}

/**
 * A component whose code is fetched. What is there already is drawn at once: React would hold back for 300 ms what has
 * waited for its code even a moment.
 */
export function awaited<Props extends object>(fetchCode: FetchCode<Props>): Awaited<Props> {
  let fetched: ComponentType<Props> | null = null
  const load = async () => (fetched = await fetchCode())
  const Waiting = lazy(async () => ({ default: await load() }))
  function View(props: Props) {
    const [Drawn] = useState<ComponentType<Props>>(() => fetched ?? Waiting)
    return <Drawn {...props} />
  }
  return { View, load }
}

/**
 * A part whose code is fetched when it is first drawn, and nothing is drawn until it is there. What somebody who is at
 * the page may open next is fetched at the first movement already, so that it opens at once.
 */
export function fetchedLater<Props extends object>(fetchCode: FetchCode<Props>): ComponentType<Props> {
  const { View, load } = awaited(fetchCode)
  atFirstMovement(() => {
    load().catch(() => undefined)
  })
  return function FetchedLater(props: Props) {
    return (
      <Suspense fallback={null}>
        <View {...props} />
      </Suspense>
    )
  }
}

const movements = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
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
