/** The inbox: one list of all kinds of work items, overdue ones first (requirements 21.10). */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getInboxItem, inboxCounts, InboxEntry, InboxItem, listInbox } from '#contract/office/inbox.ts'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { WithdrawalId } from '#rules/ids.ts'
import { canRead } from '#rules/permissions.ts'
import { row, sql, empty, rows, type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { type Decider, deciderOf, rolesRequired, isMine, readableKinds } from '../../office/work-item-access.ts'
import { pageOf, countedIn } from '../../office/listing.ts'
import { maskNumbers } from '../../office/masking.ts'
import { clientsOf, pageCheck } from '../../office/records.ts'
import { documentTimelineOf, timelineOf } from '../../office/timeline.ts'
import type { Dependencies } from '../../dependencies.ts'
import { failedOperations } from '../failed-operations/queries.ts'
import { recipientOf, withdrawalById } from '../withdrawals/queries.ts'
import {
  inboxListing,
  itemById,
  itemColumns,
  inboxItemResponse,
  todayOf,
  viewersOfRecords,
  type InboxQuery,
  type ItemRow,
  type Today,
  isNewlyAssigned,
  isSnoozed,
  itemTables,
  mentionedItems,
  snoozeCondition,
} from './queries.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import type { StaffCaller } from '../../http/sessions.ts'

export const showInbox: Handler<typeof listInbox> = async (dependencies, context) => {
  const staff = await deciderOf(dependencies, context)
  const today = await todayOf(dependencies, context.now)
  const [page, groups] = await Promise.all([
    pageOf(dependencies, inboxListing(staff, today), itemColumns(staff, today), context.query),
    groupCounts(dependencies, staff, context.query, today),
  ])
  const isCut = context.query.cursor === undefined && page.next !== null
  const back = isCut ? await itemsBackFromSnooze(dependencies, staff, context.query, today) : []
  const known = new Set(page.rows.map(({ id }) => id))
  const rows = [...page.rows, ...back.filter(({ id }) => !known.has(id))]
  return {
    items: (await inboxItemResponses(dependencies, context, rows, today)).map(entryOf),
    groups,
    next: page.next,
  }
}

/** Returns items whose snooze has ended: they come first in their groups, whatever their due times. */
async function itemsBackFromSnooze(
  dependencies: Dependencies,
  staff: Decider,
  query: InboxQuery,
  today: Today,
): Promise<ItemRow[]> {
  const listing = inboxListing(staff, today)
  // PostgreSQL can estimate how few items were snoozed, but not how few of those snoozes ended before a time given as a
  // parameter.
  const isBack = sql`(w.snoozed_until is not null and w.snoozed_until <= ${today.now})`
  const where: typeof listing.where = (asked) => [...listing.where(asked), isBack]
  return (await pageOf(dependencies, { ...listing, where }, itemColumns(staff, today), query)).rows
}

/** The maximum length of a fact in a row of the list; it fits the names of all kinds of documents. */
const factLengthMax = 120

/** Returns an item as the list shows it, with little data, because the list is read again with every change. */
function entryOf({ client, summary, ...item }: InboxItem): InboxEntry {
  const short = (value: InboxItem['summary'][string]) =>
    typeof value === 'string' && value.length > factLengthMax
      ? `${[...value].slice(0, factLengthMax).join('')}…`
      : value
  return {
    ...item,
    client: client && { name: client.name },
    summary: Object.fromEntries(Object.entries(summary).map(([name, value]) => [name, short(value)])),
  }
}

async function inboxItemResponses(
  dependencies: Dependencies,
  context: RequestContext,
  items: readonly ItemRow[],
  today: Today,
): Promise<InboxItem[]> {
  const records = items.map((item) => item.record)
  const [clientOf, viewers] = await Promise.all([
    clientsOf(dependencies, items),
    viewersOfRecords(dependencies.pool, requireStaff(context), records, context.now),
  ])
  return items.map((item) => inboxItemResponse(item, clientOf(item.clientId), viewers, today))
}

export const showCounts: Handler<typeof inboxCounts> = async (dependencies, context) => {
  const staff = await deciderOf(dependencies, context)
  const { pool } = dependencies
  const [kinds, mentions, failed] = await Promise.all([
    kindCounts(pool, staff, context.now),
    mentionCount(pool, staff),
    canRead('failedJobs', staff.roles) ? failedOperations(pool) : null,
  ])
  const sum = (of: 'open' | 'late' | 'mine' | 'toDecide' | 'newlyAssigned') =>
    kinds.reduce((total, one) => total + one[of], 0)
  return {
    all: sum('open'),
    late: sum('late'),
    mine: sum('mine'),
    toDecide: sum('toDecide'),
    mentions,
    newlyAssigned: sum('newlyAssigned'),
    kinds: kinds.map(({ kind, open, late }) => ({ kind, open, late })),
    failedOperations: failed,
  }
}

type Preview = ResponseOf<typeof getInboxItem>

/** Returns one item's facts and client, enough to decide whether to open it. */
export const showItem: Handler<typeof getInboxItem> = async (dependencies, context) => {
  const today = await todayOf(dependencies, context.now)
  const found = await itemById(dependencies.pool, await deciderOf(dependencies, context), context.params.id, today)
  if (!found) throw new Problem('not-found')
  const [item] = await inboxItemResponses(dependencies, context, [found], today)
  if (!item) throw new Problem('not-found')
  const { kind, record } = item
  const { roles } = requireStaff(context)
  const { language } = context
  const events = await (kind === 'document'
    ? documentTimelineOf(dependencies.pool, record, language)
    : timelineOf(dependencies.pool, [kind], record, language))
  const timeline = events.map((event) => ({
    ...event,
    before: maskNumbers(event.before, roles),
    after: maskNumbers(event.after, roles),
  }))
  const { pool } = dependencies
  const withdrawal = kind === 'withdrawal' ? await withdrawalById(pool, record as WithdrawalId) : null
  const isLastBalance = typeof withdrawal?.enteredBy === 'string'
  return {
    item,
    facts: factsOf(item),
    checks: await checksOf(dependencies, item),
    timeline,
    roles: item.group === 'decided' ? [] : rolesRequired(item, roles, isLastBalance),
    ...(withdrawal && {
      recipient: { ...(await recipientOf(pool, withdrawal, roles)), currency: withdrawal.currency },
    }),
  }
}

function factsOf(item: InboxItem): Preview['facts'] {
  const facts: Preview['facts'] = Object.entries(item.summary)
    .filter(([, value]) => value !== null && value !== '')
    .map(([code, value]) => ({ code, value: String(value), tone: null }))
  const { client } = item
  if (!client) return facts
  facts.push({ code: 'country', value: client.country, tone: null })
  facts.push({
    code: 'riskLevel',
    value: String(client.riskLevel),
    tone: client.riskLevel >= 4 ? 'bad' : client.riskLevel === 3 ? 'warn' : null,
  })
  facts.push({ code: 'clientStatus', value: client.clientStatus, tone: null })
  return facts
}

async function checksOf(dependencies: Dependencies, item: InboxItem): Promise<Preview['checks']> {
  const { client } = item
  if (!client) return []
  const others = await otherItems(dependencies, client, item.id)
  return [
    ...client.flags.map((flag) => pageCheck(`flag-${flag}`, 'warn', flag)),
    ...(client.riskLevel >= 4 ? [pageCheck('country-risk', 'warn', client.riskLevel)] : []),
    ...(others > 0 ? [pageCheck('other-requests', 'ok', others)] : []),
  ]
}

async function otherItems(dependencies: Dependencies, client: ClientBrief, except: string): Promise<number> {
  const found = await row<{ count: number }>(dependencies.pool)`
    select count(*)::int as count from work_items where client_id = ${client.id} and closed_at is null and id <> ${except}`
  return found?.count ?? 0
}

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
async function groupCounts(dependencies: Dependencies, staff: Decider, query: InboxQuery, at: Today) {
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
async function kindCounts(connection: Connection, staff: Decider, now: Date): Promise<KindCount[]> {
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
async function mentionCount(connection: Connection, staff: StaffCaller): Promise<number> {
  const [found] = await pipelinedRows<{ count: number }>(
    connection,
    sql`select count(*)::int as count from work_items w
        where w.id in (${mentionedItems(staff)}) and w.kind = any (${readableKinds(staff.roles)}::text[])`,
  )
  return found?.count ?? 0
}
