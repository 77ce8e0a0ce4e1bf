import type { readNotifications } from '#contract/notifications.ts'
import { run, sql } from '../../db/sql.ts'
import { requireClient, type RequestContext } from '../../http/request-context.ts'
import { isUuid } from '../../db/ids.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Marks some of the client's notices as read, or all. */
export async function markRead(
  dependencies: Dependencies,
  context: RequestContext<typeof readNotifications>,
): Promise<Record<string, never>> {
  const { clientId } = requireClient(context)
  const { ids = [], all } = context.body
  const which = all ? sql`true` : sql`id = any (${ids.filter(isUuid)}::uuid[])`
  await run(dependencies.pool)`
    update notices set read_at = ${context.now} where client_id = ${clientId} and read_at is null and ${which}`
  return {}
}
