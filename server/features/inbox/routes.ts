/** The inbox of the back office. */
import {
  assignItem as assignEndpoint,
  getInboxItem,
  inboxCounts,
  listInbox,
  saveInboxFilter,
  viewItem as viewEndpoint,
} from '#contract/office/inbox.ts'
import { run } from '../../db/sql.ts'
import { requireStaff } from '../../http/request-context.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { assignItem, viewItem } from './assign-item.ts'
import { showCounts, showInbox, showItem } from './show-inbox.ts'

export function inboxRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(listInbox, showInbox)
  registerEndpoint(inboxCounts, showCounts)
  registerEndpoint(getInboxItem, showItem)
  registerEndpoint(assignEndpoint, assignItem)
  registerEndpoint(saveInboxFilter, async (dependencies, context) => {
    const filter = JSON.stringify(context.body)
    await run(dependencies.pool)`
      update staff set inbox_filter = ${filter}::jsonb where id = ${requireStaff(context).staffId}`
    return {}
  })
  registerEndpoint(viewEndpoint, viewItem)
}
