/** The inbox of the back office. */
import {
  assignItem as assignEndpoint,
  getInboxItem,
  inboxCounts,
  listInbox,
  saveInboxFilter,
  viewItem as viewEndpoint,
} from '#contract/office/inbox.ts'
import { run, sql } from '../../db/sql.ts'
import { staffOf } from '../../http/request-context.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { assignItem, viewItem } from './assign-item.ts'
import { showCounts, showInbox, showItem } from './show-inbox.ts'

export function inboxRoutes(serve: Serve, parts: Parts): void {
  serve(listInbox, (call) => showInbox(parts, call))
  serve(inboxCounts, (call) => showCounts(parts, call))
  serve(getInboxItem, (call) => showItem(parts, call))
  serve(assignEndpoint, (call) => assignItem(parts, call))
  serve(saveInboxFilter, async (call) => {
    const filter = JSON.stringify(call.body)
    await run(parts.pool, sql`update staff set inbox_filter = ${filter}::jsonb where id = ${staffOf(call).staffId}`)
    return {}
  })
  serve(viewEndpoint, (call) => viewItem(parts, call))
}
