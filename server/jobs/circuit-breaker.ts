/**
 * Circuit breaker per integration. While open, one probe at a time is allowed, so that a hanging integration cannot
 * block all workers (requirements 33.14).
 */

export interface CircuitBreakers {
  /** Returns whether a call may be sent now; every true result is followed by `left`. */
  enter(target: string): boolean
  /** `answered`: whether it responded, even with a rejection. */
  left(target: string, answered: boolean): void
  isInDoubt(target: string): boolean
}

interface BreakerState {
  underWay: number
  inDoubt: boolean
}

/** Returns the integration of a target: `MT5:50124471` belongs to `MT5`. */
function integrationKey(target: string): string {
  return target.split(':')[0] ?? target
}

/** Returns the circuit breakers of one process, all closed at first. */
export function circuitBreakers(): CircuitBreakers {
  const standings = new Map<string, BreakerState>()
  const standingOf = (target: string): BreakerState => {
    const integration = integrationKey(target)
    const known = standings.get(integration)
    if (known) return known
    const fresh = { underWay: 0, inDoubt: false }
    standings.set(integration, fresh)
    return fresh
  }
  return {
    enter(target) {
      const current = standingOf(target)
      if (current.inDoubt && current.underWay > 0) return false
      current.underWay += 1
      return true
    },
    left(target, answered) {
      const current = standingOf(target)
      current.underWay -= 1
      current.inDoubt = !answered
    },
    isInDoubt: (target) => standingOf(target).inDoubt,
  }
}

/**
 * Returns the circuit breaker for one call. It enters once, however often the claiming transaction is retried. A call
 * that is turned back has sent nothing and is not counted.
 */
export function breakerForCall(doubts: CircuitBreakers): { enter(target: string): boolean; turnBack(): void } {
  let entered: string | null = null
  return {
    enter(target) {
      if (entered === null && doubts.enter(target)) entered = target
      return entered !== null
    },
    turnBack() {
      if (entered !== null) doubts.left(entered, !doubts.isInDoubt(entered))
    },
  }
}
