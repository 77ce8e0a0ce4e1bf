/**
 * Events of the last ten minutes that this process knows to be committed, only in memory: a database that was promoted
 * without them has lost commits that were already confirmed to callers (requirements 20.6).
 */
import type { Pool } from 'pg'

export interface RecentEvent {
  readonly id: bigint
  readonly at: Date
  readonly verb: string
}

const keptMs = 10 * 60_000
const keptEventsMax = 200_000

const committed = new WeakMap<Pool, Map<bigint, RecentEvent>>()
const written = new WeakMap<object, RecentEvent[]>()

/** Remembers an event written on a connection. It counts once the transaction commits. */
export function rememberWrittenEvent(connection: object, event: RecentEvent): void {
  const before = written.get(connection)
  if (before) before.push(event)
  else written.set(connection, [event])
}

/** Keeps the events of a committed transaction and drops those of one that was rolled back. */
export function recordTransactionEnd(pool: Pool, connection: object, isCommitted: boolean): void {
  const events = written.get(connection)
  if (!events) return
  written.delete(connection)
  if (!isCommitted) return
  const kept = committed.get(pool) ?? new Map<bigint, RecentEvent>()
  committed.set(pool, kept)
  for (const event of events) kept.set(event.id, event)
  const newest = events.at(-1)?.at.getTime() ?? 0
  for (const [id, { at }] of kept) {
    if (kept.size <= keptEventsMax && newest - at.getTime() < keptMs) break
    kept.delete(id)
  }
}

/** Returns the known events of these pools. */
export function recentEvents(pools: readonly Pool[]): RecentEvent[] {
  return pools.flatMap((pool) => [...(committed.get(pool)?.values() ?? [])])
}

/** Drops the events that were read. */
export function forgetRecentEvents(pools: readonly Pool[]): void {
  for (const pool of pools) committed.delete(pool)
}
