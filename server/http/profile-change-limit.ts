/** Limits a client's own profile changes in an hour, since each stays in the audit log for ever. */
import { requireClient, type RequestContext } from './handler.ts'
import { enforceLimit, perHour } from './rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'

const changesPerHour = 100

/** Counts a change of profile, forms or nicknames. Throws `too-many`. */
export async function limitProfileChanges(
  dependencies: Pick<Dependencies, 'pool'>,
  context: Pick<RequestContext, 'caller' | 'now'>,
): Promise<void> {
  const bucket = perHour('own-changes', requireClient(context).clientId)
  await enforceLimit(dependencies.pool, bucket, changesPerHour, context.now)
}
