import type { ClientBrief } from '#contract/office/decisions.ts'
import type { InboxItem } from '#contract/office/inbox.ts'
import { dayIn, daysAfter, instantIn } from '#rules/dates.ts'
import type { WorkKind } from '#rules/work.ts'
import { empty, join, row, rows, sql, type Connection, type Sql } from '../../db/sql.ts'
import type { StaffCaller } from '../../http/sessions.ts'
import { isMine, readableKinds } from './who-decides.ts'

export { readableKinds } from './who-decides.ts'

export interface ItemRow {
  readonly id: string
  readonly kind: WorkKind
  readonly record: string
  readonly clientId: string | null
  readonly state: string
  readonly summary: InboxItem['summary']
  readonly dueAt: Date
  readonly createdAt: Date
  readonly assigneeId: string | null
  readonly assigneeName: string | null
  readonly mine: boolean
}

export interface InboxFilter {
  readonly kind?: WorkKind | undefined
  readonly mine?: boolean | undefined
  readonly assigned?: 'me' | 'nobody' | undefined
  /** A pattern for `like`, or null. */
  readonly words: string | null
}

/** When today ends in the firm's zone. */
export function endOfToday(now: Date, timeZone: string): Date {
  return instantIn(daysAfter(dayIn(now, timeZone), 1), 0, timeZone)
}

export function groupOf(dueAt: Date, now: Date, todayEnds: Date): InboxItem['group'] {
  if (dueAt < now) return 'overdue'
  return dueAt < todayEnds ? 'today' : 'later'
}

const from = sql`from work_items w left join clients c on c.id = w.client_id left join staff s on s.id = w.assignee`

function where(staff: StaffCaller, filter: InboxFilter): Sql {
  const kinds = readableKinds(staff.roles).filter((kind) => filter.kind === undefined || kind === filter.kind)
  const conditions: Sql[] = [sql`w.closed_at is null`, sql`w.kind = any (${kinds}::text[])`]
  if (filter.mine === true) conditions.push(isMine(staff))
  if (filter.assigned === 'me') conditions.push(sql`w.assignee = ${staff.staffId}`)
  if (filter.assigned === 'nobody') conditions.push(sql`w.assignee is null`)
  if (filter.words !== null) {
    conditions.push(
      sql`(lower(c.name || ' ' || c.surname || ' ' || c.email::text) like ${filter.words}
            or lower(w.summary::text) like ${filter.words} or c.number::text like ${filter.words})`,
    )
  }
  return join(conditions, ' and ')
}

/** One page of the inbox, what is due first. */
export async function itemsOf(
  connection: Connection,
  staff: StaffCaller,
  filter: InboxFilter,
  page: { after: { at: Date; id: string } | null; size: number },
): Promise<ItemRow[]> {
  return rows<ItemRow>(
    connection,
    sql`${select(staff)} where ${where(staff, filter)}
          ${page.after ? sql`and (w.due_at, w.id) > (${page.after.at}, ${page.after.id}::uuid)` : empty}
        order by w.due_at, w.id limit ${page.size}`,
  )
}

function select(staff: StaffCaller): Sql {
  return sql`select w.id, w.kind, w.record, w.client_id as "clientId", w.state, w.summary, w.due_at as "dueAt",
      w.created_at as "createdAt", s.id as "assigneeId", s.name as "assigneeName", (${isMine(staff)}) as mine ${from}`
}

/** One open item of a kind that this person may read, or null. */
export async function itemById(connection: Connection, staff: StaffCaller, id: string): Promise<ItemRow | null> {
  return row<ItemRow>(
    connection,
    sql`${select(staff)} where w.id::text = ${id} and w.closed_at is null and w.kind = any (${readableKinds(staff.roles)}::text[])`,
  )
}

/** How many wait in each group, under the same filter as the list. */
export async function groupCounts(
  connection: Connection,
  staff: StaffCaller,
  filter: InboxFilter,
  now: Date,
  todayEnds: Date,
) {
  const found = await row<{ overdue: number; today: number; later: number }>(
    connection,
    sql`select count(*) filter (where w.due_at < ${now})::int as overdue,
          count(*) filter (where w.due_at >= ${now} and w.due_at < ${todayEnds})::int as today,
          count(*) filter (where w.due_at >= ${now} and w.due_at >= ${todayEnds})::int as later
        ${from} where ${where(staff, filter)}`,
  )
  return found ?? { overdue: 0, today: 0, later: 0 }
}

export interface KindCount {
  readonly kind: WorkKind
  readonly open: number
  readonly late: number
  readonly mine: number
}

/** The menu's counts, for every kind that may be read; `mine` counts what this person holds. */
export async function kindCounts(connection: Connection, staff: StaffCaller, now: Date): Promise<KindCount[]> {
  const kinds = readableKinds(staff.roles)
  const found = await rows<KindCount>(
    connection,
    sql`select kind, count(*)::int as open, count(*) filter (where due_at < ${now})::int as late,
          count(*) filter (where assignee = ${staff.staffId})::int as mine
        from work_items where closed_at is null and kind = any (${kinds}::text[]) group by kind`,
  )
  const counted = new Map(found.map((one) => [one.kind, one]))
  return kinds.map((kind) => counted.get(kind) ?? { kind, open: 0, late: 0, mine: 0 })
}

const viewingForMs = 30_000

/** Who else looks at these records now, by record. */
export async function viewersOfRecords(
  connection: Connection,
  staff: StaffCaller,
  records: readonly string[],
  now: Date,
) {
  const found = await rows<{ record: string; id: string; name: string }>(
    connection,
    sql`select v.item as record, s.id, s.name from viewing v join staff s on s.id = v.staff_id
        where v.item = any (${[...records]}::uuid[]) and v.staff_id <> ${staff.staffId}
          and v.seen_at > ${new Date(now.getTime() - viewingForMs)} order by v.seen_at`,
  )
  const viewers = new Map<string, { id: string; name: string }[]>()
  for (const { record, id, name } of found) viewers.set(record, [...(viewers.get(record) ?? []), { id, name }])
  return viewers
}

/** An item as the contract shows it. */
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
