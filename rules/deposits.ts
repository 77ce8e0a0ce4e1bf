/** Deposits by wire and by card, and bank transactions of the firm (requirements 8.8 to 8.13). */
import { announcedDepositDays, enteredLinesHours, unmatchedLineDays } from './constants.ts'
import { requiresCardType, type MethodType } from './payment-methods.ts'
import { defineStateMachine } from './state-machine.ts'
import { areWordsAmong } from './checks/name-checks.ts'
import { isLessThan, money, type Money } from './money.ts'

export const depositMachine = defineStateMachine({
  name: 'deposit',
  table: 'deposits',
  states: [
    'pending',
    'in_review',
    'processing',
    'uncredited',
    'refunding',
    'approved',
    'refunded',
    'rejected',
    'cancelled',
  ],
  first: 'pending',
  undecided: ['pending', 'in_review', 'uncredited'],
  transitions: {
    match: { from: ['pending'], to: 'processing', by: ['operations'] },
    /** Of a payment in review: once it has been resolved at the provider. */
    reject: { from: ['pending', 'in_review'], to: 'rejected', by: ['operations', 'finance', 'recovery'] },
    cancel: { from: ['pending'], to: 'cancelled', by: ['client'] },
    /** Recovery found the credit on the platform; the match was lost (requirements 20.14). */
    adopt: {
      from: ['pending', 'in_review', 'uncredited', 'rejected', 'cancelled'],
      to: 'processing',
      by: ['recovery'],
    },
    /** An announced wire that did not arrive within 30 days. */
    expire: { from: ['pending'], to: 'cancelled', by: ['clock'] },
    /** The provider reports paid: same amount, currency and reference; also after the client cancelled it. */
    paid: { from: ['pending', 'in_review', 'cancelled'], to: 'processing', by: ['external'] },
    /** The expected payment arrived after the deposit had ended: the client's money, which finance decides on. */
    paidLate: { from: ['rejected', 'refunded'], to: 'uncredited', by: ['external'] },
    /** The provider reports a payment that cannot be credited as it is. Nothing is posted. */
    review: { from: ['pending', 'rejected', 'cancelled', 'refunded'], to: 'in_review', by: ['external'] },
    /** The provider reports declined, cancelled or expired. */
    declined: { from: ['pending'], to: 'rejected', by: ['external'] },
    credited: { from: ['processing'], to: 'approved', by: ['external'] },
    /**
     * The platform finally refused. A bank transaction is unmatched again; a card payment stays unallocated, unless the
     * provider has returned it meanwhile.
     */
    refused: { from: ['processing'], to: ['rejected', 'uncredited', 'refunded'], by: ['external'] },
    /** Sends the credit to the account again under a new reference. */
    credit: { from: ['uncredited'], to: 'processing', by: ['finance'] },
    /** Requests the refund of the whole payment from the provider. */
    refund: { from: ['uncredited'], to: 'refunding', by: ['finance'] },
    refundFailed: { from: ['refunding'], to: 'uncredited', by: ['external'] },
    /** The provider has reversed a return of the payment: it has the money again. */
    reopen: { from: ['refunded'], to: 'uncredited', by: ['external'] },
    /** The provider has returned the whole payment: by our refund, its own, or a chargeback. */
    repaid: { from: ['in_review', 'uncredited', 'refunding'], to: 'refunded', by: ['external'] },
  },
})
export type DepositState = (typeof depositMachine.states)[number]

/** Returns the status that a client sees: the state itself. */
export function depositStatusForClient(state: DepositState): DepositState {
  return state
}

export const bankLineMachine = defineStateMachine({
  name: 'bank_line',
  table: 'bank_lines',
  states: [
    'second_approval',
    'unmatched',
    'settlement_proposed',
    'matched',
    'sent_back',
    'own_money',
    'came_back',
    'card_settlement',
    'rejected',
  ],
  first: 'unmatched',
  /** An entered or imported transaction that reaches the threshold, alone or with others of the same person. */
  alsoFirst: ['second_approval'],
  undecided: ['second_approval', 'unmatched', 'settlement_proposed'],
  transitions: {
    /** Dual approval: never by the person who entered or imported it. */
    confirm: { from: ['second_approval'], to: 'unmatched', by: ['finance'] },
    reject: { from: ['second_approval'], to: 'rejected', by: ['finance'] },
    match: { from: ['unmatched'], to: 'matched', by: ['operations'] },
    /** Recovery found the deposit that it paid, so that it cannot be matched again. */
    adopt: { from: ['unmatched'], to: 'matched', by: ['recovery'] },
    sendBack: { from: ['unmatched'], to: 'sent_back', by: ['finance'] },
    /**
     * A transfer of firm money, in or out: confirmed by two people, or named by the reference of a confirmed transfer.
     */
    own: { from: ['unmatched'], to: 'own_money', by: ['finance', 'external'] },
    /** A payout returned by the bank: matched by its withdrawal's return, or to one returned before. */
    comeBack: { from: ['unmatched'], to: 'came_back', by: ['finance', 'external', 'recovery'] },
    /** The card provider pays out what it holds, or debits what it returned to cardholders (ADR 344). */
    proposeSettlement: { from: ['unmatched'], to: 'settlement_proposed', by: ['finance'] },
    /** Dual approval: never by the person who proposed it, and nor is its rejection. */
    confirmSettlement: { from: ['settlement_proposed'], to: 'card_settlement', by: ['finance'] },
    rejectSettlement: { from: ['settlement_proposed'], to: 'unmatched', by: ['finance'] },
    /** The platform refused the credit: the money is unallocated again. */
    release: { from: ['matched'], to: 'unmatched', by: ['external'] },
  },
})
export type BankLineState = (typeof bankLineMachine.states)[number]

interface Settlement {
  /** The bank transaction, in minor units; negative if the provider debited the firm. */
  readonly net: bigint
  /** The charges that the provider withheld, in minor units; 0 or more. */
  readonly fee: bigint
  /** The amount that the provider holds according to the ledger; negative after chargebacks of settled payments. */
  readonly held: bigint
  /** Refunds and chargebacks that no debit has settled yet. */
  readonly returned: bigint
}

/** Returns the amount by which a settlement lowers the amount held at the card provider, in minor units. */
export function grossSettlement({ net, fee }: Pick<Settlement, 'net' | 'fee'>): bigint {
  return net + fee
}

/**
 * Returns why a bank transaction cannot be a settlement of the card provider, or null: it pays out at most what it
 * holds, and debits at most what it returned to cardholders (requirements 24.152).
 */
export function checkSettlement({
  net,
  fee,
  held,
  returned,
}: Settlement): 'settlement-over-balance' | 'settlement-over-returns' | null {
  const gross = grossSettlement({ net, fee })
  if (gross > 0n && gross > held) return 'settlement-over-balance'
  if (gross < 0n && -gross > returned) return 'settlement-over-returns'
  return null
}

export interface DepositRequest {
  readonly amount: Money
  readonly minimum: Money
  readonly accountState: string
  /** The platform has disabled it. */
  readonly accountClosed: boolean
  readonly accountType: 'live' | 'demo'
  readonly accountCurrency: string
  readonly declarationAccepted: boolean
  readonly windDown: boolean
  readonly method: MethodType
  /** The methods offered in the client's country. */
  readonly offered: readonly MethodType[]
  readonly cardType: number | null
}

/** Returns why a deposit cannot be requested, or null. */
export function checkDeposit(request: DepositRequest) {
  if (request.windDown) return 'deposits-closed'
  if (!request.declarationAccepted) return 'declaration-first'
  if (request.accountType !== 'live') return 'demo-account'
  if (request.accountState !== 'approved' || request.accountClosed) return 'account-not-approved'
  if (!request.offered.includes(request.method)) return 'method-not-offered'
  if (request.amount.currency !== request.accountCurrency) return 'currency-not-account'
  if (isLessThan(request.amount, request.minimum)) return 'deposit-too-low'
  if (requiresCardType(request.method) && request.cardType === null) return 'card-type-required'
  return null
}

/** Returns when an announced wire expires. */
export function announcementExpiry(now: Date): Date {
  return new Date(now.getTime() + announcedDepositDays * 86_400_000)
}

/**
 * Returns the first state of a bank transaction: a second person confirms it before anyone is credited if its amount,
 * together with the receipts that rest on the same person's word since `enteredLinesSince` (`beforeMinor`), is at or
 * over the threshold (requirements 24.154). A debit credits no one.
 */
export function initialLineState(
  amount: Money,
  beforeMinor: bigint,
  threshold: Money,
): 'unmatched' | 'second_approval' {
  const sum = money(amount.minor + beforeMinor, amount.currency)
  return amount.minor <= 0n || isLessThan(sum, threshold) ? 'unmatched' : 'second_approval'
}

/** Returns since when the receipts that one person entered count together against the threshold. */
export function enteredLinesSince(now: Date): Date {
  return new Date(now.getTime() - enteredLinesHours * 3_600_000)
}

/**
 * Returns whether a bank transaction has been unmatched for five days, after which it is returned (requirements 8.10).
 */
export function isOverdueLine(bookedAt: Date, now: Date): boolean {
  return now.getTime() - bookedAt.getTime() >= unmatchedLineDays * 86_400_000
}

export type MatchReason = 'reference' | 'amount' | 'name' | 'account-before'

/** Evidence that a bank transaction is the payment of an announced deposit; a match always needs a person. */
/** One side of a comparison, prepared once for many comparisons. */
interface MatchSide {
  readonly amount: Money
  /** Letters and digits only. */
  readonly reference: string
  readonly name: readonly string[]
}

/** Returns a bank transaction, prepared for the comparison with deposits. */
export function lineToMatch(line: {
  readonly amount: Money
  readonly payer: string
  readonly remittance: string
}): MatchSide {
  return { amount: line.amount, reference: lettersAndDigits(line.remittance), name: wordsOf(line.payer) }
}

/** Returns an announced deposit, prepared for the comparison with bank transactions. */
export function depositToMatch(deposit: {
  readonly amount: Money
  readonly reference: string
  readonly clientName: string
}): MatchSide {
  return { amount: deposit.amount, reference: lettersAndDigits(deposit.reference), name: wordsOf(deposit.clientName) }
}

/**
 * Returns the evidence that a bank transaction is the payment of a deposit. `knownPayer`: an earlier payment for the
 * client came from this account.
 */
export function matchReasons(line: MatchSide, deposit: MatchSide, knownPayer: boolean): MatchReason[] {
  const reasons: MatchReason[] = []
  if (line.reference.includes(deposit.reference)) reasons.push('reference')
  if (line.amount.currency === deposit.amount.currency && line.amount.minor === deposit.amount.minor)
    reasons.push('amount')
  if (wordsMatch(line.name, deposit.name)) reasons.push('name')
  if (knownPayer) reasons.push('account-before')
  return reasons
}

/**
 * Returns whether two names have the same words, in any order, without accents; an additional middle name is ignored.
 */
export function namesMatch(one: string, other: string): boolean {
  return wordsMatch(wordsOf(one), wordsOf(other))
}

function wordsMatch(a: readonly string[], b: readonly string[]): boolean {
  if (a.length < 2 || b.length < 2) return a.join(' ') !== '' && a.join(' ') === b.join(' ')
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  return areWordsAmong(few, many)
}

function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !['mr', 'mrs', 'miss', 'dr'].includes(word))
}

function lettersAndDigits(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
