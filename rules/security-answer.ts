/** The security answer of a caller: it permits requests in the client's name by the staff member who checked it. */
import { securityAnswerValidMinutes } from './constants.ts'

export interface SecurityAnswer {
  /** Whether the client chose a question. */
  readonly hasQuestion: boolean
  /** When this staff member last checked a correct answer. */
  readonly answeredAt: Date | null
  readonly now: Date
}

/**
 * Returns why the caller's identity is not confirmed, or null. Without a chosen question the reason alone says how the
 * identity was checked.
 */
export function checkSecurityAnswer({ hasQuestion, answeredAt, now }: SecurityAnswer) {
  if (!hasQuestion) return null
  // In both directions: an answer in the future was checked before the clock was set back.
  const isFresh =
    answeredAt !== null && Math.abs(now.getTime() - answeredAt.getTime()) < securityAnswerValidMinutes * 60_000
  return isFresh ? null : 'answer-first'
}
