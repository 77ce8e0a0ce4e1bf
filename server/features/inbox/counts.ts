/** Counts of work items: of the groups of the list and of the menu. */
import type { WorkItemKind } from '#rules/work-items.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { empty, rows, sql, type Connection } from '../../db/sql.ts'
import type { StaffCaller } from '../../http/sessions.ts'
import { countedIn } from '../../office/listing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Decider, isMine, readableKinds } from '../../office/work-item-access.ts'
import {
  inboxListing,
  isNewlyAssigned,
  isSnoozed,
  itemTables,
  mentionedItems,
  snoozeCondition,
  type InboxQuery,
  type Today,
} from './queries.ts'

interface GroupCounts {
  readonly overdue: number
  readonly today: number
  readonly later: number
  readonly decided: number
  readonly count: number
  readonly late: number
}
const noItems: GroupCounts = { overdue: 0, today: 0, later: 0, decided: 0, count: 0, late: 0 }

/** Returns the number of items in each group, under the same filter as the list. */
export async function groupCounts(dependencies: Dependencies, staff: Decider, query: InboxQuery, at: Today) {
  const { now, ends } = at
  const included = snoozeCondition(query, now)
  const shown = included === empty ? sql`true` : included
  // What the list shows is not counted as hidden; with the filter of snoozed items the number of all is still shown.
  const asleep = included === empty ? sql`false` : isSnoozed(now)
  const pending = sql`w.closed_at is null and ${shown}`
  const columns = sql`count(*) filter (where ${pending} and w.due_at < ${now})::int as overdue,
    count(*) filter (where ${pending} and w.due_at >= ${now} and w.due_at < ${ends})::int as today,
    count(*) filter (where ${pending} and w.due_at >= ${now} and w.due_at >= ${ends})::int as later,
    count(*) filter (where w.closed_at is not null)::int as decided,
    count(*) filter (where ${asleep})::int as count,
    count(*) filter (where ${asleep} and w.due_at < ${now})::int as late`
  const found = await countedIn<GroupCounts, InboxQuery>(dependencies, inboxListing(staff, at), columns, {
    ...query,
    snoozed: false,
  })
  const { overdue, today, later, decided, count, late } = found ?? noItems
  return { overdue, today, later, decided, snoozed: { count, overdue: late } }
}

interface KindCount {
  readonly kind: WorkItemKind
  readonly open: number
  readonly late: number
  readonly mine: number
  readonly toDecide: number
  readonly newlyAssigned: number
}

/**
 * Returns the menu's counts, for every kind that may be read; `mine` counts items assigned to this person, `toDecide`
 * those that they can decide.
 */
export async function kindCounts(connection: Connection, staff: Decider, now: Date): Promise<KindCount[]> {
  const kinds = readableKinds(staff.roles)
  const found = await rows<KindCount>(connection)`
    select w.kind, count(*)::int as open, count(*) filter (where w.due_at < ${now})::int as late,
        count(*) filter (where w.assignee = ${staff.staffId})::int as mine,
        count(*) filter (where ${isMine(staff)})::int as "toDecide",
        count(*) filter (where ${isNewlyAssigned(staff)} and not ${isSnoozed(now)})::int as "newlyAssigned"
      from ${itemTables} where w.closed_at is null and w.kind = any (${kinds}::text[]) group by w.kind`
  const counted = new Map(found.map((one) => [one.kind, one]))
  const none = { open: 0, late: 0, mine: 0, toDecide: 0, newlyAssigned: 0 }
  return kinds.map((kind) => counted.get(kind) ?? { kind, ...none })
}

/** Returns the number of items with an unread comment that mentions this person, decided ones too. */
export async function mentionCount(connection: Connection, staff: StaffCaller): Promise<number> {
  const [found] = await pipelinedRows<{ count: number }>(
    connection,
    sql`select count(*)::int as count from work_items w
        where w.id in (${mentionedItems(staff)}) and w.kind = any (${readableKinds(staff.roles)}::text[])`,
  )
  return found?.count ?? 0
}
