import type { ClientBrief } from '#contract/office/briefs.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import * as z from 'zod/mini'
import { inboxFilter, type InboxFilter, type InboxItem, type listInbox, unassigned } from '#contract/office/inbox.ts'
import type { StaffRole } from '#rules/actors.ts'
import { dayIn, daysAfter, instantIn } from '#rules/dates.ts'
import { can } from '#rules/permissions.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import type { ClientId } from '#rules/ids.ts'
import { empty, row, rows, sql, type Connection, type Sql } from '../../db/sql.ts'
import type { StaffCaller } from '../../http/sessions.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { clientsNamed } from '../../office/record-search.ts'
import { countedIn, type Listing, type ListQuery } from '../../office/listing.ts'
import { wordsPattern } from '../../office/lists.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isMine, readableKinds } from '../../office/work-item-access.ts'

export { readableKinds } from '../../office/work-item-access.ts'

export interface ItemRow {
  readonly id: string
  readonly kind: WorkItemKind
  readonly record: string
  readonly clientId: ClientId | null
  readonly state: string
  readonly summary: InboxItem['summary']
  readonly dueAt: Date
  readonly createdAt: Date
  readonly assigneeId: string | null
  readonly assigneeName: string | null
  readonly mine: boolean
}

export type InboxQuery = QueryOf<typeof listInbox> & Pick<ListQuery, 'from' | 'to' | 'direction'> & { sort?: 'dueAt' }

/** Returns when today ends in the firm's zone. */
export function endOfToday(now: Date, timeZone: string): Date {
  return instantIn(daysAfter(dayIn(now, timeZone), 1), 0, timeZone)
}

export function groupOf(dueAt: Date, now: Date, todayEnds: Date): InboxItem['group'] {
  if (dueAt < now) return 'overdue'
  return dueAt < todayEnds ? 'today' : 'later'
}

const tables = sql`work_items w left join clients c on c.id = w.client_id left join staff s on s.id = w.assignee`

/** Returns what waits for somebody with this person's roles, what is due first. */
export function inboxListing(staff: StaffCaller): Listing<InboxQuery> {
  const dueAt = { by: 'w.due_at', type: 'timestamptz' } as const
  return {
    name: 'inbox',
    tables,
    id: { by: 'w.id', type: 'uuid' },
    sorts: { dueAt },
    at: dueAt,
    standard: () => ({ sort: 'dueAt', direction: 'asc' }),
    where: ({ kind, mine, assigned }) => [
      sql`w.closed_at is null`,
      sql`w.kind = any (${readableKinds(staff.roles).filter((one) => kind === undefined || one === kind)}::text[])`,
      mine === true ? isMine(staff) : empty,
      assigned === 'me' ? sql`w.assignee = ${staff.staffId}` : empty,
      assigned === unassigned ? sql`w.assignee is null` : empty,
    ],
    finds: (words) =>
      sql`(w.client_id in (${clientsNamed(words)}) or lower(w.summary::text) like ${wordsPattern(words)})`,
  }
}

/** Returns what a row of the inbox reads. */
export function itemColumns(staff: StaffCaller): Sql {
  return sql`w.id, w.kind, w.record, w.client_id as "clientId", w.state, w.summary, w.due_at as "dueAt",
    w.created_at as "createdAt", s.id as "assigneeId", s.name as "assigneeName", (${isMine(staff)}) as mine`
}

/** One open item of a kind that this person may read, or null. */
export async function itemById(connection: Connection, staff: StaffCaller, id: string): Promise<ItemRow | null> {
  return row<ItemRow>(connection)`
    select ${itemColumns(staff)} from ${tables} where w.id = ${uuidOrNull(id)}::uuid and w.closed_at is null and w.kind = any (${readableKinds(staff.roles)}::text[])`
}

/** Returns how many wait in each group, under the same filter as the list. */
export async function groupCounts(
  dependencies: Dependencies,
  staff: StaffCaller,
  query: InboxQuery,
  now: Date,
  todayEnds: Date,
) {
  const columns = sql`count(*) filter (where w.due_at < ${now})::int as overdue,
    count(*) filter (where w.due_at >= ${now} and w.due_at < ${todayEnds})::int as today,
    count(*) filter (where w.due_at >= ${now} and w.due_at >= ${todayEnds})::int as later`
  const found = await countedIn<{ overdue: number; today: number; later: number }, InboxQuery>(
    dependencies,
    inboxListing(staff),
    columns,
    query,
  )
  return found ?? { overdue: 0, today: 0, later: 0 }
}

export interface KindCount {
  readonly kind: WorkItemKind
  readonly open: number
  readonly late: number
  readonly mine: number
  readonly toDecide: number
}

/** The menu's counts, for every kind that may be read; `mine` counts what this person holds, `toDecide` what waits for them. */
export async function kindCounts(connection: Connection, staff: StaffCaller, now: Date): Promise<KindCount[]> {
  const kinds = readableKinds(staff.roles)
  const found = await rows<KindCount>(connection)`
    select w.kind, count(*)::int as open, count(*) filter (where w.due_at < ${now})::int as late,
        count(*) filter (where w.assignee = ${staff.staffId})::int as mine,
        count(*) filter (where ${isMine(staff)})::int as "toDecide"
      from ${tables} where w.closed_at is null and w.kind = any (${kinds}::text[]) group by w.kind`
  const counted = new Map(found.map((one) => [one.kind, one]))
  return kinds.map((kind) => counted.get(kind) ?? { kind, open: 0, late: 0, mine: 0, toDecide: 0 })
}

const viewingForMs = 30_000

/** Returns who else looks at these records now, by record. */
export async function viewersOfRecords(
  connection: Connection,
  staff: StaffCaller,
  records: readonly string[],
  now: Date,
) {
  const found = await rows<{ record: string; id: string; name: string }>(connection)`
    select v.item as record, s.id, s.name from viewing v join staff s on s.id = v.staff_id
      where v.item = any (${[...records]}::uuid[]) and v.staff_id <> ${staff.staffId}
        and v.seen_at > ${new Date(now.getTime() - viewingForMs)} order by v.seen_at`
  const viewers = new Map<string, { id: string; name: string }[]>()
  for (const { record, id, name } of found) viewers.set(record, [...(viewers.get(record) ?? []), { id, name }])
  return viewers
}

const keptFilter = z.nullish(inboxFilter)

/**
 * Returns the filter with which an inbox opens: the one this person used last, else what these roles can decide. A kind
 * that the roles no longer read is dropped.
 */
export function openingFilter(kept: unknown, roles: readonly StaffRole[]): InboxFilter {
  const filter = keptFilter.safeParse(kept).data ?? { mine: can('assign', roles), kind: null, assigned: null }
  const isReadable = filter.kind !== null && readableKinds(roles).includes(filter.kind)
  return isReadable ? filter : { ...filter, kind: null }
}

/** Returns an item as the contract shows it. */
export function shown(
  item: ItemRow,
  clients: ReadonlyMap<string, ClientBrief>,
  viewers: ReadonlyMap<string, { id: string; name: string }[]>,
  group: InboxItem['group'],
): InboxItem {
  const { id, kind, record, state, summary, dueAt, createdAt, mine, assigneeId, assigneeName } = item
  return {
    id,
    kind,
    record,
    state,
    client: item.clientId === null ? null : (clients.get(item.clientId) ?? null),
    summary: plainOf(summary),
    group,
    dueAt,
    createdAt,
    assignee: assigneeId !== null && assigneeName !== null ? { id: assigneeId, name: assigneeName } : null,
    viewers: viewers.get(record) ?? [],
    mine,
  }
}

/** Only facts that are a text, a number or a yes and no leave: a list becomes a text. */
function plainOf(summary: Readonly<Record<string, unknown>>): InboxItem['summary'] {
  return Object.fromEntries(
    Object.entries(summary).map(([name, value]) => {
      if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        return [name, value]
      return [name, Array.isArray(value) ? value.join(', ') : JSON.stringify(value)]
    }),
  )
}
