/** Answers that are kept as hashes cost everybody's sign-ins their turn: so many an hour may come of one person. */
import { limit, perHour } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'

const answersPerHour = 20

/** Counts a password or a security answer of a registration, or of the client that it became. Throws `too-many`. */
export async function limitHashedAnswers(dependencies: Dependencies, whose: string, now: Date): Promise<void> {
  const bucket = perHour('registration-answers', whose)
  await limit(dependencies.pool, bucket, answersPerHour, now)
}
