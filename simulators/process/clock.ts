/** A clock that a switch can set: seeds put history into the past, tests move it forward. */
import { Misuse, numberField, type Route } from './http.ts'

export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number
  seconds(): number
  readonly route: Route
  offsetSeconds(): number
  /** Returns the offset of the server's time zone, in which its clock runs, ahead of UTC. */
  zoneMinutes(): number
}

export interface ClockSetting {
  readonly offsetSeconds: number
  readonly zoneMinutes?: number
}

/** `keep` receives each new offset, so that it survives a restart. */
export function adjustableClock(start: ClockSetting | undefined, keep: (setting: ClockSetting) => void): Clock {
  let { offsetSeconds, zoneMinutes = 0 } = start ?? { offsetSeconds: 0 }
  const now = () => Date.now() + Math.round(offsetSeconds * 1000)
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    offsetSeconds: () => offsetSeconds,
    zoneMinutes: () => zoneMinutes,
    route({ fields }) {
      const at = numberField(fields, 'at')
      const offset = at === undefined ? numberField(fields, 'offsetSeconds') : at - Date.now() / 1000
      if (offset === undefined) throw new Misuse('offsetSeconds or at is missing')
      offsetSeconds = offset
      zoneMinutes = numberField(fields, 'zoneMinutes') ?? zoneMinutes
      keep({ offsetSeconds, zoneMinutes })
      return { ok: true, now: Math.floor(now() / 1000) }
    },
  }
}
