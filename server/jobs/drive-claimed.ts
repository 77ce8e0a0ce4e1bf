/** Sends or asks about an operation under its lease, and writes what came of it. */
import type { Pool } from 'pg'
import { run, sql } from '../db/sql.ts'
import { transaction, type Transaction } from '../db/transaction.ts'
import { openWorkItem } from '../db/work-items.ts'
import { Rejected, Unavailable } from '../integrations/errors.ts'
import type { Claimed, Operation, OperationKind, Outcome } from './operation.ts'

/** A lease whose commit is older stands for nothing: this server slept, or was cut off (requirements 20.19). */
const fenceMs = 5_000

/** Lays a lease back that was never used. */
async function unclaim(pool: Pool, { operation, lease }: Claimed, now: Date): Promise<void> {
  await run(pool)`
    update operations set state = 'waiting', tries = tries - 1, sent_at = ${operation.sentAt}, lease = null,
      lease_until = null, next_try_at = ${now} where id = ${operation.id} and lease = ${lease}`
}

/** Answers whether the integration said anything. */
export async function sendClaimed(
  pool: Pool,
  kind: OperationKind,
  claimed: Claimed,
  now: () => Date,
): Promise<boolean> {
  if (Math.abs(now().getTime() - claimed.leasedAt.getTime()) >= fenceMs) {
    await unclaim(pool, claimed, now())
    return false
  }
  let outcome: Outcome
  try {
    outcome = { done: await kind.send(claimed.operation) }
  } catch (error) {
    if (error instanceof Rejected) {
      outcome = { refused: { reason: error.reason, code: error.code, message: error.message } }
    } else if (error instanceof Unavailable || kind.repeatable) {
      await retryLater(pool, kind, claimed, error as Error, now())
      return false
    } else {
      await becomeUnknown(pool, claimed, error as Error, now())
      return false
    }
  }
  await settle(pool, kind, claimed, outcome, now())
  return true
}

const statusPollMs = 10_000
const absentApartMs = 60_000

export async function fetchStatusOfClaimed(
  pool: Pool,
  kind: OperationKind,
  claimed: Claimed,
  now: () => Date,
): Promise<boolean> {
  let found: unknown
  try {
    found = kind.find ? await kind.find(claimed.operation) : null
  } catch (error) {
    await becomeUnknown(pool, claimed, error as Error, now())
    return false
  }
  if (found !== null && found !== undefined) await settle(pool, kind, claimed, { done: found }, now())
  else await absent(pool, claimed, now())
  return true
}

/** Not there: noted; after two such answers a minute apart a person decides, the program never does. */
async function absent(pool: Pool, claimed: Claimed, now: Date): Promise<void> {
  const { operation, lease } = claimed
  if (claimed.sendsWhenAbsent) return absentAfterFailover(pool, claimed, now)
  // A first time that lies ahead was noted before the clock was set back: the minute begins again.
  const first = operation.askedFirstAt && operation.askedFirstAt <= now ? operation.askedFirstAt : now
  const park = operation.asked > 0 && now.getTime() - first.getTime() >= absentApartMs
  await transaction(pool, async (tx) => {
    const held = await run(tx)`
      update operations set asked = asked + 1, asked_first_at = ${first}, lease = null, lease_until = null,
          parked_at = ${park ? now : null}, next_try_at = ${new Date(now.getTime() + statusPollMs)},
          last_error = 'The integration does not know this reference.'
        where id = ${operation.id} and lease = ${lease}`
    if (held === 1 && park) await toInbox(tx, operation, 'absent', now)
  })
}

/** Sends an operation again that no server has sent, as far as the database knows, and that is absent in two answers. */
async function absentAfterFailover(pool: Pool, { operation, lease }: Claimed, now: Date): Promise<void> {
  const first = operation.askedFirstAt && operation.askedFirstAt <= now ? operation.askedFirstAt : now
  const isSure = operation.asked > 0 && now.getTime() - first.getTime() >= statusPollMs
  await run(
    pool,
    isSure
      ? sql`update operations set state = 'waiting', ask_first = false, sends_when_absent = false, asked = 0,
              asked_first_at = null, lease = null, lease_until = null, next_try_at = ${now}
            where id = ${operation.id} and lease = ${lease}`
      : sql`update operations set asked = asked + 1, asked_first_at = ${first}, lease = null, lease_until = null,
              next_try_at = ${new Date(now.getTime() + statusPollMs)},
              last_error = 'The integration does not know this reference.'
            where id = ${operation.id} and lease = ${lease}`,
  )
}

async function becomeUnknown(pool: Pool, claimed: Claimed, error: Error, now: Date): Promise<void> {
  await run(pool)`update operations set state = 'unknown', lease = null, lease_until = null,
        next_try_at = ${new Date(now.getTime() + Math.min(statusPollMs, 1_000 * 2 ** Math.min(claimed.operation.tries, 4)))},
        last_error = ${error.message.slice(0, 500)}
      where id = ${claimed.operation.id} and lease = ${claimed.lease}`
}

const backOffMaxMs = 30_000

/** Not sent: again after a while that grows to half a minute, with a little chance in it. */
async function retryLater(pool: Pool, kind: OperationKind, claimed: Claimed, error: Error, now: Date): Promise<void> {
  const { operation, lease } = claimed
  const park = kind.triesMax !== undefined && operation.tries >= kind.triesMax
  const jitter = 0.8 + (Number.parseInt(operation.id.slice(-2), 16) / 255) * 0.4
  const wait = Math.min(backOffMaxMs, 500 * 2 ** Math.min(operation.tries, 7)) * jitter
  await transaction(pool, async (tx) => {
    const held = await run(tx)`
      update operations set state = 'waiting', lease = null, lease_until = null, parked_at = ${park ? now : null},
          next_try_at = ${new Date(now.getTime() + wait)}, last_error = ${error.message.slice(0, 500)}
        where id = ${operation.id} and lease = ${lease}`
    if (held === 1 && park) await toInbox(tx, operation, 'not-sent', now)
  })
}

async function toInbox(tx: Transaction, operation: Operation, state: string, now: Date): Promise<void> {
  await openWorkItem(
    tx,
    'operation',
    operation.id,
    {
      state,
      dueAt: now,
      ...(operation.clientId ? { clientId: operation.clientId } : {}),
      summary: { kind: operation.kind, subject: operation.subject, ref: operation.ref, tries: operation.tries },
    },
    now,
  )
}

/** Writes the outcome and all that follows in one transaction, if the lease is still ours. */
async function settle(pool: Pool, kind: OperationKind, claimed: Claimed, outcome: Outcome, now: Date): Promise<void> {
  const { operation, lease } = claimed
  const state = 'done' in outcome ? 'done' : 'refused'
  await transaction(pool, async (tx) => {
    const held = await run(tx)`
      update operations set state = ${state}, settled_at = ${now}, lease = null, lease_until = null,
          next_try_at = null, result = ${JSON.stringify(outcome)}::text::jsonb,
          last_error = ${'refused' in outcome ? outcome.refused.message.slice(0, 500) : null}
        where id = ${operation.id} and lease = ${lease}`
    // Somebody else holds it by now: a server that slept through its lease must not write (requirements 33.31).
    if (held !== 1) return
    await kind.settled(tx, operation, outcome, { identity: { kind: 'external' }, now, reference: operation.ref })
  })
}
