/** SQL of the overview's current data, one statement each. */
import { decidingRoles } from '#rules/actors.ts'
import type { Absence } from '#contract/office/briefs.ts'
import type { IntegrationName, Overview } from '#contract/office/overview.ts'
import { failedMax } from '#contract/office/failed-count.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { limitTo, rows, sql, type Connection } from '../../db/sql.ts'
import { healthOf, withState, type HealthRow } from '../../jobs/integration-calls.ts'
import { failedCount } from '../failed-operations/queries.ts'
import { isSnoozed } from '../inbox/queries.ts'
import { isDecision } from '../reports/queries.ts'
import { absenceOn } from '../../office/absences.ts'
import { type Decider, isMine, readableKinds } from '../../office/work-item-access.ts'

type NeededItem = NonNullable<Overview['needsYou']>['items'][number]

interface NeededRow extends Omit<NeededItem, 'client'> {
  clientName: string | null
  total: number
  isSnoozed: boolean
}

/**
 * Returns the items that this person can decide now, those due first first, with their total. Snoozed ones follow, by
 * the end of their snooze, and are not counted.
 */
export function decidableItems(connection: Connection, staff: Decider, most: number, now: Date) {
  const asleep = isSnoozed(now)
  return rows<NeededRow>(connection)`
    select w.id, w.kind, w.record, w.state, w.summary, w.due_at as "dueAt", w.created_at as "createdAt",
        w.snoozed_until as "snoozedUntil",
        (select c.name || ' ' || c.surname from clients c where c.id = w.client_id) as "clientName", count(*) filter (where not ${asleep}) over ()::int as total,
        ${asleep} as "isSnoozed"
      from work_items w
      where w.closed_at is null and w.kind = any (${readableKinds(staff.roles)}::text[]) and (${isMine(staff)})
      order by ${asleep}, case when ${asleep} then w.snoozed_until else w.due_at end, w.id ${limitTo(most)}`
}

interface QueueRow {
  kind: WorkItemKind
  open: number
  /** How many of the open items are snoozed. */
  snoozed: number
  overdue: number
  oldest: Date
  oldestRecord: string
  oldestDue: Date
  nextDue: Date | null
}

/**
 * Returns the open items of each kind: snoozing changes neither count nor due time (ADR 232). The next due item is one
 * that the inbox lists.
 */
export function openQueues(connection: Connection, kinds: readonly WorkItemKind[], now: Date) {
  const asleep = isSnoozed(now)
  return rows<QueueRow>(connection)`
    select kind, count(*)::int as open, count(*) filter (where ${asleep})::int as snoozed, count(*) filter (where due_at < ${now})::int as overdue, min(created_at) as oldest,
        (array_agg(record order by created_at, id))[1] as "oldestRecord", (array_agg(due_at order by created_at, id))[1] as "oldestDue",
        min(due_at) filter (where due_at >= ${now} and not ${asleep}) as "nextDue"
      from work_items w where closed_at is null and kind = any (${[...kinds]}::text[]) group by kind`
}

interface TeamRow {
  id: string | null
  name: string | null
  absence: Absence | null
  open: number
  overdue: number
  decided: number | null
}

/**
 * Returns the assigned items per person, of the kinds that may be read, and how many each has decided today; unassigned
 * items last.
 */
export function teamToday(
  connection: Connection,
  kinds: readonly WorkItemKind[],
  { now, today, day }: { now: Date; today: Date; day: string },
) {
  return pipelinedRows<TeamRow>(
    connection,
    sql`with held as (select assignee, count(*)::int as open, count(*) filter (where due_at < ${now})::int as overdue
          from work_items where closed_at is null and kind = any (${[...kinds]}::text[]) group by assignee)
        select s.id, s.name, ${absenceOn(day)}, coalesce(h.open, 0) as open, coalesce(h.overdue, 0) as overdue,
          (select count(*)::int from events e where e.actor_id = s.id and e.at >= ${today}
            and ${isDecision(kinds)}) as decided
        from staff s left join held h on h.assignee = s.id
        where s.state = 'active' and s.roles && ${[...decidingRoles]}::text[]
        union all select null, null, null, open, overdue, null from held where assignee is null
        order by 4 desc, 2`,
  )
}

/** Returns the health of each integration, each with the number of failed operations up to the greatest one shown. */
export async function integrationsNow(connection: Connection, names: readonly IntegrationName[], now: Date) {
  const found = await pipelinedRows<HealthRow & { failed: number }>(
    connection,
    sql`select ${failedCount(failedMax + 1)} as failed, h.* from (${healthOf(names, now)}) h`,
  )
  return {
    failedOperations: found[0]?.failed ?? 0,
    health: found.map(({ failed: _failed, ...one }) => withState(one, now)),
  }
}

type ReadingRow = NonNullable<Overview['clientMoney']>[number]

/** Returns the last readings of client money. */
export function moneyReadings(connection: Connection) {
  return pipelinedRows<ReadingRow>(
    connection,
    sql`select currency, owed_minor as owed, held_minor as held, difference_minor as difference,
          open_differences as "openDifferences", statements_to as "statementsTo", since, read_at as "readAt"
        from client_money_readings order by currency`,
  )
}
