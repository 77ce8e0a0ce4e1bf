/** Findings of recovery: data of platform, provider and bank that the database lacks (requirements 20.13 to 20.15). */
import { defineStateMachine } from './state-machine.ts'

/**
 * Why a finding needs two people: the decision of staff was lost, the whole request was lost, amount or account differ
 * from the request, or the account itself is not ours. A second deal with one reference is a discrepancy of finance.
 */
export const recoveryItemKinds = [
  'decision-lost',
  'request-lost',
  'mismatch',
  'account-unknown',
  /** A paid checkout at the card provider whose request was lost. */
  'checkout-lost',
  /** A wire was adopted before a statement showed its bank transaction, which has no reference. */
  'line-missing',
  /** An account on a platform without a record. */
  'account-found',
] as const
export type RecoveryItemKind = (typeof recoveryItemKinds)[number]

/**
 * Decisions of two people in finance: adopt it unchanged, or reverse it on the platform. A payment is adopted by an
 * account, or refunded; an account is adopted by a client, or kept disabled; a wire adopts its bank transaction.
 */
export const recoveryActions = ['adopt', 'reverse', 'keep'] as const
export type RecoveryAction = (typeof recoveryActions)[number]

/** Returns the possible decisions on a finding of a kind. */
export function actionsForFinding(kind: RecoveryItemKind): readonly RecoveryAction[] {
  if (kind === 'line-missing') return ['adopt']
  return kind === 'account-found' ? ['adopt', 'keep'] : ['adopt', 'reverse']
}

/** Findings that stay until they are decided, and block neither a channel nor the end of recovery. */
export const nonBlockingFindings: readonly RecoveryItemKind[] = ['account-unknown', 'account-found', 'line-missing']

export const recoveryItemMachine = defineStateMachine({
  name: 'recovery_item',
  table: 'recovery_items',
  states: ['open', 'proposed', 'settled'],
  first: 'open',
  undecided: ['open', 'proposed'],
  transitions: {
    propose: { from: ['open'], to: 'proposed', by: ['finance'] },
    /** Dual approval: never by the person who proposed it. */
    confirm: { from: ['proposed'], to: 'settled', by: ['finance'] },
    drop: { from: ['proposed'], to: 'open', by: ['finance'] },
    /** A later run finds the deal in the ledger: nothing is left to decide. */
    clear: { from: ['open', 'proposed'], to: 'settled', by: ['recovery'] },
  },
})
export type RecoveryItemState = (typeof recoveryItemMachine.states)[number]
