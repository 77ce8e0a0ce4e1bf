/** Manual ledger corrections with dual approval, and discrepancies of a reconciliation (requirements 21.6). */
import { defineStateMachine } from './state-machine.ts'

export const correctionMachine = defineStateMachine({
  name: 'correction',
  table: 'corrections',
  states: ['pending', 'processing', 'approved', 'rejected'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    /** Dual approval: never by the person who requested it. */
    approve: { from: ['pending'], to: 'processing', by: ['finance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['finance', 'recovery'] },
    /** Recovery found the deal on the platform; the decision was lost (requirements 20.13). */
    adopt: { from: ['pending', 'rejected'], to: 'processing', by: ['recovery'] },
    applied: { from: ['processing'], to: 'approved', by: ['external'] },
    refused: { from: ['processing'], to: 'rejected', by: ['external'] },
  },
})
export type CorrectionState = (typeof correctionMachine.states)[number]

export const differenceMachine = defineStateMachine({
  name: 'difference',
  table: 'differences',
  states: ['open', 'proposed', 'processing', 'settled', 'explained', 'gone'],
  first: 'open',
  undecided: ['open', 'proposed'],
  transitions: {
    /** By one person: a discrepancy that blocks no account. */
    explain: { from: ['open'], to: 'explained', by: ['finance'] },
    /** By the first of two people: a discrepancy that blocks an account (rules/differences.ts). */
    propose: { from: ['open'], to: 'proposed', by: ['finance'] },
    /** Dual approval: never by the person who proposed it. A reversal goes to the platform first. */
    confirm: { from: ['proposed'], to: ['settled', 'processing', 'explained'], by: ['finance'] },
    /** By another person, or by the person who proposed it and cancels it. */
    reject: { from: ['proposed'], to: 'open', by: ['finance'] },
    applied: { from: ['processing'], to: 'settled', by: ['external'] },
    refused: { from: ['processing'], to: 'open', by: ['external'] },
    /** The next comparison finds that both sides agree. */
    vanish: { from: ['open', 'proposed'], to: 'gone', by: ['clock'] },
  },
})
export type DifferenceState = (typeof differenceMachine.states)[number]
