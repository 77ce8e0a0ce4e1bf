/** Rate limit of security answers checked by phone: attempts per client and day, over all staff. */
import type { ClientId } from '#rules/ids.ts'
import type { Bucket } from '../../http/rate-limits.ts'

const daySeconds = 24 * 3600

export function answerBucket(clientId: ClientId): Bucket {
  return { name: 'security-answer', who: clientId, windowSeconds: daySeconds }
}
