/** A clock that is stopped until it is advanced. */
export interface Clock {
  now(): Date
  /** Advances it by this number of seconds. */
  turn(seconds: number): void
  set(at: Date): void
}

/** Returns a clock that is stopped at `start`. */
export function makeClock(start: Date): Clock {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    turn(seconds) {
      at += seconds * 1000
    },
    set(to) {
      at = to.getTime()
    },
  }
}
