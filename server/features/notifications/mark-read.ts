import type { readNotices } from '#contract/notifications.ts'
import { run, sql } from '../../db/sql.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { isUuid } from '../../db/ids.ts'
import type { Parts } from '../../dependencies.ts'

/** Marks some of the client's notices as read, or all. */
export async function markRead(parts: Parts, call: Call<typeof readNotices>): Promise<Record<string, never>> {
  const { clientId } = clientOf(call)
  const { ids = [], all } = call.body
  const which = all ? sql`true` : sql`id = any (${ids.filter(isUuid)}::uuid[])`
  await run(
    parts.pool,
    sql`update notices set read_at = ${call.now} where client_id = ${clientId} and read_at is null and ${which}`,
  )
  return {}
}
