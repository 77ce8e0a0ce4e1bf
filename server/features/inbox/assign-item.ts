/** Assigns an item to the caller, or unassigns it, and tells who is looking at it. */
import type { assignItem as assignEndpoint, viewItem as viewEndpoint } from '#contract/office/inbox.ts'
import type { ClientId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { row, run } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { notifyChange } from '../../db/work-items.ts'
import type { Handler } from '../../http/register-endpoint.ts'
import { requireStaff } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { itemById, viewersOfRecords } from './queries.ts'
import { readableKinds } from '../../office/work-item-access.ts'

/** An item that a colleague holds may be taken over: the event says so. */
export const assignItem: Handler<typeof assignEndpoint> = async (dependencies, context) => {
  const { staffId, name, roles } = requireStaff(context)
  const mine = context.body.to === 'me'
  return transaction(dependencies.pool, async (tx) => {
    const found = await row<{
      kind: string
      record: string
      clientId: ClientId | null
      state: string
      closed: boolean
      assignee: string | null
    }>(tx)`
      select kind, record, client_id as "clientId", state, closed_at is not null as closed, assignee from work_items
        where id = ${uuidOrNull(context.params.id)}::uuid and kind = any (${readableKinds(roles)}::text[]) for update`
    if (!found) throw new Problem('not-found')
    if (found.closed) throw new Problem('decided-meanwhile', { values: { state: found.state } })
    const assignee = mine ? staffId : null
    await run(tx)`update work_items set assignee = ${assignee} where id = ${uuidOrNull(context.params.id)}::uuid`
    await recordEvent(tx, context.auditContext, {
      kind: found.kind,
      action: mine ? 'take' : 'layBack',
      record: found.record,
      ...(found.clientId === null ? {} : { clientId: found.clientId }),
    })
    await notifyChange(tx, found.kind, found.record)
    return { assignee: mine ? { id: staffId, name } : null }
  })
}

/** Notes that this person is here or gone. Kept by record, so that list and page agree; not logged (requirements 18.21). */
export const viewItem: Handler<typeof viewEndpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const item = await itemById(dependencies.pool, staff, context.params.id)
  // Anyone who decides closes the item and then leaves it: to be gone from what is gone is no failure.
  if (!item && !context.body.here) return { viewers: [] }
  if (!item) throw new Problem('not-found')
  const isNew = await transaction(dependencies.pool, async (tx) => {
    if (!context.body.here) {
      const gone = await run(tx)`delete from viewing where item = ${item.record} and staff_id = ${staff.staffId}`
      if (gone > 0) await notifyChange(tx, item.kind, item.record)
      return false
    }
    const written = await row<{ first: boolean }>(tx)`
      insert into viewing (item, staff_id, seen_at) values (${item.record}, ${staff.staffId}, ${context.now})
        on conflict (item, staff_id) do update set seen_at = excluded.seen_at returning xmax = 0 as first`
    if (written?.first) await notifyChange(tx, item.kind, item.record)
    return written?.first ?? false
  })
  if (isNew)
    await run(dependencies.pool)`delete from viewing where seen_at < ${new Date(context.now.getTime() - 3_600_000)}`
  const viewers = await viewersOfRecords(dependencies.pool, staff, [item.record], context.now)
  return { viewers: viewers.get(item.record) ?? [] }
}
