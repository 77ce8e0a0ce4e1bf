/** Compares the client money that the firm holds in a currency with its requirement, and explains the difference. */

type ClientMoneyStatus = 'agrees' | 'explained' | 'open' | 'unexplained'

interface ClientMoneySums {
  /** The requirement: the sum of clients' claims, in minor units. */
  readonly owed: bigint
  /** The resource: money at bank and provider, in minor units. */
  readonly held: bigint
  /**
   * The firm's own part of the resource according to the ledger: fees, exchange, trading result, corrections, payments
   * of the firm.
   */
  readonly own: bigint
  /** Unexplained discrepancies of the reconciliation. */
  readonly openDifferences: number
}

/** Returns resource less requirement, in minor units; negative is a shortfall, which the firm must pay in. */
export function surplusOf({ owed, held }: Pick<ClientMoneySums, 'owed' | 'held'>): bigint {
  return held - owed
}

/**
 * Returns the part of the surplus or shortfall without a posting, in minor units. Anything but 0 is an error in the
 * ledger.
 */
export function unexplainedOf(sums: Pick<ClientMoneySums, 'owed' | 'held' | 'own'>): bigint {
  return surplusOf(sums) - sums.own
}

/** Returns the most severe status of a currency: an unexplained difference precedes an open comparison. */
export function clientMoneyStatus(sums: ClientMoneySums): ClientMoneyStatus {
  if (unexplainedOf(sums) !== 0n) return 'unexplained'
  if (sums.openDifferences > 0) return 'open'
  return surplusOf(sums) === 0n ? 'agrees' : 'explained'
}

/** Returns the unexplained difference between a statement's balances and its transactions, in minor units. */
export function statementGap(stated: {
  readonly opening: bigint
  readonly lines: bigint
  readonly closing: bigint
}): bigint {
  return stated.closing - stated.opening - stated.lines
}
