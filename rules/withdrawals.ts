/** Withdrawals (requirements 9.4, 9.5). */
import type { StaffId } from '#rules/ids.ts'
import { defineStateMachine } from './state-machine.ts'
import { isLessThan, type Currency, type Money } from './money.ts'
import { sameBankHours } from './constants.ts'

export const withdrawalMachine = defineStateMachine({
  name: 'withdrawal',
  table: 'withdrawals',
  states: ['pending', 'second_approval', 'processing', 'approved', 'paid', 'returned', 'rejected', 'cancelled'],
  first: 'pending',
  undecided: ['pending', 'second_approval'],
  transitions: {
    /** `approved` comes later, by `debited`: the platform has taken the money from the account. */
    approve: { from: ['pending'], to: ['processing', 'second_approval'], by: ['operations'] },
    /** The last balance of a suspended or closed client, with its bank account: never by the person who entered it. */
    approveLastBalance: { from: ['pending'], to: ['processing', 'second_approval'], by: ['compliance'] },
    rejectLastBalance: {
      from: ['pending', 'second_approval', 'processing'],
      to: 'rejected',
      by: ['compliance', 'finance'],
    },
    /** Dual approval: never by the first approver (`checkDifferentApprover`). */
    confirm: { from: ['second_approval'], to: 'processing', by: ['finance'] },
    /** From processing only before the platform was called, while a check blocks the debit. */
    reject: {
      from: ['pending', 'second_approval', 'processing'],
      to: 'rejected',
      by: ['operations', 'finance', 'recovery'],
    },
    cancel: { from: ['pending', 'second_approval'], to: 'cancelled', by: ['client'] },
    /** Recovery found the debit on the platform; the decision was lost (requirements 20.13). */
    adopt: { from: ['pending', 'second_approval', 'rejected', 'cancelled'], to: 'processing', by: ['recovery'] },
    /** Recovery found the payout on a bank statement: the confirmation of its batch was lost. */
    adoptPaid: { from: ['approved'], to: 'paid', by: ['recovery'] },
    /** Recovery found the credit of a returned payout or of a reversal. */
    adoptReturned: { from: ['approved', 'paid'], to: 'returned', by: ['recovery'] },
    debited: { from: ['processing'], to: 'approved', by: ['external'] },
    refused: { from: ['processing'], to: 'rejected', by: ['external'] },
    /** Only by the confirmation that the bank has sent its batch. */
    pay: { from: ['approved'], to: 'paid', by: ['finance'] },
    return: { from: ['paid'], to: 'returned', by: ['finance'] },
    /** Must not be paid: in no batch and no list until a second person confirms or rejects it. */
    askReversal: { from: ['approved'], to: 'approved', by: ['finance'] },
    dropReversal: { from: ['approved'], to: 'approved', by: ['finance'] },
    /** Never by the person who requested it. */
    reverse: { from: ['approved'], to: 'returned', by: ['finance'] },
  },
})
export type WithdrawalState = (typeof withdrawalMachine.states)[number]

/** Returns the status that a client sees: pending until the second approval (requirements 9.6). */
export function withdrawalStatusForClient(state: WithdrawalState): Exclude<WithdrawalState, 'second_approval'> {
  return state === 'second_approval' ? 'pending' : state
}

export interface WithdrawalRequest {
  readonly amount: Money
  readonly minimum: Money
  readonly balance: Money
  /** min(balance, free margin) − open reservations (requirements 18.5). */
  readonly available: Money
  readonly accountState: string
  readonly bankState: string
  readonly bankCurrency: Currency
}

/** Returns why a withdrawal cannot be requested, or null, in the order of the form's fields. */
export function checkWithdrawal(request: WithdrawalRequest) {
  const { amount, minimum, balance, available } = request
  if (request.accountState !== 'approved') return 'account-not-approved'
  if (amount.currency !== balance.currency) return 'currency-not-account'
  if (balance.minor <= 0n) return 'no-balance'
  if (isLessThan(amount, minimum)) return 'withdrawal-too-low'
  if (isLessThan(balance, amount)) return 'more-than-balance'
  if (isLessThan(available, amount)) return 'more-than-available'
  if (request.bankCurrency !== amount.currency) return 'bank-currency'
  return request.bankState === 'approved' ? null : 'bank-not-approved'
}

/** Returns the state after an approval: at or over the threshold a second person is needed (requirements 9.7). */
export function stateAfterApproval(sumToBank: Money, threshold: Money): 'processing' | 'second_approval' {
  return isLessThan(sumToBank, threshold) ? 'processing' : 'second_approval'
}

/** Returns since when a client's withdrawals to one bank account count together against the threshold. */
export function sameBankSince(now: Date): Date {
  return new Date(now.getTime() - sameBankHours * 3_600_000)
}

/**
 * Returns why a person may not give the second approval, or null: not the first approver (requirements 27.9, 27.10).
 * The client is excluded by `checkNotOwnRequest`.
 */
export function checkDifferentApprover(first: string | null, second: string) {
  return first !== null && first === second ? 'own-approval' : null
}

/**
 * Returns why a person may not decide a request, or null: no one decides for a client with the same email address
 * (requirements 27.10).
 */
export function checkNotOwnRequest(staffEmail: string, clientEmail: string) {
  return staffEmail.toLowerCase() === clientEmail.toLowerCase() ? 'own-request' : null
}

interface ReturnedFunds {
  readonly state: WithdrawalState
  /** The amount sent to the client's bank, and the amount of the bank transaction. */
  readonly sent: Money
  readonly came: Money
  /** The person who recorded the return, which posted the whole amount; null if unknown. */
  readonly returnedBy: string | null
  readonly staffId: StaffId
  /** Whether it was paid: a reversed withdrawal was not. */
  readonly wasPaid: boolean
  /** Whether another transaction is this payout already. */
  readonly hasLine: boolean
}

/**
 * Returns why a bank transaction cannot be matched as a returned payout, or null. If the bank deducted charges, the
 * person who recorded the return may not match it.
 */
export function checkReturn({ state, sent, came, returnedBy, staffId, wasPaid, hasLine }: ReturnedFunds) {
  if (sent.currency !== came.currency) return 'other-currency'
  if (state !== 'returned' || !wasPaid) return 'payout-not-returned'
  if (hasLine) return 'payout-has-line'
  if (isLessThan(sent, came)) return 'more-than-payout'
  return returnedBy === staffId ? 'own-return' : null
}

interface ReversalAttempt {
  readonly action: string
  /** Whether it is in a batch that is not void. */
  readonly isInBatch: boolean
  /** Whether a bank statement shows its payment, and two people have not decided the discrepancy yet. */
  readonly isPaidAtBank: boolean
  /** Who requested the reversal; null without a request. */
  readonly askedBy: string | null
  readonly staffId: StaffId
}

/** Returns why a step of a reversal is rejected, or null. */
export function checkReversal({ action, isInBatch, isPaidAtBank, askedBy, staffId }: ReversalAttempt) {
  if (action === 'askReversal' && isInBatch) return 'in-payout-batch'
  if (action !== 'dropReversal' && isPaidAtBank) return 'payout-not-paid'
  if (action === 'askReversal') return askedBy === null ? null : 'reversal-asked'
  if (askedBy === null) return 'reversal-not-asked'
  return action === 'reverse' && askedBy === staffId ? 'own-act' : null
}
