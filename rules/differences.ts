/**
 * Discrepancies between ledger and platform, and who decides them (requirements 18.3, 19.12). Those that block an
 * account require two people in finance.
 */

/** A balance operation on the platform that is not ours, or the second one with a reference of ours. */
export const dealKinds = ['platform-only', 'second-deal'] as const

/**
 * A balance operation on the platform without a readable comment: it may be one of ours until two people say it is not.
 */
export const unclearDeal = 'unclear-deal'

/**
 * A second operation with a reference of ours that was posted as a deal of others, because two people decided it before
 * its reference could be read (ADR 330).
 */
export const postedSecondDeal = 'posted-second-deal'

/** Kinds that stop withdrawals from their account while they are open. They never expire. */
export const blockingKinds = [
  ...dealKinds,
  unclearDeal,
  postedSecondDeal,
  'ledger-only',
  'amount-differs',
  'balance-differs',
] as const

/** A bank debit for a withdrawal that is not paid here: it excludes the withdrawal from every batch. */
export const payoutNotPaid = 'payout-not-paid'

/** A card payment that the client's bank has charged back. */
export const chargedBack = 'charged_back'

/** A chargeback that the client's bank has announced: nothing is posted before it arrives. */
export const announcedChargeback = 'chargeback-announced'

/** Chargebacks and disputes, which block the client's withdrawals (requirements 19.15). */
export const chargebackKinds = [chargedBack, announcedChargeback] as const

/**
 * The card provider does not respond about a checkout, or its response cannot be used: recovery and the search for signs
 * of loss wait for it until two people decide (ADR 351).
 */
export const providerSilent = 'provider-silent'

/** Kinds that two people may decide while recovery is open: it waits for them, and they move no money. */
export const decidedInRecovery: readonly string[] = [unclearDeal, providerSilent]

/** States of an unsettled discrepancy. */
export const unsettledStates = ['open', 'proposed', 'processing'] as const

/**
 * Decisions of two people: post a deal only in the ledger, as a correction or as trading result, or reverse it on the
 * platform; anything that is no deal is explained.
 */
export const differenceProposals = ['book-correction', 'book-result', 'reverse', 'explain'] as const
export type DifferenceProposal = (typeof differenceProposals)[number]

/** Returns whether a discrepancy of this kind blocks its account. */
export function blocksAccount(kind: string): boolean {
  return (blockingKinds as readonly string[]).includes(kind)
}

/** A bank statement whose closing balance is not the ledger's. */
export const bankBalanceDiffers = 'bank-balance'

const furtherKindsOfTwoPeople: readonly string[] = [
  payoutNotPaid,
  ...chargebackKinds,
  providerSilent,
  bankBalanceDiffers,
]

/**
 * Returns whether two people settle a discrepancy of this kind: it stops payouts or recovery while it is open, or money
 * may be missing at the bank.
 */
export function requiresTwoPeople(kind: string): boolean {
  return blocksAccount(kind) || furtherKindsOfTwoPeople.includes(kind)
}

/** Returns the permitted proposals for a discrepancy of this kind; empty if one person explains it. */
export function proposalsFor(kind: string): readonly DifferenceProposal[] {
  if ((dealKinds as readonly string[]).includes(kind)) return ['book-correction', 'book-result', 'reverse']
  return requiresTwoPeople(kind) ? ['explain'] : []
}

/** Returns the state after the second person's confirmation. */
export function stateAfterConfirmation(proposal: DifferenceProposal): 'settled' | 'processing' | 'explained' {
  if (proposal === 'reverse') return 'processing'
  return proposal === 'explain' ? 'explained' : 'settled'
}
