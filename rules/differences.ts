/**
 * Discrepancies between ledger and platform, and who decides them (requirements 18.3, 19.12). Those that block an
 * account take two people of finance.
 */

/** A balance operation at the platform that is none of ours, or the second one under a reference of ours. */
export const dealKinds = ['platform-only', 'second-deal'] as const

/** Those that stop money from leaving their account while they stand. They never age out. */
export const holdingKinds = [...dealKinds, 'ledger-only', 'amount-differs', 'balance-differs'] as const

/** A debit at the bank for a withdrawal that is not paid here: it keeps the withdrawal out of every batch. */
export const payoutNotPaid = 'payout-not-paid'

/** A payment by card that the client's bank has taken back: it blocks the client's withdrawals (requirements 19.15). */
export const chargedBack = 'charged_back'

/** While a difference is in one of these, no one has settled it. */
export const standingStates = ['open', 'proposed', 'processing'] as const

/**
 * How two people may decide: book a deal in the ledger alone, as a correction or as trading result, or reverse it at the
 * platform; what is no deal is explained.
 */
export const differenceProposals = ['book-correction', 'book-result', 'reverse', 'explain'] as const
export type DifferenceProposal = (typeof differenceProposals)[number]

/** Returns whether a difference of this kind holds its account. */
export function holdsAccount(kind: string): boolean {
  return (holdingKinds as readonly string[]).includes(kind)
}

/** Returns whether two people settle a difference of this kind: while it stands, it keeps money from being paid out. */
export function takesTwoPeople(kind: string): boolean {
  return holdsAccount(kind) || kind === payoutNotPaid || kind === chargedBack
}

/** Returns what may be proposed for a difference of this kind; nothing where one person explains it. */
export function proposalsFor(kind: string): readonly DifferenceProposal[] {
  if ((dealKinds as readonly string[]).includes(kind)) return ['book-correction', 'book-result', 'reverse']
  return takesTwoPeople(kind) ? ['explain'] : []
}

/** Returns the state after the second person's confirmation. */
export function afterConfirmation(proposal: DifferenceProposal): 'settled' | 'processing' | 'explained' {
  if (proposal === 'reverse') return 'processing'
  return proposal === 'explain' ? 'explained' : 'settled'
}
