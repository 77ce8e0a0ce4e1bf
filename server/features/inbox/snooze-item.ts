/**
 * Hides an item from the list until a time, or shows it again; it stays open and can become overdue (requirements
 * 24.7).
 */
import type { snoozeItem as snoozeEndpoint } from '#contract/office/inbox.ts'
import { snoozeDaysMax } from '#rules/constants.ts'
import { recordEvent } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { lockItem, type LockedItem } from './queries.ts'

export const snoozeItem: Handler<typeof snoozeEndpoint> = async (dependencies, context) => {
  const { until, note, back } = context.body
  const latest = new Date(context.now.getTime() + snoozeDaysMax * 86_400_000)
  return transaction(dependencies.pool, async (tx) => {
    const item = await lockItem(tx, requireStaff(context), context.params.id)
    if (until !== null && (until <= context.now || until > latest)) throw new Problem('snooze-time', { field: 'until' })
    if (until !== null && until > item.dueAt && note === '') throw new Problem('snooze-reason', { field: 'note' })
    if (back !== null && back > context.now) throw new Problem('snooze-time', { field: 'back' })
    const before = item.snoozedUntil !== null && item.snoozedUntil > context.now ? item.snoozedUntil : null
    const replaced = {
      before,
      note: before === null ? '' : await lastSnoozeNote(tx, item),
      back: before === null ? item.snoozedUntil : null,
    }
    await run(tx)`update work_items set snoozed_until = ${until ?? back} where id = ${item.id}`
    const event = { kind: item.kind, record: item.record, clientId: item.clientId }
    if (until === null) await recordEvent(tx, context.auditContext, { ...event, action: 'wake' })
    else
      await recordEvent(tx, context.auditContext, {
        ...event,
        action: 'snooze',
        details: { until: until.toISOString(), ...(note === '' ? {} : { note }) },
      })
    await notifyChange(tx, item.kind, item.record)
    return replaced
  })
}

/** Returns the note of the item's last snooze. */
async function lastSnoozeNote(tx: Transaction, { kind, record }: LockedItem): Promise<string> {
  const found = await row<{ note: string | null }>(tx)`
    select d.details ->> 'note' as note from events e left join event_details d on d.event_id = e.id
      where e.kind = ${kind} and e.record = ${record} and e.verb = 'snooze' order by e.id desc limit 1`
  return found?.note ?? ''
}
