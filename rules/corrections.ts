/** Manual ledger corrections with four eyes, and what a reconciliation finds (requirements 21.6). */
import { defineStateMachine } from './state-machine.ts'

export const correctionMachine = defineStateMachine({
  name: 'correction',
  table: 'corrections',
  states: ['pending', 'processing', 'approved', 'rejected'],
  first: 'pending',
  transitions: {
    /** Four eyes: never the one who asked. */
    approve: { from: ['pending'], to: 'processing', by: ['finance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['finance', 'recovery'] },
    /** Recovery found the deal at the platform; the decision that led to it is lost (requirements 20.13). */
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
  transitions: {
    /** By one person: what holds no account. */
    explain: { from: ['open'], to: 'explained', by: ['finance'] },
    /** By the first of two: what holds an account (rules/differences.ts). */
    propose: { from: ['open'], to: 'proposed', by: ['finance'] },
    /** Four eyes: never the one who proposed it. A reversal goes to the platform first. */
    confirm: { from: ['proposed'], to: ['settled', 'processing', 'explained'], by: ['finance'] },
    /** By another person, or by the person who proposed it and takes it back. */
    reject: { from: ['proposed'], to: 'open', by: ['finance'] },
    applied: { from: ['processing'], to: 'settled', by: ['external'] },
    refused: { from: ['processing'], to: 'open', by: ['external'] },
    /** The next comparison finds that both sides agree. */
    vanish: { from: ['open', 'proposed'], to: 'gone', by: ['clock'] },
  },
})
export type DifferenceState = (typeof differenceMachine.states)[number]
