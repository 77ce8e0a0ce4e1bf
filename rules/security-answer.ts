/** The security answer that a caller gives: it opens what staff ask for in a client's name, for the person who heard it. */
import { answerGoodMinutes } from './constants.ts'

export interface SecurityAnswer {
  /** Whether the client chose a question. */
  readonly hasQuestion: boolean
  /** When this staff member last heard the right answer. */
  readonly answeredAt: Date | null
  readonly now: Date
}

/**
 * Returns why the caller's identity is not confirmed, or null. Without a chosen question the reason alone says how the
 * identity was checked.
 */
export function checkSecurityAnswer({ hasQuestion, answeredAt, now }: SecurityAnswer) {
  if (!hasQuestion) return null
  // Either way: one of a time that lies ahead was heard before the clock was set back.
  const isFresh = answeredAt !== null && Math.abs(now.getTime() - answeredAt.getTime()) < answerGoodMinutes * 60_000
  return isFresh ? null : 'answer-first'
}
