/**
 * Circuit breaker per integration. While open, one probe at a time is allowed, so that a hanging integration cannot block
 * all workers (requirements 33.14).
 */

export interface CircuitBreakers {
  /** Returns whether a call may go out now; each true one is followed by `left`. */
  enter(target: string): boolean
  /** `answered`: it said something, be it a refusal. */
  left(target: string, answered: boolean): void
  isInDoubt(target: string): boolean
}

interface BreakerState {
  underWay: number
  inDoubt: boolean
}

/** Returns the integration of a target: `MT5:50124471` is for `MT5`. */
function integrationKey(target: string): string {
  return target.split(':')[0] ?? target
}

/** Returns all integrations of one process; each begins trusted. */
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
      const standing = standingOf(target)
      if (standing.inDoubt && standing.underWay > 0) return false
      standing.underWay += 1
      return true
    },
    left(target, answered) {
      const standing = standingOf(target)
      standing.underWay -= 1
      standing.inDoubt = !answered
    },
    isInDoubt: (target) => standingOf(target).inDoubt,
  }
}

/**
 * Returns the passage of one call to its integration. It enters once, however often the claiming transaction is
 * retried. A call that is turned back has sent nothing and does not count for the integration.
 */
export function integrationOf(doubts: CircuitBreakers): { enter(target: string): boolean; turnBack(): void } {
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
