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
import type { Dependencies } from '../../dependencies.ts'
import { assignItem, viewItem } from './assign-item.ts'
import { showCounts, showInbox, showItem } from './show-inbox.ts'

export function inboxRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(listInbox, (context) => showInbox(dependencies, context))
  registerEndpoint(inboxCounts, (context) => showCounts(dependencies, context))
  registerEndpoint(getInboxItem, (context) => showItem(dependencies, context))
  registerEndpoint(assignEndpoint, (context) => assignItem(dependencies, context))
  registerEndpoint(saveInboxFilter, async (context) => {
    const filter = JSON.stringify(context.body)
    await run(dependencies.pool)`
      update staff set inbox_filter = ${filter}::jsonb where id = ${requireStaff(context).staffId}`
    return {}
  })
  registerEndpoint(viewEndpoint, (context) => viewItem(dependencies, context))
}
