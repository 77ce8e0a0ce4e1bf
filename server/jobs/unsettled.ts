/**
 * Operations that never settle without help: the effects of their response cannot be written, their kind is unknown, or
 * their outcome stays unknown. Each becomes a work item with its cause; attempts continue.
 */
import type { Pool } from 'pg'
import { row, rows, sql, transaction } from '../db/sql.ts'
import { closeWorkItem } from '../db/work-items.ts'
import type { Dependencies } from '../dependencies.ts'
import { releaseLease } from './drive-claimed.ts'
import { openOperationItem, type Claimed, type Operation } from './operation.ts'
import type { ScheduledTask } from './workers.ts'

/** An error caused by a busy database or a deployment is over by the third attempt. */
const failuresMax = 3
/** A newer server that knows a kind, or a platform that was unavailable, is available again by then. */
const unsettledAfterMs = 30 * 60_000
const reportEveryMs = 60_000
const reportedAtOnce = 100
/** Less than the five minutes beyond which a time counts as written before the clock was set back. */
const backOffMaxMs = 4 * 60_000
const backOffMs = 10_000

/** States of the item, which end with the operation. */
const unsettledStates = ['not-settled', 'kind-unknown', 'unknown-long'] as const
type UnsettledState = (typeof unsettledStates)[number]

/**
 * Records that there was a response and processing it failed. The outcome counts as unknown and is queried again, with
 * growing delays. One that would be sent again each time is left to a person after the third failure.
 */
export async function recordProcessingFailure(
  pool: Pool,
  claimed: Claimed,
  error: unknown,
  { isRepeatable, now }: { isRepeatable: boolean; now: Date },
): Promise<void> {
  const found = await row<{ failures: number }>(pool)`
    select settle_failures + 1 as failures from operations where id = ${claimed.operation.id} and lease = ${claimed.lease}`
  if (!found) return
  const { failures } = found
  const waitMs = Math.min(backOffMaxMs, backOffMs * 2 ** Math.min(failures - 1, 6))
  const message = error instanceof Error ? error.message : String(error)
  await releaseLease(
    pool,
    claimed,
    sql`state = 'unknown', settle_failures = ${failures}, last_error = ${message.slice(0, 500)},
      parked_at = ${isRepeatable && failures >= failuresMax ? now : null},
      next_try_at = ${new Date(now.getTime() + waitMs)}`,
  )
}

type Unsettled = Pick<Operation, 'id' | 'kind' | 'ref' | 'subject' | 'clientId' | 'tries'> & {
  readonly state: UnsettledState
}

/**
 * Opens an item for each operation that does not settle, and closes those of operations that did. Returns how many it
 * opened.
 */
export async function reportUnsettled(pool: Pool, known: readonly string[], now: Date): Promise<number> {
  const before = new Date(now.getTime() - unsettledAfterMs)
  const found = await rows<Unsettled>(pool)`select id, kind, ref, subject, client_id as "clientId", tries, case
          when settle_failures >= ${failuresMax} then 'not-settled'
          when not (kind = any (${[...known]}::text[])) then 'kind-unknown' else 'unknown-long' end as state
      from operations o where o.state in ('waiting', 'sending', 'unknown')
        and (settle_failures >= ${failuresMax}
          or (not (kind = any (${[...known]}::text[])) and created_at < ${before})
          or (o.state = 'unknown' and coalesce(sent_at, created_at) < ${before}))
        and not exists (select from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null)
      order by created_at limit ${reportedAtOnce}`
  for (const one of found) await transaction(pool, (tx) => openOperationItem(tx, one, one.state, now))
  await closeSettled(pool, now)
  return found.length
}

async function closeSettled(pool: Pool, now: Date): Promise<void> {
  const over = await rows<{ record: string }>(pool)`
    select w.record from work_items w join operations o on o.id = w.record
      where w.kind = 'operation' and w.closed_at is null and w.state = any (${[...unsettledStates]}::text[])
        and o.settled_at is not null limit ${reportedAtOnce}`
  const closing = { identity: { kind: 'clock' }, now } as const
  for (const { record } of over) await transaction(pool, (tx) => closeWorkItem(tx, 'operation', record, closing))
}

/** Runs every minute. */
export function unsettledTask(dependencies: Pick<Dependencies, 'jobs'>, known: readonly string[]): ScheduledTask {
  return {
    name: 'unsettled',
    everyMs: reportEveryMs,
    run: async (now) => void (await reportUnsettled(dependencies.jobs, known, now)),
  }
}
