/**
 * Operations at an integration: each is a row, committed before the call; its response, with all effects, is written in
 * one transaction after the call. A missing response means unknown, not failed, and is queried, never repeated blindly
 * (requirements 18.13, 18.14).
 */
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { ClientId } from '#rules/ids.ts'
import { row, rows, run, sql, type Sql, transaction, type Transaction, requireRow } from '../db/sql.ts'
import { isConnectionError } from '../db/connection-errors.ts'
import { circuitBreakers, breakerForCall, type CircuitBreakers } from './circuit-breaker.ts'
import { alwaysOpenGate, type SendingGate } from '../recovery/sending-gate.ts'
import { recoveryOf } from '../recovery/stopped-money.ts'
import { fetchStatusOfClaimed, sendClaimed } from './drive-claimed.ts'
import { recordProcessingFailure } from './unsettled.ts'
import {
  operationColumns,
  outageDelayMsMax,
  type Claimed,
  type Driver,
  type Operation,
  type OperationKind,
} from './operation.ts'

export type { Driver, Operation, OperationKind, Outcome } from './operation.ts'

type OperationRow = Operation & { readonly askFirst: boolean; readonly sendsWhenAbsent: boolean }

export interface NewOperation {
  readonly kind: string
  readonly ref: string
  /**
   * Its target, such as `MT5:50124471` or `mail`: one balance operation, and one change of group or leverage, at a time
   * is sent to one target.
   */
  readonly target: string
  /** Without bigint and without secrets. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly subject?: string | null | undefined
  readonly record?: string | null | undefined
  readonly clientId?: ClientId | null | undefined
  readonly shown?: string | null
  readonly generation?: number
}

/** Writes an operation in the caller's transaction and wakes a worker at its commit. */
export async function enqueue(tx: Transaction, now: Date, operation: NewOperation): Promise<string> {
  const written = await requireRow<{ id: string }>(tx)`
    insert into operations (kind, ref, target, payload, next_try_at, subject, record, client_id, shown, generation,
        created_at)
      values (${operation.kind}, ${operation.ref}, ${operation.target},
        ${JSON.stringify(operation.payload)}::text::jsonb, ${now}, ${operation.subject ?? null},
        ${operation.record ?? null}, ${operation.clientId ?? null}, ${operation.shown ?? null},
        ${operation.generation ?? 0}, ${now})
      returning id`
  await wakeWorker(tx, written.id)
  return written.id
}

/**
 * Wakes a worker for an operation when the caller's transaction commits. The sweep finds those that no worker received.
 * The queue's own attempts are for jobs that fail through our own error; the operation has its own (operation.ts).
 */
export async function wakeWorker(tx: Transaction, id: string): Promise<void> {
  await run(tx)`select graphile_worker.add_job('operation', ${JSON.stringify({ id })}::text::json, max_attempts => 5)`
}

const defaultLeaseMs = 45_000
/**
 * A call that must not be sent twice leaves within this time after its claim began: with the 10 s of its response it ends
 * before the lease (requirements 24.294).
 */
const sendWithinMs = 30_000
/**
 * No lease is longer, and no delay but those of kinds that are kept in an outage: a time further in the future was
 * written before the clock was set back (requirements 33.10).
 */
const aheadMsMax = 5 * 60_000
/** The longest delay of a kind that is kept in an outage, with its jitter. */
const keptAheadMsMax = 1.25 * outageDelayMsMax
const sweptAtOnce = 50
const busyTargetMs = 1_000
/** After this time a held operation is checked again. */
const heldMs = 10_000
const uniqueViolation = '23505'

/** Returns a driver for the kinds that the features registered. */
export function operationDriver(
  pool: Pool,
  kinds: readonly OperationKind[],
  server: number,
  now: () => Date,
  gate: SendingGate = alwaysOpenGate,
): Driver {
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind]))
  const due: DueKinds = {
    known: [...byKind.keys()],
    kept: kinds.flatMap(({ kind, keptInOutage }) => (keptInOutage ? [kind] : [])),
  }
  const doubts = circuitBreakers()
  const swept = new Set<string>()
  const isRepeatable = (kind: string) => byKind.get(kind)?.repeatable ?? false
  const held: Claiming['held'] = async (tx, operation) =>
    (await byKind.get(operation.kind)?.held?.(tx, operation, now())) ?? null
  const leaseMs = (kind: string) => byKind.get(kind)?.leaseMs ?? defaultLeaseMs
  const runsInRecovery = (kind: string) => byKind.get(kind)?.runsInRecovery ?? false
  const isOpenFor = async (id: string): Promise<boolean> => {
    if (gate.isOpen()) return true
    const found = await row<Pick<Operation, 'kind' | 'target'>>(pool)`
      select kind, target from operations where id = ${id}`
    if (found === null) return false
    if (runsInRecovery(found.kind) || (await gate.maySend(found.target))) return true
    // Otherwise it would seem to wait for a platform that responds.
    const problem = gate.problemAt(found.target)
    if (problem !== null)
      await run(pool)`
        update operations set last_error = ${problem}
          where id = ${id} and state = 'waiting' and last_error is distinct from ${problem}`
    return false
  }
  const drive = async (id: string): Promise<void> => {
    const epoch = gate.epoch()
    if (!(await isOpenFor(id))) return
    const isSameEpoch = () => gate.epoch() === epoch
    const claimed = await claim(
      pool,
      id,
      { server, doubts, due, leaseMs, isRepeatable, runsInRecovery, isSameEpoch, held },
      now(),
    )
    if (!claimed) return
    const { target } = claimed.operation
    let answered = false
    try {
      const kind = byKind.get(claimed.operation.kind)
      if (!kind) throw new Error(`no handler sends operations of kind ${claimed.operation.kind}`)
      answered = await (claimed.ask
        ? fetchStatusOfClaimed(pool, kind, claimed, now)
        : sendClaimed(pool, kind, claimed, now))
    } catch (error) {
      // A missing response is recorded, not thrown: this error is our own.
      answered = true
      if (!isConnectionError(error))
        await recordProcessingFailure(pool, claimed, error, {
          isRepeatable: isRepeatable(claimed.operation.kind),
          now: now(),
        })
      throw error
    } finally {
      doubts.left(target, answered)
    }
  }
  const driveAll = async (integration: string, ids: readonly string[], isStopping: () => boolean): Promise<void> => {
    swept.add(integration)
    const failures: unknown[] = []
    try {
      for (const id of ids) {
        await drive(id).catch((error: unknown) => {
          if (isConnectionError(error)) throw error
          failures.push(new Error(`operation ${id} failed`, { cause: error }))
        })
        if (doubts.isInDoubt(integration) || isStopping()) break
      }
    } finally {
      swept.delete(integration)
    }
    // The others have been processed; the sweep's caller reports these.
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} operations failed`)
  }
  return {
    drive,
    async sweep(isStopping = () => false) {
      const recovery = await recoveryOf(pool)
      const mayRun =
        recovery === null || recovery.accountsOpenAt !== null
          ? sql`true`
          : sql`(kind = any (${due.known.filter(runsInRecovery)}::text[]) and created_at > ${recovery.openedAt} or ${isOfRecovery})`
      const found = await rows<{ integration: string; ids: string[] }>(pool)`
        select integration, array_agg(id::text order by next_try_at) as ids from (
            select id, next_try_at, split_part(target, ':', 1) as integration,
              row_number() over (partition by split_part(target, ':', 1) order by next_try_at) as place
            from operations where ${isDue(due, now())} and ${mayRun}) as due
          where place <= ${sweptAtOnce} group by integration`
      const turns = found.filter(({ integration }) => !swept.has(integration))
      await Promise.all(turns.map(({ integration, ids }) => driveAll(integration, ids, isStopping)))
      return turns.reduce((sum, { ids }) => sum + ids.length, 0)
    },
  }
}

/** The kinds that this server knows, and those of them that are kept in an outage. */
interface DueKinds {
  readonly known: readonly string[]
  readonly kept: readonly string[]
}

/**
 * Returns the condition of operations that are due. A kind that this server does not know is left to the newer version
 * that wrote it (requirements 33.4).
 */
function isDue({ known, kept }: DueKinds, now: Date): Sql {
  const ahead = new Date(now.getTime() + aheadMsMax)
  const keptAhead = new Date(now.getTime() + keptAheadMsMax)
  return sql`state in ('waiting', 'sending', 'unknown') and parked_at is null and kind = any (${[...known]}::text[])
    and (next_try_at <= ${now}
      or next_try_at > ${ahead} and (kind <> all (${[...kept]}::text[]) or next_try_at > ${keptAhead}))
    and (lease_until is null or lease_until <= ${now} or lease_until > ${ahead})`
}

interface Claiming {
  readonly server: number
  readonly doubts: CircuitBreakers
  readonly due: DueKinds
  readonly leaseMs: (kind: string) => number
  readonly isRepeatable: (kind: string) => boolean
  readonly runsInRecovery: (kind: string) => boolean
  /** False if a connection has found another timeline since the check. */
  readonly isSameEpoch: () => boolean
  readonly held: (tx: Transaction, operation: Operation) => Promise<string | null>
}

/**
 * Takes the lease of a due operation. One in `sending` with an expired lease was interrupted: it counts as unknown, or
 * is sent once more if that is harmless. The same applies to one that is waiting in a restored database: the earlier
 * servers may have sent it since.
 */
async function claim(pool: Pool, id: string, claiming: Claiming, now: Date): Promise<Claimed | null> {
  const way = breakerForCall(claiming.doubts)
  const sendBy = performance.now() + sendWithinMs
  let claimed: Omit<Claimed, 'sendBy'> | null = null
  try {
    claimed = await transaction(pool, (tx) => takeLease(tx, id, claiming, way.enter, now))
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error
    // Another operation of this login is in progress: this one waits.
    await run(pool)`
      update operations set next_try_at = ${new Date(now.getTime() + busyTargetMs)} where id = ${id} and state = 'waiting'`
  } finally {
    if (claimed === null) way.turnBack()
  }
  return claimed && { ...claimed, sendBy }
}

async function takeLease(
  tx: Transaction,
  id: string,
  { server, due, leaseMs, isRepeatable, runsInRecovery, isSameEpoch, held }: Claiming,
  enter: (target: string) => boolean,
  now: Date,
): Promise<Omit<Claimed, 'sendBy'> | null> {
  // The lease's commit is a heartbeat: with a synchronous standby, a server isolated with the old primary cannot
  // commit.
  await tx.query('set local synchronous_commit = on')
  const found = await row<OperationRow>(tx)`
    select ${operationColumns}, ask_first as "askFirst", sends_when_absent as "sendsWhenAbsent"
      from operations o where id = ${id} and ${isDue(due, now)} for update skip locked`
  // Unchanged while another call probes an integration with an open circuit breaker: the sweep tries again later.
  if (!found || !isSameEpoch()) return null
  const ask = (found.state !== 'waiting' || found.askFirst) && !isRepeatable(found.kind)
  const reason = ask ? null : await held(tx, found)
  // Read last: what held the operation may have ended with the commit that opened recovery.
  if (await isStoppedByRecovery(tx, found, runsInRecovery)) return null
  if (reason !== null) {
    const again = new Date(now.getTime() + heldMs)
    await run(tx)`update operations set next_try_at = ${again}, last_error = ${reason} where id = ${id}`
    return null
  }
  if (!enter(found.target)) return null
  const lease = randomUUID()
  const until = new Date(now.getTime() + leaseMs(found.kind))
  await run(tx)`
    update operations set state = ${ask ? 'unknown' : 'sending'}, lease = ${lease}, lease_until = ${until}, lease_server = ${server},
      tries = tries + ${ask ? 0 : 1}, sent_at = ${ask ? found.sentAt : now} where id = ${id}`
  return {
    operation: { ...found, tries: found.tries + 1 },
    lease,
    ask,
    leasedAt: now,
    sendsWhenAbsent: found.sendsWhenAbsent,
  }
}

/**
 * Returns whether recovery stops the operation: all to platforms and provider, and mails that were unsent in the
 * restored copy, most of which were sent.
 */
async function isStoppedByRecovery(
  tx: Transaction,
  found: OperationRow,
  runsInRecovery: Claiming['runsInRecovery'],
): Promise<boolean> {
  const recovery = await recoveryOf(tx)
  if (!recovery || recovery.accountsOpenAt !== null) return false
  if (found.subject === recoverySubject) return false
  return !runsInRecovery(found.kind) || found.createdAt <= recovery.openedAt
}

/** While recovery is open, only the decisions of two people about recovered deals are sent to a platform. */
const recoverySubject = 'recovery_item'
const isOfRecovery = sql`subject = ${recoverySubject}`
