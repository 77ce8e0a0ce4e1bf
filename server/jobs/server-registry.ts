/**
 * Registry of running servers. Each holds an advisory lock under its number on its own connection; leases and locks of
 * a server without one are released immediately, instead of after the queue's four hours (requirements 18.12).
 */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { openLastingConnection, reconnectMs, type AliveTimes } from '../db/lasting-connection.ts'
import { row, run, sql, type Sql, requireRow } from '../db/sql.ts'

export const lockSpace = 7420

export interface ServerRegistration {
  readonly server: number
  leave(): Promise<void>
}

/**
 * Takes a number and holds its lock until `leave`, or until the connection ends with the process. A connection that is
 * lost while the process lives, because the database restarted or the network failed, is reopened and takes the lock of
 * the same number as soon as the database has released the old one.
 */
export async function registerServer(
  url: string,
  onError: (error: Error) => void,
  alive?: AliveTimes,
): Promise<ServerRegistration> {
  let server: number | null = null
  const kept = await openLastingConnection({
    url,
    name: 'presence',
    alive,
    async begin(connection) {
      server ??= await newServerNumber(connection)
      while (!(await tryLock(connection, server))) await wait(reconnectMs)
    },
    onError,
  })
  if (server === null) throw new Error('the server has no number')
  return { server, leave: () => kept.stop() }
}

async function newServerNumber(connection: pg.Client): Promise<number> {
  const given = await requireRow<{ server: number }>(connection)`select nextval('server_numbers')::int as server`
  return given.server
}

/** Tries the advisory lock without waiting in the database, which would keep waiting for a caller that has given up. */
async function tryLock(connection: pg.Client, number: number): Promise<boolean> {
  const found = await row<{ held: boolean }>(connection)`
    select pg_try_advisory_lock(${lockSpace}::int, ${number}::int) as held`
  return found?.held ?? false
}

/** Locks of other databases of the same cluster are listed too: their servers have their own numbers. */
const here = sql`(select oid from pg_database where datname = current_database())`

/** Releases the leases and queue locks of servers that have ended. */
export async function releaseStaleLocks(pool: pg.Pool, now: Date): Promise<void> {
  await run(pool)`update operations set lease_until = ${now}, next_try_at = least(next_try_at, ${now}::timestamptz)
      where lease_until > ${now} and not exists (select from pg_locks l where l.locktype = 'advisory' and l.database = ${here}
        and l.classid = ${lockSpace}::int and l.objid = lease_server and l.granted)`
  await unlock(
    pool,
    sql`not exists (select from pg_locks l where l.locktype = 'advisory' and l.database = ${here}
      and l.classid = ${lockSpace}::int and l.objid = server and l.granted)`,
  )
}

/** Releases the queue locks of a living server's earlier workers, before new ones start. */
export function releaseWorkerLocks(pool: pg.Pool, server: number): Promise<void> {
  return unlock(pool, sql`server = ${server}`)
}

async function unlock(pool: pg.Pool, condition: Sql): Promise<void> {
  await run(pool)`with gone as (delete from server_workers where ${condition} returning worker_id)
    select graphile_worker.force_unlock_workers(array_agg(worker_id)) from gone having count(*) > 0`
}
