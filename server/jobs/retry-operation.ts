/**
 * Retries a stuck operation on behalf of a person. One that may have been applied is sent again only once the
 * integration did not know it twice, a minute apart (integrations, unknown outcome rule); a rejected one gets a new
 * reference.
 */
import { generationMax } from '#rules/references.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { empty, row, run, sql, type Transaction } from '../db/sql.ts'
import { closeWorkItem } from '../db/work-items.ts'
import { Problem } from '../http/problem.ts'
import { operationRef, uuidOrNull } from '../db/ids.ts'
import type { Keys } from '../crypto/keys.ts'
import { platformComment } from '../ledger/references.ts'
import type { BalancePayload } from './balance.ts'
import { assertMoneyNotStopped } from '../recovery/stopped-money.ts'
import { operationColumns, type Operation } from './operation.ts'
import { enqueue, wakeWorker, type NewOperation } from './operations.ts'

type StalledOperation = Operation & { readonly parkedAt: Date | null; readonly inInbox: boolean }

const absentApartMs = 60_000

/** Returns why an operation cannot be sent again now, or null. */
export function checkRetry(
  {
    state,
    asked,
    askedFirstAt,
    parkedAt,
    inInbox,
  }: Pick<StalledOperation, 'state' | 'asked' | 'askedFirstAt' | 'parkedAt' | 'inInbox'>,
  now: Date,
) {
  if (state === 'done') return 'job-gone'
  if (state === 'refused') return inInbox ? null : 'job-gone'
  // One that does not settle is queried now; nothing is sent that may have been sent.
  if (parkedAt === null && inInbox) return null
  if (parkedAt === null) return asked > 0 ? 'resend-too-early' : 'operation-open'
  // Nothing is queried about a repeatable one: it is left to a person because its result could not be processed.
  if (state !== 'unknown' || asked === 0) return null
  const apart = askedFirstAt !== null && now.getTime() - askedFirstAt.getTime() >= absentApartMs
  return asked >= 2 && apart ? null : 'resend-too-early'
}

/**
 * Makes it due again, closes its inbox item and records who did it. Throws `not-found`, `job-gone`, `operation-open`,
 * `resend-too-early`.
 */
export async function retryOperation(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  { id, ...more }: { readonly id: string; readonly reason?: string },
  auditContext: AuditContext,
): Promise<void> {
  const { now } = auditContext
  // Locked first, read after: a read of the inbox that started before the lock would miss an item that a concurrent
  // call closed.
  await run(tx)`select 1 from operations where id = ${uuidOrNull(id)}::uuid for update`
  const found = await row<StalledOperation>(tx)`
    select ${operationColumns}, o.parked_at as "parkedAt", exists (select from work_items w
        where w.kind = 'operation' and w.record = o.id and w.closed_at is null) as "inInbox"
      from operations o where o.id = ${uuidOrNull(id)}::uuid`
  if (!found) throw new Problem('not-found')
  if (found.kind !== 'mail') await assertMoneyNotStopped(tx, ['accounts'], { kind: 'clock' })
  const code = checkRetry(found, now)
  if (code !== null) throw new Problem(code)
  const { kind, ref, clientId } = found
  if (found.state === 'refused') await resend(tx, keys, found, now)
  else {
    const afresh = sql`state = 'waiting', ask_first = false, parked_at = null, tries = 0, asked = 0, asked_first_at = null,
      lease = null, lease_until = null,`
    await run(tx)`
      update operations set ${found.parkedAt === null ? empty : afresh} settle_failures = 0, next_try_at = ${now}
        where id = ${found.id}`
    await wakeWorker(tx, found.id)
  }
  await closeWorkItem(tx, 'operation', found.id, auditContext)
  await recordEvent(tx, auditContext, {
    kind: 'operation',
    action: 'retry',
    record: found.id,
    details: { kind, ref },
    clientId,
    ...more,
  })
}

/**
 * Sends a rejected operation again under a new reference, one generation later. A rejection is final for its
 * reference.
 */
async function resend(tx: Transaction, keys: Pick<Keys, 'reference'>, refused: StalledOperation, now: Date) {
  const { kind, target, payload, subject, record, clientId, shown } = refused
  const generation = refused.generation + 1
  if (shown !== null && generation > generationMax) throw new Problem('job-gone')
  // Only the refund of a card payment is derived without being a balance operation.
  const { leg = 'checkout-refund' } = payload as Partial<BalancePayload>
  await enqueue(tx, now, {
    kind,
    ref: shown === null ? operationRef(now) : platformComment({ key: keys.reference.bytes, shown, leg, generation }),
    target,
    payload: payload as NewOperation['payload'],
    ...(subject === null ? {} : { subject }),
    ...(record === null ? {} : { record }),
    clientId,
    ...(shown === null ? {} : { shown, generation }),
  })
}

/** Wakes a failed job of the queue. Returns false if it no longer exists or is running. */
export async function retryQueueJob(tx: Transaction, id: string): Promise<boolean> {
  const woken = await run(tx)`
    select graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0, max_attempts => 5)`
  return woken > 0
}
