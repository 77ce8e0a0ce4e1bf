/** Hashing answers uses the processor time that sign-ins need, so their number per person and hour is limited. */
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'

const answersPerHour = 20

/** Counts a password or a security answer of a registration, or of the client that it became. Throws `too-many`. */
export async function limitHashedAnswers(dependencies: Dependencies, whose: string, now: Date): Promise<void> {
  const bucket = perHour('registration-answers', whose)
  await enforceLimit(dependencies.pool, bucket, answersPerHour, now)
}
