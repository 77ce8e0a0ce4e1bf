/** The inbox: one open row for each record that waits for staff (mechanics section 4). */
import { run, sql } from './sql.ts'
import type { Transaction } from './transaction.ts'

export interface Work {
  readonly state: string
  readonly dueAt: Date
  readonly clientId?: string
  /** Facts for the item's second line: amounts as text, kinds, numbers. No personal value beyond the client's name. */
  readonly summary: Readonly<Record<string, string | number | boolean | null>>
}

/** Opens the item of a record, or brings the open one up to date. The change is told to open back-office pages. */
export async function openWork(tx: Transaction, kind: string, recordId: string, work: Work, now: Date): Promise<void> {
  await run(
    tx,
    sql`insert into work_items (kind, record, client_id, state, summary, due_at, created_at)
        values (${kind}, ${recordId}, ${work.clientId ?? null}, ${work.state}, ${JSON.stringify(work.summary)}::text::jsonb,
          ${work.dueAt}, ${now})
        on conflict (kind, record) where closed_at is null
        do update set state = excluded.state, summary = excluded.summary, due_at = excluded.due_at,
          assignee = case when work_items.state = excluded.state then work_items.assignee end`,
  )
  await announce(tx, kind, recordId)
}

/** Closes the item of a record, if one is open. */
export async function closeWork(tx: Transaction, kind: string, recordId: string, now: Date): Promise<void> {
  await run(
    tx,
    sql`update work_items set closed_at = ${now} where kind = ${kind} and record = ${recordId} and closed_at is null`,
  )
  await announce(tx, kind, recordId)
}

/** Tells open pages that a record changed; heard at commit (mechanics section 8). */
export async function announce(tx: Transaction, kind: string, recordId: string): Promise<void> {
  await run(tx, sql`select pg_notify('changes', ${JSON.stringify({ kind, id: recordId })})`)
}
