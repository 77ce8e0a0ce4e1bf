/** Manual ledger corrections with four eyes, and what a reconciliation finds: issue text on money, mechanics section 1. */
import { lifecycle } from './lifecycle.ts'

export const correctionLife = lifecycle({
  name: 'correction',
  table: 'corrections',
  states: ['pending', 'processing', 'approved', 'rejected'],
  first: 'pending',
  steps: {
    /** Four eyes: never the one who asked. */
    approve: { from: ['pending'], to: 'processing', by: ['finance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['finance'] },
    /** Recovery found the deal at the platform; the decision that led to it is lost (mechanics section 13). */
    adopt: { from: ['pending', 'rejected'], to: 'processing', by: ['recovery'] },
    applied: { from: ['processing'], to: 'approved', by: ['outside'] },
    refused: { from: ['processing'], to: 'rejected', by: ['outside'] },
  },
})
export type CorrectionState = (typeof correctionLife.states)[number]

export const differenceLife = lifecycle({
  name: 'difference',
  table: 'differences',
  states: ['open', 'explained', 'gone'],
  first: 'open',
  steps: {
    explain: { from: ['open'], to: 'explained', by: ['finance'] },
    /** The next comparison does not find it any more. */
    vanish: { from: ['open'], to: 'gone', by: ['clock'] },
  },
})
export type DifferenceState = (typeof differenceLife.states)[number]
