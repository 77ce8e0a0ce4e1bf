/** Tries of a spoken security answer: so many a day for a client, anyone who asks. */
import type { ClientId } from '#rules/ids.ts'
import type { Bucket } from '../../http/rate-limits.ts'

const daySeconds = 24 * 3600

export function answerBucket(clientId: ClientId): Bucket {
  return { name: 'security-answer', who: clientId, windowSeconds: daySeconds }
}
