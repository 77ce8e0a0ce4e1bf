import type { Absence, ClientBrief } from '#contract/office/briefs.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import * as z from 'zod/mini'
import type { InboxItem, listInbox } from '#contract/office/inbox.ts'
import { away, inboxFilter, type InboxFilter, unassigned } from '#contract/office/inbox-filter.ts'
import { isDueBeforeReturn } from '#rules/absences.ts'
import type { StaffRole } from '#rules/actors.ts'
import { dayIn, daysAfter, instantIn, isoDay } from '#rules/dates.ts'
import { can } from '#rules/permissions.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { Problem } from '../../http/problem.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { empty, join, row, run, sql, type Connection, type Sql, type Transaction } from '../../db/sql.ts'
import type { StaffCaller } from '../../http/sessions.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { absenceOn, isAwayOn } from '../../office/absences.ts'
import { clientsNamed, wordsPattern } from '../../office/lists.ts'
import { amountBetween, whereEquals, type Listing, type ListQuery, type Columns } from '../../office/listing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Decider, isMine, readableKinds } from '../../office/work-item-access.ts'

export interface ItemRow extends Omit<InboxItem, 'client' | 'group' | 'assignee' | 'viewers'> {
  readonly clientId: ClientId | null
  readonly assigneeId: StaffId | null
  readonly assigneeName: string | null
  /** The assignee's. */
  readonly absence: Absence | null
  readonly decided: boolean
}

export type InboxQuery = QueryOf<typeof listInbox> & Pick<ListQuery, 'from' | 'to' | 'direction'> & { sort?: 'dueAt' }

/** The time of a request and the firm's time zone, from which the day follows. */
export interface Today {
  readonly now: Date
  readonly timeZone: string
  /** "2026-11-26". */
  readonly day: string
  readonly ends: Date
}

export async function todayOf({ settings }: Pick<Dependencies, 'settings'>, now: Date): Promise<Today> {
  const { timeZone } = await settings.get('firm')
  const day = dayIn(now, timeZone)
  return { now, timeZone, day: isoDay(day), ends: instantIn(daysAfter(day, 1), 0, timeZone) }
}

function groupOf({ dueAt, decided }: ItemRow, { now, ends }: Today): InboxItem['group'] {
  if (decided) return 'decided'
  if (dueAt < now) return 'overdue'
  return dueAt < ends ? 'today' : 'later'
}

export const itemTables = sql`work_items w left join clients c on c.id = w.client_id left join staff s on s.id = w.assignee`

export interface LockedItem extends Pick<ItemRow, 'id' | 'kind' | 'record' | 'clientId' | 'dueAt' | 'snoozedUntil'> {
  readonly assignee: string | null
}

/** Returns one open item of a kind that this person may read, locked. Throws `not-found` and `decided-meanwhile`. */
export async function lockItem(tx: Transaction, staff: StaffCaller, id: string): Promise<LockedItem> {
  const found = await row<LockedItem & { state: string; closed: boolean }>(tx)`
    select id, kind, record, client_id as "clientId", state, closed_at is not null as closed, assignee, due_at as "dueAt",
        snoozed_until as "snoozedUntil" from work_items
      where id = ${uuidOrNull(id)}::uuid and kind = any (${readableKinds(staff.roles)}::text[]) for update`
  if (!found) throw new Problem('not-found')
  if (found.closed) throw new Problem('decided-meanwhile', { values: { state: found.state } })
  return found
}

/** Unassigns the open items of a person, except those of kinds that the person can still decide. */
export async function unassignItems(
  tx: Transaction,
  staffId: StaffId,
  decides: readonly WorkItemKind[],
): Promise<void> {
  await run(tx)`update work_items set assignee = null
    where assignee = ${staffId} and closed_at is null and kind <> all (${[...decides]}::text[])`
}

/** Returns the condition that the item `w` is snoozed at `now`. */
export const isSnoozed = (now: Date) => sql`(w.snoozed_until is not null and w.snoozed_until > ${now})`

/**
 * Returns the condition that a list shows an item that may be snoozed, or `empty` for every item: by default those that
 * are not snoozed; a mention reaches the person immediately.
 */
export function snoozeCondition({ snoozed, mentioned }: InboxQuery, now: Date): Sql {
  if (snoozed === true) return isSnoozed(now)
  return snoozed === false || mentioned === true ? empty : sql`not ${isSnoozed(now)}`
}

/** Returns the condition that the item has an unread comment that mentions this person. */
function mentionCondition(staff: StaffCaller): Sql {
  return sql`exists (select from comment_mentions m
    where m.item = w.id and m.staff_id = ${staff.staffId} and m.seen_at is null)`
}

/** Returns the condition that a colleague assigned the item to this person, who has not opened it. */
export const isNewlyAssigned = (staff: StaffCaller) => sql`(w.assignee = ${staff.staffId} and w.assigned_unseen)`

/** The amount of an item in minor units, null for one without; as SQL source. */
const summaryAmount = `(case when w.summary ->> 'amount' ~ '^-?[0-9]{1,15}(\\.[0-9]{1,2})?$'
  then (w.summary ->> 'amount')::numeric * 100 end)`

/** Returns the listing of pending items for this person's roles, those due first first. */
export function inboxListing(staff: Decider, { now, day }: Today): Listing<InboxQuery> {
  const dueAt = { by: 'w.due_at', type: 'timestamptz' } as const
  return {
    name: 'inbox',
    tables: itemTables,
    id: { by: 'w.id', type: 'uuid' },
    sorts: { dueAt },
    at: dueAt,
    standard: () => ({ sort: 'dueAt', direction: 'asc' }),
    where: ({ kind, mine, assigned, newlyAssigned, mentioned, overdue, currency, amountFrom, amountTo, ...asked }) => [
      // A comment is shown after the decision too, as the person it mentions may not have seen it before.
      mentioned === true ? empty : sql`w.closed_at is null`,
      sql`w.kind = any (${readableKinds(staff.roles).filter((one) => kind === undefined || one === kind)}::text[])`,
      snoozeCondition({ ...asked, mentioned }, now),
      mentioned === true ? mentionCondition(staff) : empty,
      newlyAssigned === true ? isNewlyAssigned(staff) : empty,
      overdue === true ? sql`w.closed_at is null and w.due_at < ${now}` : empty,
      whereEquals("w.summary ->> 'currency'", currency),
      ...amountBetween(summaryAmount, { amountFrom, amountTo }),
      mine === true ? isMine(staff) : empty,
      assigned === undefined ? empty : assigneeCondition(assigned, staff, day),
    ],
    // The open items are few and are read by their index whatever the filter; text search and mentions use other
    // indexes.
    hasOnePlan: ({ q, mentioned }) => q === undefined && mentioned !== true,
    finds: (words) =>
      sql`(w.client_id in (${clientsNamed(words)}) or lower(w.summary::text) like ${wordsPattern(words)})`,
  }
}

function assigneeCondition(assigned: string, staff: StaffCaller, day: string): Sql {
  if (assigned === unassigned) return sql`w.assignee is null`
  if (assigned === away) return isAwayOn(day)
  return sql`w.assignee = ${assigned === 'me' ? staff.staffId : assigned}::uuid`
}

/** Returns the columns of an inbox row. */
export function itemColumns(staff: Decider, { day }: Today): Columns<ItemRow> {
  return sql`w.id, w.kind, w.record, w.client_id as "clientId", w.state, w.summary, w.due_at as "dueAt",
    w.created_at as "createdAt", s.id as "assigneeId", s.name as "assigneeName", ${absenceOn(day)},
    w.snoozed_until as "snoozedUntil", w.closed_at is not null as decided, w.closed_at is null and (${isMine(staff)}) as mine`
}

/** Returns one item of a kind that this person may read, open or with a comment that mentions them, or null. */
export async function itemById(
  connection: Connection,
  staff: Decider,
  id: string,
  today: Today,
): Promise<ItemRow | null> {
  return row<ItemRow>(connection)`
    select ${itemColumns(staff, today)} from ${itemTables} where w.id = ${uuidOrNull(id)}::uuid
      and w.kind = any (${readableKinds(staff.roles)}::text[]) and (w.closed_at is null
        or exists (select from comment_mentions m where m.item = w.id and m.staff_id = ${staff.staffId}))`
}

/** Returns the query of the ids of items with an unread comment that mentions this person, decided ones too. */
export const mentionedItems = (staff: StaffCaller) =>
  sql`select item from comment_mentions where staff_id = ${staff.staffId} and seen_at is null`

/**
 * Returns the number of items under each of several filters, in one statement over the open items and, if a filter
 * shows mentions, the decided ones with such a comment. Text search is not supported.
 */
export async function countByFilter(
  connection: Connection,
  staff: Decider,
  today: Today,
  queries: readonly InboxQuery[],
): Promise<number[]> {
  if (queries.length === 0) return []
  const { where } = inboxListing(staff, today)
  const conditions = queries.map((query) => {
    const own = where(query).filter((one) => one !== empty)
    return sql`count(*) filter (where ${join(own, ' and ')})`
  })
  // Each part of the union reads its own index.
  const looked = queries.some(({ mentioned }) => mentioned === true)
    ? sql`w.id in (select id from work_items where closed_at is null union all ${mentionedItems(staff)})`
    : sql`w.closed_at is null`
  const found = await row<{ counts: bigint[] }>(connection)`
    select array[${join(conditions, ', ')}]::int[] as counts from ${itemTables} where ${looked}`
  return (found?.counts ?? []).map(Number)
}

const viewingForMs = 30_000

/** Returns who else is viewing these records now, by record. */
export async function viewersOfRecords(
  connection: Connection,
  staff: StaffCaller,
  records: readonly string[],
  now: Date,
) {
  const found = await pipelinedRows<{ record: string; id: string; name: string }>(
    connection,
    sql`select v.item as record, s.id, s.name from viewing v join staff s on s.id = v.staff_id
        where v.item = any (${[...records]}::uuid[]) and v.staff_id <> ${staff.staffId}
          and v.seen_at > ${new Date(now.getTime() - viewingForMs)} order by v.seen_at`,
  )
  const viewers = new Map<string, { id: string; name: string }[]>()
  for (const { record, id, name } of found) viewers.set(record, [...(viewers.get(record) ?? []), { id, name }])
  return viewers
}

const keptFilter = z.nullish(inboxFilter)

/**
 * Returns the filter with which an inbox opens: this person's last one, else the items that these roles can decide.
 * Kinds that the roles may no longer read are dropped.
 */
export function initialFilter(kept: unknown, roles: readonly StaffRole[]): InboxFilter {
  const filter = keptFilter.safeParse(kept).data ?? { mine: can('assign', roles), kind: null, assigned: null }
  const isReadable = filter.kind !== null && readableKinds(roles).includes(filter.kind)
  return isReadable ? filter : { ...filter, kind: null }
}

/** Returns an item as the contract shows it. */
export function inboxItemResponse(
  item: ItemRow,
  client: ClientBrief | null,
  viewers: ReadonlyMap<string, { id: string; name: string }[]>,
  today: Today,
): InboxItem {
  const { id, kind, record, state, summary, dueAt, createdAt, mine } = item
  return {
    id,
    kind,
    record,
    state,
    client,
    summary: plainFacts(summary),
    group: groupOf(item, today),
    dueAt,
    createdAt,
    snoozedUntil: item.snoozedUntil,
    assignee: assigneeOf(item, today),
    viewers: viewers.get(record) ?? [],
    mine,
  }
}

function assigneeOf({ assigneeId, assigneeName, absence, dueAt }: ItemRow, today: Today): InboxItem['assignee'] {
  if (assigneeId === null || assigneeName === null) return null
  const due = isoDay(dayIn(dueAt, today.timeZone))
  const isDueBefore = absence !== null && isDueBeforeReturn(absence, { due, today: today.day })
  return { id: assigneeId, name: assigneeName, absence: absence && { ...absence, isDueBefore } }
}

/** Returns only facts that are text, numbers or booleans; a list becomes text. */
function plainFacts(summary: Readonly<Record<string, unknown>>): InboxItem['summary'] {
  return Object.fromEntries(
    Object.entries(summary).map(([name, value]) => {
      if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        return [name, value]
      return [name, Array.isArray(value) ? value.join(', ') : JSON.stringify(value)]
    }),
  )
}
