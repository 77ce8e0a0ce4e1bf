/** What clients change of their own at once stands in the event log for ever: so many an hour are enough for anybody. */
import { clientOf, type Call } from './request-context.ts'
import { limit } from './rate-limits.ts'
import type { Parts } from '../dependencies.ts'

const hourSeconds = 3600
const changesPerHour = 100

/** Counts a change of profile, forms or nicknames. Throws `too-many`. */
export async function limitChanges(parts: Pick<Parts, 'pool'>, call: Pick<Call, 'caller' | 'now'>): Promise<void> {
  const bucket = { name: 'own-changes', who: clientOf(call).clientId, windowSeconds: hourSeconds }
  await limit(parts.pool, bucket, changesPerHour, call.now)
}
