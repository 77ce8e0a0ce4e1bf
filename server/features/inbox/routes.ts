/** The inbox of the back office. */
import {
  assignItem as assignEndpoint,
  getInboxItem,
  getItemEnd,
  inboxCounts,
  listAssignees as assigneesEndpoint,
  listInbox,
  listMentionable as mentionableEndpoint,
  saveInboxFilter,
  snoozeItem as snoozeEndpoint,
  viewItem as viewEndpoint,
  writeComment as commentEndpoint,
} from '#contract/office/inbox.ts'
import { run } from '../../db/sql.ts'
import { requireStaff } from '../../http/handler.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { assignItem, listAssignees, viewItem } from './assign-item.ts'
import { showItemEnd } from './show-item-end.ts'
import { showCounts, showInbox, showItem } from './show-inbox.ts'
import { snoozeItem } from './snooze-item.ts'
import { listMentionable, writeComment } from './write-comment.ts'

export function inboxRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(listInbox, showInbox)
  registerEndpoint(inboxCounts, showCounts)
  registerEndpoint(assigneesEndpoint, listAssignees)
  registerEndpoint(mentionableEndpoint, listMentionable)
  registerEndpoint(getInboxItem, showItem)
  registerEndpoint(getItemEnd, showItemEnd)
  registerEndpoint(assignEndpoint, assignItem)
  registerEndpoint(snoozeEndpoint, snoozeItem)
  registerEndpoint(commentEndpoint, writeComment)
  registerEndpoint(saveInboxFilter, async (dependencies, context) => {
    const filter = JSON.stringify(context.body)
    await run(dependencies.pool)`
      update staff set inbox_filter = ${filter}::jsonb where id = ${requireStaff(context).staffId}`
    return {}
  })
  registerEndpoint(viewEndpoint, viewItem)
}
