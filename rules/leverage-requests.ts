/** Changes of an account's leverage (requirements 7.8). */
import type { ClientStatus } from './choices.ts'
import { leveragesForAccount } from './leverage.ts'
import { defineStateMachine } from './state-machine.ts'

export const leverageRequestMachine = defineStateMachine({
  name: 'leverage_request',
  table: 'leverage_requests',
  states: ['pending', 'processing', 'approved', 'rejected'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    approve: { from: ['pending'], to: 'processing', by: ['operations'] },
    reject: { from: ['pending'], to: 'rejected', by: ['operations'] },
    changed: { from: ['processing'], to: 'approved', by: ['external'] },
    refused: { from: ['processing'], to: 'rejected', by: ['external'] },
  },
})
export type LeverageRequestState = (typeof leverageRequestMachine.states)[number]

/** Returns the status that a client sees: pending, whether staff or the platform decide next. */
export function leverageStatusForClient(state: LeverageRequestState): 'pending' | 'approved' | 'rejected' {
  return state === 'processing' ? 'pending' : state
}

export interface LeverageChange {
  readonly current: number
  readonly wanted: number
  readonly client: ClientStatus
  readonly account: ClientStatus
  readonly accountState: string
  /** The platform has disabled or deleted it. */
  readonly accountClosed: boolean
  readonly requestType: 'live' | 'demo'
  readonly onePending: boolean
  readonly windDown: boolean
}

/**
 * Returns why a change cannot be requested, or null; request-leverage.ts answers with it. A retail client gets 1:30.
 */
export function checkLeverageChange(change: LeverageChange) {
  if (change.windDown) return 'leverage-closed'
  if (change.accountState !== 'approved') return 'account-not-approved'
  if (change.accountClosed) return 'account-closed'
  if (!leveragesForAccount(change.client, change.account).includes(change.wanted)) return 'leverage-not-allowed'
  if (change.wanted === change.current) return 'leverage-unchanged'
  return change.onePending ? 'leverage-pending' : null
}
