/** What the bank has shown of payouts that it returned (requirements 24.218). */
import { isLessThan, money, type Money } from './money.ts'

interface SentPayout {
  readonly reference: string
  /** The amount sent to the client's bank, in minor units. */
  readonly sentMinor: bigint
}

/** A payout that is marked as returned and whose transaction is missing. */
export interface UnshownReturn extends SentPayout {
  /** The same person marked it within 24 hours. */
  readonly isOwn: boolean
}

/** An unallocated receipt in the payout's currency that rests on more than the word of the person who marks it. */
export interface UnallocatedReceipt {
  readonly amountMinor: bigint
  /** The references of our records that its text names. */
  readonly named: readonly string[]
}

interface MarkedReturn {
  readonly payout: SentPayout
  readonly returned: readonly UnshownReturn[]
  readonly receipts: readonly UnallocatedReceipt[]
  readonly threshold: Money
}

/**
 * Returns why a person may not mark a payout as returned, or null: what the bank has not shown of it must be below the
 * threshold of dual approval, together with what it has not shown of those that the same person marked within 24 hours.
 */
export function checkMarkReturned({ payout, returned, receipts, threshold }: MarkedReturn) {
  const missing = payout.sentMinor - largest([namedFor(payout, receipts), unnamedFor(payout)])
  const before = returned.filter(({ isOwn }) => isOwn).reduce((sum, one) => sum + missingOf(one), 0n)
  const isBelow = isLessThan(money(missing + before, threshold.currency), threshold)
  return missing === 0n || isBelow ? null : 'return-needs-line'

  function missingOf(one: SentPayout) {
    return one.sentMinor - namedFor(one, receipts)
  }

  // A second person has confirmed every receipt at or over the threshold. One without a reference may be the money of
  // any returned payout that is not shown by its reference, so it shows this one only if it is one more than those.
  function unnamedFor({ sentMinor }: SentPayout): bigint {
    const others = returned.filter((one) => missingOf(one) >= threshold.minor).length
    const unnamed = receipts
      .filter(
        ({ named, amountMinor }) => named.length === 0 && amountMinor >= threshold.minor && amountMinor <= sentMinor,
      )
      .toSorted((one, other) => Number(other.amountMinor - one.amountMinor))
    return unnamed[others]?.amountMinor ?? 0n
  }
}

/** Returns the largest receipt that names this payout and no other record; the bank returns at most what was sent. */
function namedFor({ reference, sentMinor }: SentPayout, receipts: readonly UnallocatedReceipt[]): bigint {
  const own = receipts.filter(
    ({ named, amountMinor }) => named.length === 1 && named[0] === reference && amountMinor <= sentMinor,
  )
  return largest(own.map(({ amountMinor }) => amountMinor))
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, one) => (one > most ? one : most), 0n)
}
