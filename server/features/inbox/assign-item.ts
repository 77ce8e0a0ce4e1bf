/** Assigns an item to a person who may decide it, unassigns it, and shows who is viewing it. */
import {
  type assignItem as assignEndpoint,
  type listAssignees as assigneesEndpoint,
  type viewItem as viewEndpoint,
} from '#contract/office/inbox.ts'
import { unassigned } from '#contract/office/inbox-filter.ts'
import type { Absence } from '#contract/office/briefs.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { recordEvent } from '../../db/events.ts'
import { row, rows, run, transaction, type Transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { itemById, lockItem, todayOf, viewersOfRecords } from './queries.ts'
import { absenceOn, firmDay, isAwayOn } from '../../office/absences.ts'
import { decidableKinds, deciderOf } from '../../office/work-item-access.ts'

interface Assignee {
  readonly id: string
  readonly name: string
  readonly roles: StaffRole[]
  readonly absence: Absence | null
  readonly open: number
  readonly late: number
}

/** Returns colleagues who may decide items of a kind: the caller first, those who are away last. */
export const listAssignees: Handler<typeof assigneesEndpoint> = async (dependencies, context) => {
  const { kind } = context.query
  const { staffId } = requireStaff(context)
  const today = await firmDay(dependencies, context.now)
  const people = await rows<Assignee>(dependencies.pool)`
    select s.id, s.name, s.roles, ${absenceOn(today)}, count(w.id)::int as open,
        count(w.id) filter (where w.due_at < ${context.now})::int as late
      from staff s left join work_items w on w.assignee = s.id and w.closed_at is null
      where s.state = 'active' group by s.id
      order by s.id <> ${staffId}, ${isAwayOn(today)} is true, lower(s.name), s.id`
  const mayDecide = people.filter(({ roles }) => decidableKinds(roles).includes(kind))
  return { people: mayDecide.map(({ roles: _roles, ...person }) => person) }
}

/**
 * Assigns an item. An item assigned to a colleague can be taken over, or passed on to another one, who is notified
 * unless `seen`; the event records it.
 */
export const assignItem: Handler<typeof assignEndpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const { to, seen } = context.body
  return transaction(dependencies.pool, async (tx) => {
    const found = await lockItem(tx, staff, context.params.id)
    const person = await assigneeFor(tx, to === 'me' ? staff.staffId : to, found.kind)
    const before = await row<{ id: string; name: string; seen: boolean }>(tx)`
      select s.id, s.name, not w.assigned_unseen as seen from work_items w join staff s on s.id = w.assignee
        where w.id = ${found.id}`
    const isForAnother = person !== null && person.id !== staff.staffId
    await run(tx)`update work_items set assignee = ${person?.id ?? null},
        assigned_unseen = ${isForAnother && !seen} and (assigned_unseen or assignee is distinct from ${person?.id ?? null}::uuid)
      where id = ${found.id}`
    const event = { kind: found.kind, record: found.record, clientId: found.clientId }
    if (person === null) await recordEvent(tx, context.auditContext, { ...event, action: 'layBack' })
    else if (!isForAnother) await recordEvent(tx, context.auditContext, { ...event, action: 'take' })
    else await recordEvent(tx, context.auditContext, { ...event, action: 'assign', details: { assignee: person.name } })
    await notifyChange(tx, found.kind, found.record)
    return { assignee: person, before }
  })
}

/** Returns an active person who may decide items of a kind; null if the item is being unassigned. */
async function assigneeFor(tx: Transaction, to: string, kind: WorkItemKind) {
  if (to === unassigned) return null
  const person = await row<{ id: string; name: string; roles: StaffRole[] }>(tx)`
    select id, name, roles from staff where id = ${to}::uuid and state = 'active' for share`
  if (!person || !decidableKinds(person.roles).includes(kind)) throw new Problem('assignee-role', { field: 'to' })
  return { id: person.id, name: person.name }
}

/**
 * Records that this person starts or stops viewing. Stored by record, so that list and page agree; not logged
 * (requirements 18.21).
 */
export const viewItem: Handler<typeof viewEndpoint> = async (dependencies, context) => {
  const staff = await deciderOf(dependencies, context)
  const item = await itemById(dependencies.pool, staff, context.params.id, await todayOf(dependencies, context.now))
  // A decision closes the item before its page is closed, so leaving a closed item is not an error.
  if (!item && !context.body.here) return { viewers: [] }
  if (!item) throw new Problem('not-found')
  const isNew = await transaction(dependencies.pool, async (tx) => {
    if (!context.body.here) {
      const deleted = await run(tx)`delete from viewing where item = ${item.record} and staff_id = ${staff.staffId}`
      if (deleted > 0) await notifyChange(tx, item.kind, item.record)
      return false
    }
    const written = await row<{ first: boolean }>(tx)`
      insert into viewing (item, staff_id, seen_at) values (${item.record}, ${staff.staffId}, ${context.now})
        on conflict (item, staff_id) do update set seen_at = excluded.seen_at returning xmax = 0 as first`
    const seen = await run(tx)`update comment_mentions set seen_at = ${context.now}
        where item = ${item.id} and staff_id = ${staff.staffId} and seen_at is null`
    const accepted = await run(tx)`update work_items set assigned_unseen = false
        where id = ${item.id} and assignee = ${staff.staffId} and assigned_unseen`
    if (written?.first || seen > 0 || accepted > 0) await notifyChange(tx, item.kind, item.record)
    return written?.first ?? false
  })
  if (isNew)
    await run(dependencies.pool)`delete from viewing where seen_at < ${new Date(context.now.getTime() - 3_600_000)}`
  const viewers = await viewersOfRecords(dependencies.pool, staff, [item.record], context.now)
  return { viewers: viewers.get(item.record) ?? [] }
}
