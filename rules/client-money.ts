/** Compares the client money that the firm holds in a currency with what it owes, and explains the difference. */

type ClientMoneyStatus = 'agrees' | 'explained' | 'open' | 'unexplained'

interface ClientMoneySums {
  /** The requirement: what clients could ask for, in minor units. */
  readonly owed: bigint
  /** The resource: what is at bank and provider. */
  readonly held: bigint
  /** What of it the books name as the firm's own: fees, exchange, trading result, corrections, what it paid in. */
  readonly own: bigint
  /** Differences of the reconciliation that no one has explained yet. */
  readonly openDifferences: number
}

/** Returns resource less requirement, in minor units; negative is a shortfall, which the firm pays in. */
export function surplusOf({ owed, held }: Pick<ClientMoneySums, 'owed' | 'held'>): bigint {
  return held - owed
}

/** Returns the part of the surplus or shortfall that no booking explains. Anything but 0 is an error in the books. */
export function unexplainedOf(sums: Pick<ClientMoneySums, 'owed' | 'held' | 'own'>): bigint {
  return surplusOf(sums) - sums.own
}

/** Returns the worst that is true of a currency: what no booking explains comes before what is still being compared. */
export function clientMoneyStatus(sums: ClientMoneySums): ClientMoneyStatus {
  if (unexplainedOf(sums) !== 0n) return 'unexplained'
  if (sums.openDifferences > 0) return 'open'
  return surplusOf(sums) === 0n ? 'agrees' : 'explained'
}

/** Returns what a statement's lines leave unexplained between its opening and its closing balance, in minor units. */
export function statementGap(stated: {
  readonly opening: bigint
  readonly lines: bigint
  readonly closing: bigint
}): bigint {
  return stated.closing - stated.opening - stated.lines
}
