/**
 * Only payouts are stopped if the bank shows a debit with a reference of our form but without a record: two people of
 * finance, neither of them the importer, explain it or open recovery (requirements 20.2, ADR 117).
 */
import type { StaffId } from '#rules/ids.ts'
import { defineStateMachine } from './state-machine.ts'

export const payoutStopMachine = defineStateMachine({
  name: 'payout_stop',
  table: 'payout_stops',
  states: ['open', 'explained', 'lifted', 'recovery'],
  first: 'open',
  undecided: ['open', 'explained'],
  transitions: {
    /** Explains the debit; payouts stay stopped. */
    explain: { from: ['open'], to: 'explained', by: ['finance'] },
    /** A second person agrees: payouts continue. */
    lift: { from: ['explained'], to: 'lifted', by: ['finance'] },
    reopen: { from: ['explained'], to: 'open', by: ['finance'] },
    /** A second person declares that our records have lost a payout. */
    recover: { from: ['explained'], to: 'recovery', by: ['finance'] },
    /** Recovery has found the withdrawal that the debit paid. */
    adopt: { from: ['open', 'explained'], to: 'lifted', by: ['recovery'] },
  },
})
export type PayoutStopState = (typeof payoutStopMachine.states)[number]

/** Returns why a person may not perform a transition of a stop, or null. */
export function checkStop(action: string, importedBy: string | null, explainedBy: string | null, staffId: StaffId) {
  if (importedBy === staffId) return 'own-import'
  return action !== 'explain' && explainedBy === staffId ? 'own-act' : null
}
