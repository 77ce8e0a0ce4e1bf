/**
 * Reset of a client's second factor after the loss of it and of all recovery codes, with dual approval (ASVS 6.4.4).
 */
import { defineStateMachine } from './state-machine.ts'
import { checkSecurityAnswer, type SecurityAnswer } from './security-answer.ts'

export const factorResetMachine = defineStateMachine({
  name: 'factor_reset',
  table: 'factor_resets',
  states: ['pending', 'approved', 'rejected', 'cancelled'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    /** Dual approval: never by the person who requested it. */
    approve: { from: ['pending'], to: 'approved', by: ['compliance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['compliance'] },
    /** By the person who requested it. */
    cancel: { from: ['pending'], to: 'cancelled', by: ['compliance'] },
  },
})
export type FactorResetState = (typeof factorResetMachine.states)[number]

/**
 * Returns why a reset cannot be approved, or null. A second factor that the client set up after the request is not the
 * one that was lost.
 */
export function checkFactorResetApproval(askedAt: Date, factorConfirmedAt: Date | null) {
  if (factorConfirmedAt === null) return 'factor-off'
  return factorConfirmedAt > askedAt ? 'factor-newer' : null
}

/** Returns why a reset cannot be requested now, or null. */
export function checkFactorReset(
  client: SecurityAnswer & { readonly secondFactor: boolean; readonly isAsked: boolean },
) {
  if (!client.secondFactor) return 'factor-off'
  return client.isAsked ? 'factor-reset-waits' : checkSecurityAnswer(client)
}
