/**
 * A person sends a stuck operation on its way again. What may have been applied is sent again only once the integration was
 * found without it twice, a minute apart (integrations, unknown outcome rule); what was refused gets a new reference.
 */
import { generationMax } from '#rules/references.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, run } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { closeWorkItem } from '../db/work-items.ts'
import { Problem } from '../http/problem.ts'
import { isUuid, operationRef } from '../db/ids.ts'
import type { Keys } from '../crypto/keys.ts'
import { platformComment } from '../ledger/references.ts'
import type { BalancePayload } from './balance.ts'
import { assertMoneyNotStopped } from '../recovery/stopped-money.ts'
import { enqueue, type OperationState } from './operations.ts'
import { addJob } from './queue.ts'

interface StalledOperation {
  id: string
  kind: string
  ref: string
  target: string
  payload: Record<string, unknown>
  state: OperationState
  asked: number
  asked_first_at: Date | null
  parked_at: Date | null
  subject: string | null
  record: string | null
  client_id: ClientId | null
  shown: string | null
  generation: number
  in_inbox: boolean
}

const absentApartMs = 60_000

/** Returns why an operation cannot be sent again now, or null. */
export function checkRetry(
  operation: Pick<StalledOperation, 'state' | 'asked' | 'asked_first_at' | 'parked_at' | 'in_inbox'>,
  now: Date,
) {
  if (operation.state === 'done') return 'job-gone'
  if (operation.state === 'refused') return operation.in_inbox ? null : 'job-gone'
  // One that does not settle is asked about now; nothing is sent that may have been sent.
  if (operation.parked_at === null && operation.in_inbox) return null
  if (operation.parked_at === null) return operation.asked > 0 ? 'resend-too-early' : 'operation-open'
  if (operation.state !== 'unknown') return null
  const apart = operation.asked_first_at !== null && now.getTime() - operation.asked_first_at.getTime() >= absentApartMs
  return operation.asked >= 2 && apart ? null : 'resend-too-early'
}

/** Puts it back in line and closes its inbox item. Throws `not-found`, `job-gone`, `operation-open`, `resend-too-early`. */
export async function retryOperation(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  id: string,
  now: Date,
): Promise<Pick<StalledOperation, 'id' | 'kind' | 'ref' | 'client_id'>> {
  // Locked first, read after: a look at the inbox that began before the lock would not see what the other one closed.
  await run(tx)`select 1 from operations where id = ${isUuid(id) ? id : null}::uuid for update`
  const found = await row<StalledOperation>(tx)`
    select o.id, o.kind, o.ref, o.target, o.payload, o.state, o.asked, o.asked_first_at, o.parked_at, o.subject, o.record,
        o.client_id, o.shown, o.generation, exists (select from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null) as in_inbox
      from operations o where o.id = ${isUuid(id) ? id : null}::uuid`
  if (!found) throw new Problem('not-found')
  if (found.kind !== 'mail') await assertMoneyNotStopped(tx, ['accounts'], { kind: 'clock' })
  const code = checkRetry(found, now)
  if (code !== null) throw new Problem(code)
  if (found.state === 'refused') await resend(tx, keys, found, now)
  else if (found.parked_at === null) {
    await run(tx)`update operations set settle_failures = 0, next_try_at = ${now} where id = ${found.id}`
    await addJob(tx, 'operation', { id: found.id })
  } else {
    await run(tx)`
      update operations set state = 'waiting', ask_first = false, parked_at = null, settle_failures = 0, tries = 0, asked = 0, asked_first_at = null, next_try_at = ${now},
        lease = null, lease_until = null where id = ${found.id}`
    await addJob(tx, 'operation', { id: found.id })
  }
  await closeWorkItem(tx, 'operation', found.id, now)
  return found
}

/** Sends a rejected movement again under a new reference, one generation later. A rejection is final for its reference. */
async function resend(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  refused: StalledOperation,
  now: Date,
): Promise<void> {
  const { kind, target, payload, subject, record, client_id: clientId, shown } = refused
  const generation = refused.generation + 1
  if (shown !== null && generation > generationMax) throw new Problem('job-gone')
  const { leg } = payload as Pick<BalancePayload, 'leg'>
  await enqueue(
    tx,
    {
      kind,
      ref: shown === null ? operationRef(now) : platformComment({ key: keys.reference.bytes, shown, leg, generation }),
      target,
      payload,
      ...(subject === null ? {} : { subject }),
      ...(record === null ? {} : { record }),
      ...(clientId === null ? {} : { clientId }),
      ...(shown === null ? {} : { shown, generation }),
    },
    now,
  )
}

/** Wakes a dead job of the queue. False where it is gone or runs. */
export async function retryQueueJob(tx: Transaction, id: string): Promise<boolean> {
  const woken = await run(tx)`
    select graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0, max_attempts => 5)`
  return woken > 0
}
