/** The platform's clock beside ours. It runs in a time zone of its own, whose offset changes with the seasons. */

const quarterHourMs = 900_000
const dayMs = 86_400_000

/** How far the platform's clock was ahead of ours, in ms, by its own day ("2026-03-29"). */
export type ClockOffsets = ReadonlyMap<string, number>

/** Turns times of the platform into ours and back, each by the offset of its own day. */
export interface ZoneOfServer {
  /** Our time of a time of the platform, both in ms. */
  ours(platformMs: number): number
  /** The platform's time of a time of ours, both in ms. */
  theirs(ourMs: number): number
}

/** Returns the offset between two readings of the clocks: a whole number of quarter hours, being a time zone. */
export function offsetBetween(platformMs: number, ourMs: number): number {
  return Math.round((platformMs - ourMs) / quarterHourMs) * quarterHourMs
}

/** The platform's own day of a time of its own. */
export function dayOfServer(platformMs: number): string {
  return new Date(platformMs).toISOString().slice(0, 10)
}

/**
 * `nowMs` is the offset as it is now. A day of which none was kept has that of the first day after it of which one was: a
 * season begins with the first reading in it, and before all readings nothing better is known.
 */
export function zoneOfServer(kept: ClockOffsets, nowMs: number): ZoneOfServer {
  const days = [...kept.keys()].toSorted()
  const offsetOn = (day: string): number => {
    const known = kept.get(day)
    if (known !== undefined) return known
    const next = days.find((one) => one > day)
    return (next === undefined ? undefined : kept.get(next)) ?? nowMs
  }
  return {
    ours: (platformMs) => platformMs - offsetOn(dayOfServer(platformMs)),
    theirs(ourMs) {
      const near = ourMs + offsetOn(dayOfServer(ourMs + nowMs))
      return ourMs + offsetOn(dayOfServer(near))
    },
  }
}

/** Returns a window of the platform's time that surely holds one of ours, whichever season a day of it is in. */
export function windowOfServer(zone: ZoneOfServer, fromMs: number, toMs: number): { from: number; to: number } {
  const edges = [fromMs - dayMs, fromMs, toMs, toMs + dayMs].map((ms) => zone.theirs(ms) - ms)
  return { from: fromMs + Math.min(...edges), to: toMs + Math.max(...edges) }
}
