/** A client who lost the second factor and every recovery code: staff turn it off with four eyes (ASVS 6.4.4). */
import { answerGoodMinutes } from './constants.ts'
import { lifecycle } from './lifecycle.ts'

export const factorResetLife = lifecycle({
  name: 'factor_reset',
  table: 'factor_resets',
  states: ['pending', 'approved', 'rejected', 'cancelled'],
  first: 'pending',
  steps: {
    /** Four eyes: never the one who asked. */
    approve: { from: ['pending'], to: 'approved', by: ['compliance'] },
    reject: { from: ['pending'], to: 'rejected', by: ['compliance'] },
    /** By the one who asked. */
    cancel: { from: ['pending'], to: 'cancelled', by: ['compliance'] },
  },
})
export type FactorResetState = (typeof factorResetLife.states)[number]
export type FactorResetVerb = keyof typeof factorResetLife.steps

/**
 * Why a reset cannot be asked for now, or null. Where the client chose a security question, whoever asks has heard the
 * right answer a moment ago; where there is none, the reason alone says how the identity was checked.
 */
export function checkFactorReset(client: {
  readonly secondFactor: boolean
  readonly isAsked: boolean
  readonly hasQuestion: boolean
  /** When this staff member last heard the right answer. */
  readonly answeredAt: Date | null
  readonly now: Date
}) {
  if (!client.secondFactor) return 'factor-off'
  if (client.isAsked) return 'factor-reset-waits'
  if (!client.hasQuestion) return null
  const { answeredAt, now } = client
  // Either way: one of a time that lies ahead was heard before the clock was set back.
  const isFresh = answeredAt !== null && Math.abs(now.getTime() - answeredAt.getTime()) < answerGoodMinutes * 60_000
  return isFresh ? null : 'answer-first'
}

/** Why this person may not do this verb, whatever state the wish is in; null where he or she may. */
export function checkFactorResetDecider(verb: FactorResetVerb, isAsker: boolean) {
  if (verb === 'cancel') return isAsker ? null : 'not-your-act'
  return isAsker ? 'own-act' : null
}
