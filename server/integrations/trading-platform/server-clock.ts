/**
 * The platform's clock compared with ours. It runs in its own time zone, whose offset changes with daylight saving
 * time.
 */
import { offsetAt, hourMs, dayMs } from '#rules/dates.ts'
import { tradingDay } from '#rules/trading-days.ts'

const quarterHourMs = 900_000

/** A time zone and whole hours ahead of it: many servers follow New York, seven hours ahead. */
export interface ClockZone {
  readonly timeZone: string
  readonly hoursAhead: number
}

export interface ClockReadings {
  /** The offset of the platform's clock ahead of ours, in ms, by its own day ("2026-03-29"). */
  readonly days: ReadonlyMap<string, number>
  /** The firm's setting for the days before the first of these. */
  readonly before: ClockZone | null
}

/** Converts the platform's times to ours and back, each with the offset of its own day. */
export interface ServerZone {
  /** Converts a time of the platform to ours, both in ms. */
  toUtc(platformMs: number): number
  /** Converts a time of ours to the platform's, both in ms. */
  toServerTime(ourMs: number): number
}

/**
 * Returns the offset between two readings of the clocks: a whole number of quarter hours, because it is a time zone's.
 */
export function offsetBetween(platformMs: number, ourMs: number): number {
  return Math.round((platformMs - ourMs) / quarterHourMs) * quarterHourMs
}

/** No time zone is further from UTC. */
const offsetMaxMs = 14 * hourMs

/** Returns whether a time zone may have this offset, in ms. */
export function isZoneOffset(offsetMs: number): boolean {
  return Math.abs(offsetMs) <= offsetMaxMs
}

/** Returns the offset of a zone's day at noon in UTC, because clocks are changed at night. */
export function offsetOfDay({ timeZone, hoursAhead }: ClockZone, day: string): number {
  return offsetAt(new Date(Date.parse(day) + dayMs / 2), timeZone) + hoursAhead * hourMs
}

/**
 * Returns the server's offset by day. `nowMs` is the current offset. A day without a reading has the offset of the next
 * day with one: a season starts with its first reading. Before all readings the firm's time zone applies, or the first
 * reading.
 */
export function serverZone({ days, before }: ClockReadings, nowMs: number): ServerZone {
  const sorted = [...days.keys()].toSorted()
  const [first = ''] = sorted
  const derived = new Map<string, number>()
  const offsetOn = (day: string): number => {
    const known = days.get(day) ?? derived.get(day)
    if (known !== undefined) return known
    if (before !== null && day < first) {
      const offset = offsetOfDay(before, day)
      derived.set(day, offset)
      return offset
    }
    const next = sorted.find((one) => one > day)
    return (next === undefined ? undefined : days.get(next)) ?? nowMs
  }
  return {
    toUtc: (platformMs) => platformMs - offsetOn(tradingDay(platformMs)),
    toServerTime(ourMs) {
      const near = ourMs + offsetOn(tradingDay(ourMs + nowMs))
      return ourMs + offsetOn(tradingDay(near))
    },
  }
}

/** Returns a window of the platform's time that certainly contains one of ours, whatever the season of each day. */
export function serverWindow(zone: ServerZone, fromMs: number, toMs: number): { from: number; to: number } {
  const edges = [fromMs - dayMs, fromMs, toMs, toMs + dayMs].map((ms) => zone.toServerTime(ms) - ms)
  return { from: fromMs + Math.min(...edges), to: toMs + Math.max(...edges) }
}
