/** The state machine of a client (requirements 5.7, 6.17). */
import { defineStateMachine } from './state-machine.ts'

export const clientMachine = defineStateMachine({
  name: 'client',
  table: 'clients',
  states: ['registering', 'pending', 'approved', 'suspended', 'closed', 'rejected'],
  first: 'registering',
  undecided: ['pending'],
  transitions: {
    /** The last step of the registration is saved. */
    finishRegistration: { from: ['registering'], to: 'pending', by: ['client'] },
    approve: { from: ['pending'], to: 'approved', by: ['compliance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['compliance'] },
    suspend: { from: ['approved'], to: 'suspended', by: ['compliance'] },
    reactivate: { from: ['suspended'], to: 'approved', by: ['compliance'] },
    close: { from: ['approved', 'suspended'], to: 'closed', by: ['compliance'] },
  },
})
export type ClientState = (typeof clientMachine.states)[number]

/** Returns the status that a client sees: the state itself. */
export function clientStatusForClient(state: ClientState): ClientState {
  return state
}

/** Returns why a client cannot be approved yet, or null. */
export function checkApproval(client: { readonly identityApproved: boolean; readonly addressApproved: boolean }) {
  if (!client.identityApproved) return 'identity-not-approved'
  return client.addressApproved ? null : 'address-not-approved'
}

/**
 * Returns why a client cannot be closed yet, or null: the client's money must have been paid out, and no discrepancy may
 * leave open whose money it is. `owed` and `onPlatform`: the sums of the absolute balances of the client's live accounts
 * in the ledger and on their platforms, in minor units.
 */
export function checkClosing(client: {
  readonly openRequests: number
  readonly hasDiscrepancy: boolean
  readonly owed: bigint
  readonly onPlatform: bigint
}) {
  if (client.openRequests > 0) return 'requests-open'
  if (client.hasDiscrepancy) return 'discrepancy-open'
  return client.owed === 0n && client.onPlatform === 0n ? null : 'money-left'
}

/** Returns gcenApiKYCPass: whether identity and address are approved (requirements 6.18). */
export function isVerified(client: { readonly identityApproved: boolean; readonly addressApproved: boolean }): boolean {
  return client.identityApproved && client.addressApproved
}

/**
 * Returns why a client cannot send documents now, or null: during the registration, and after a rejection by the firm.
 */
export function checkSendingDocuments(state: ClientState) {
  if (state === 'registering') return 'registration-first'
  return state === 'rejected' ? 'application-refused' : null
}
