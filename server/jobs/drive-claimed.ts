/**
 * Sends or queries an operation under its lease, and stores the result. After a time-out it may have been applied: it
 * is only queried, and sent again by a person (`Unknown` and the other failures are in integrations/errors.ts).
 */
import type { Pool } from 'pg'
import { empty, run, sql, type Connection, type Sql, transaction } from '../db/sql.ts'
import { Deferred, Rejected, Unavailable } from '../integrations/errors.ts'
import { isUnreadableFieldError } from '../ledger/unreadable-accounts.ts'
import { openOperationItem, outageDelayMsMax, type Claimed, type OperationKind, type Outcome } from './operation.ts'

/** A lease whose commit is older is not valid: this server was suspended, or disconnected (requirements 20.19). */
const fenceMs = 5_000

/** Releases a lease with its result. Returns false if another server holds the operation by now: nothing is written. */
export async function releaseLease(
  connection: Connection,
  { operation, lease }: Claimed,
  changes: Sql,
): Promise<boolean> {
  const written = await run(connection)`
    update operations set ${changes}, lease = null, lease_until = null where id = ${operation.id} and lease = ${lease}`
  return written === 1
}

/** Returns whether the integration responded although a call failed: with data that people must correct or decide on. */
function hasAnswered(error: unknown): boolean {
  return error instanceof Deferred || isUnreadableFieldError(error)
}

/** Sends a claimed operation. Returns whether the integration responded. */
export async function sendClaimed(
  pool: Pool,
  kind: OperationKind,
  claimed: Claimed,
  now: () => Date,
): Promise<boolean> {
  if (Math.abs(now().getTime() - claimed.leasedAt.getTime()) >= fenceMs) {
    const { sentAt } = claimed.operation
    await releaseLease(
      pool,
      claimed,
      sql`state = 'waiting', tries = tries - 1, sent_at = ${sentAt}, next_try_at = ${now()}`,
    )
    return false
  }
  let outcome: Outcome
  try {
    outcome = { done: await kind.send(claimed.operation, claimed.sendBy) }
  } catch (error) {
    if (error instanceof Rejected) {
      outcome = { refused: { reason: error.reason, code: error.code, message: error.message } }
    } else if (error instanceof Unavailable || kind.repeatable) {
      await retryLater(pool, kind, claimed, error as Error, now())
      return hasAnswered(error)
    } else {
      // A time-out, or a response that says nothing: it may have been applied.
      await recordUnknownOutcome(pool, claimed, error as Error, now())
      return false
    }
  }
  await settleClaimed(pool, kind, claimed, outcome, now())
  return true
}

const statusPollMs = 10_000
const absentApartMs = 60_000

/**
 * Queries the integration for the outcome of a claimed operation and settles it. Returns false if it did not respond:
 * the outcome stays unknown, and nothing is sent. Holds no row lock during the query.
 */
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
    await recordUnknownOutcome(pool, claimed, error as Error, now())
    return hasAnswered(error)
  }
  if (found !== null && found !== undefined) await settleClaimed(pool, kind, claimed, { done: found }, now())
  else await recordAbsent(pool, claimed, now())
  return true
}

/**
 * Records that the integration does not know the operation. After two such responses a minute apart a person decides,
 * never the program. An operation that no server has sent, as far as the database knows, is sent again after two
 * responses (a failover that lost nothing).
 */
async function recordAbsent(pool: Pool, claimed: Claimed, now: Date): Promise<void> {
  const { operation, sendsWhenAbsent } = claimed
  // A first time in the future was recorded before the clock was set back: the minute starts again.
  const first = operation.askedFirstAt && operation.askedFirstAt <= now ? operation.askedFirstAt : now
  const apartMs = sendsWhenAbsent ? statusPollMs : absentApartMs
  const isSure = operation.asked > 0 && now.getTime() - first.getTime() >= apartMs
  await transaction(pool, async (tx) => {
    const held = await releaseLease(
      tx,
      claimed,
      isSure && sendsWhenAbsent
        ? sql`state = 'waiting', ask_first = false, sends_when_absent = false, asked = 0, asked_first_at = null,
            next_try_at = ${now}`
        : sql`asked = asked + 1, asked_first_at = ${first}, parked_at = ${isSure ? now : null},
            next_try_at = ${new Date(now.getTime() + statusPollMs)},
            last_error = 'The integration does not know this reference.'`,
    )
    if (held && isSure && !sendsWhenAbsent) await openOperationItem(tx, operation, 'absent', now)
  })
}

async function recordUnknownOutcome(pool: Pool, claimed: Claimed, error: Error, now: Date): Promise<void> {
  const waitMs = Math.min(statusPollMs, 1_000 * 2 ** Math.min(claimed.operation.tries, 4))
  await releaseLease(
    pool,
    claimed,
    sql`state = 'unknown', next_try_at = ${new Date(now.getTime() + waitMs)}, last_error = ${error.message.slice(0, 500)}`,
  )
}

const backOffMaxMs = 30_000

/**
 * Schedules another attempt of an operation that was not sent, with a delay that grows to 30 s, or to an hour for a kind
 * that is kept in an outage, and a little jitter.
 */
async function retryLater(pool: Pool, kind: OperationKind, claimed: Claimed, error: Error, now: Date): Promise<void> {
  const { operation } = claimed
  const park = kind.triesMax !== undefined && operation.tries >= kind.triesMax
  const jitter = 0.8 + (Number.parseInt(operation.id.slice(-2), 16) / 255) * 0.4
  const delayMsMax = kind.keptInOutage ? outageDelayMsMax : backOffMaxMs
  const waitMs = Math.min(delayMsMax, 500 * 2 ** Math.min(operation.tries, 20)) * jitter
  // Since its first failure: it is released once (mail-outage.ts).
  const kept = kind.keptInOutage ? sql`kept_at = coalesce(kept_at, ${now}::timestamptz), ` : empty
  // Nothing was sent, so staff can still reject the request (cancel-unsent.ts).
  const wasSent =
    error instanceof Unavailable && !(error instanceof Deferred) ? sql`sent_at = ${operation.sentAt}, ` : empty
  await transaction(pool, async (tx) => {
    const held = await releaseLease(
      tx,
      claimed,
      sql`state = 'waiting', parked_at = ${park ? now : null}, next_try_at = ${new Date(now.getTime() + waitMs)},
        ${kept}${wasSent}last_error = ${error.message.slice(0, 500)}`,
    )
    if (held && park) await openOperationItem(tx, operation, 'not-sent', now)
  })
}

/** Writes the outcome and all its effects in one transaction, if the lease is still ours. */
async function settleClaimed(
  pool: Pool,
  kind: OperationKind,
  claimed: Claimed,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const { operation } = claimed
  const state = 'done' in outcome ? 'done' : 'refused'
  await transaction(pool, async (tx) => {
    const held = await releaseLease(
      tx,
      claimed,
      sql`state = ${state}, settled_at = ${now}, next_try_at = null, result = ${JSON.stringify(outcome)}::text::jsonb,
        last_error = ${'refused' in outcome ? outcome.refused.message.slice(0, 500) : null}`,
    )
    // Another server holds it by now: one that was suspended longer than its lease must not write (requirements 33.31).
    if (!held) return
    await kind.settled(tx, operation, outcome, { identity: { kind: 'external' }, now, reference: operation.ref })
  })
}
