/** The inbox: one open row for each record that is pending for staff (requirements 21.1). */
import type { ClientId } from '#rules/ids.ts'
import type { AuditContext } from './events.ts'
import { run, type Transaction } from './sql.ts'

export interface WorkItem {
  readonly state: string
  readonly dueAt: Date
  readonly clientId?: ClientId | null | undefined
  /**
   * Facts for the item's second line: amounts as text, kinds, numbers. The client's name is the only personal value.
   */
  readonly summary: Readonly<Record<string, string | number | boolean | null>>
}

/** Opens the item of a record, or updates the open one. Open back-office pages are notified of the change. */
export async function openWorkItem(
  tx: Transaction,
  kind: string,
  recordId: string,
  now: Date,
  workItem: WorkItem,
): Promise<void> {
  await run(tx)`insert into work_items (kind, record, client_id, state, summary, due_at, created_at)
      values (${kind}, ${recordId}, ${workItem.clientId ?? null}, ${workItem.state}, ${JSON.stringify(workItem.summary)}::text::jsonb,
        ${workItem.dueAt}, ${now})
      on conflict (kind, record) where closed_at is null
      do update set state = excluded.state, summary = excluded.summary, due_at = excluded.due_at,
        assignee = case when work_items.state = excluded.state then work_items.assignee end,
        snoozed_until = case when work_items.state = excluded.state then work_items.snoozed_until end`
  await notifyChange(tx, kind, recordId)
}

/**
 * Closes the item of a record, if one is open, and records which person of staff did: turnaround counts only their
 * items (requirements 24.3).
 */
export async function closeWorkItem(
  tx: Transaction,
  kind: string,
  recordId: string,
  { identity, now }: Pick<AuditContext, 'identity' | 'now'>,
): Promise<void> {
  await run(tx)`
    update work_items set closed_at = ${now}, closed_by = ${identity.kind === 'staff' ? identity.id : null}
      where kind = ${kind} and record = ${recordId} and closed_at is null`
  await notifyChange(tx, kind, recordId)
}

/** Notifies open pages that a record changed; delivered at commit (requirements 21.1). */
export async function notifyChange(tx: Transaction, kind: string, recordId: string): Promise<void> {
  await run(tx)`select pg_notify('changes', ${JSON.stringify({ kind, id: recordId })})`
}
