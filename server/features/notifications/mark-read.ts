import type { readNotifications } from '#contract/notifications.ts'
import { run, sql } from '../../db/sql.ts'
import type { Handler } from '../../http/register-endpoint.ts'
import { requireClient } from '../../http/request-context.ts'
import { isUuid } from '../../db/ids.ts'

/** Marks some of the client's notices as read, or all. */
export const markRead: Handler<typeof readNotifications> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { ids = [], all } = context.body
  const which = all ? sql`true` : sql`id = any (${ids.filter(isUuid)}::uuid[])`
  await run(dependencies.pool)`
    update notices set read_at = ${context.now} where client_id = ${clientId} and read_at is null and ${which}`
  return {}
}
