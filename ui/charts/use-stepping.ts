/** Stepping through the points of a chart by pointer and keys. */
import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'

/** Screen readers announce points at most twice a second. */
const sayAfterMs = 500

/**
 * Returns the selected index (null: none), the index announced to assistive technology, and the event handlers of the
 * plot: pointer and touch move, ← and → by one, Home and End to the ends, Esc back.
 */
export function useChartCursor(count: number) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [announced, setAnnounced] = useState<number | null>(null)
  const [byKey, setByKey] = useState(false)
  const at = chosen === null || chosen >= count ? null : chosen
  useEffect(() => {
    if (!byKey) return
    const timer = setTimeout(() => setAnnounced(at), sayAfterMs)
    return () => clearTimeout(timer)
  }, [at, byKey])

  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const along = Math.min(1, Math.max(0, (event.clientX - left) / width))
    setByKey(false)
    setChosen(Math.round(along * (count - 1)))
  }
  const step = (event: KeyboardEvent) => {
    const next = nextOf(event.key, at ?? count - 1, count)
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setByKey(true)
    setChosen(next)
  }
  const leave = () => setChosen(null)
  return {
    at,
    announced,
    listeners: { onPointerMove: point, onPointerDown: point, onPointerLeave: leave, onKeyDown: step, onBlur: leave },
  }
}

function nextOf(key: string, at: number, count: number): number | null | undefined {
  const last = count - 1
  const keys: Readonly<Record<string, number | null>> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    Home: 0,
    End: last,
    Escape: null,
  }
  return keys[key]
}
