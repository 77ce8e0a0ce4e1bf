/**
 * Which servers are alive. Each holds an advisory lock under its number on a connection of its own; what a server
 * without one had leased or locked is free again at once, and not after the queue's four hours (requirements 18.12).
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionTo } from '../db/connection-config.ts'
import { row, rows, run, sql } from '../db/sql.ts'
import { aliveEveryMs, answerMs, watchConnection } from '../db/connection-watchdog.ts'
import type { Pool } from 'pg'

export const lockSpace = 7420

export interface ServerRegistration {
  readonly server: number
  leave(): Promise<void>
}

const comeBackMs = 1_000

/**
 * Takes a number and holds its lock until `leave`, or until the connection dies with the process. A connection that
 * breaks while the process lives, because the database restarted or the network lost it, comes back and takes the lock of
 * the same number as soon as the database has let go of the old one.
 */
export async function registerServer(
  url: string,
  onLost: (error: Error) => void,
  alive = { everyMs: aliveEveryMs, answerMs },
): Promise<ServerRegistration> {
  let left = false
  let server: number | null = null
  let connection: pg.Client
  let unwatch = () => {}
  const hold = async (): Promise<number> => {
    const own = new pg.Client({
      ...connectionTo(url),
      application_name: 'portal-presence',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: alive.answerMs,
    })
    connection = own
    let holds = false
    const lost = (error: Error): void => {
      if (!holds || left) return
      holds = false
      unwatch()
      void own.end()
      onLost(error)
      setTimeout(comeBack, comeBackMs).unref()
    }
    own.on('error', lost)
    await own.connect()
    try {
      const number = server ?? (await newNumber(own))
      while (!(await locked(own, number))) await wait(comeBackMs)
      holds = true
      unwatch = watchConnection(own, alive.everyMs, lost)
      return number
    } catch (error) {
      void own.end()
      throw error
    }
  }
  const comeBack = (): void => {
    if (left) return
    hold().catch((error: Error) => {
      if (left) return
      onLost(error)
      setTimeout(comeBack, comeBackMs).unref()
    })
  }
  server = await hold()
  return {
    server,
    leave: async () => {
      left = true
      unwatch()
      await connection.end()
    },
  }
}

async function newNumber(connection: pg.Client): Promise<number> {
  const given = await row<{ server: number }>(connection)`select nextval('server_numbers')::int as server`
  if (!given) throw new Error('no server number was given')
  return given.server
}

/** Not waited for by the database: it would go on waiting for somebody who has long given up. */
async function locked(connection: pg.Client, number: number): Promise<boolean> {
  const found = await row<{ held: boolean }>(connection)`
    select pg_try_advisory_lock(${lockSpace}::int, ${number}::int) as held`
  return found?.held ?? false
}

/** Locks of other databases of the same cluster are listed too: their servers have numbers of their own. */
const here = sql`(select oid from pg_database where datname = current_database())`

/** Frees the leases and queue locks of servers that are gone. */
export async function releaseStaleLocks(pool: Pool, now: Date): Promise<void> {
  await run(pool)`update operations set lease_until = ${now}, next_try_at = least(next_try_at, ${now}::timestamptz)
      where lease_until > ${now} and not exists (select from pg_locks l where l.locktype = 'advisory' and l.database = ${here}
        and l.classid = ${lockSpace}::int and l.objid = lease_server and l.granted)`
  const dead = await rows<{ worker_id: string }>(pool)`
    delete from server_workers where not exists (select from pg_locks l where l.locktype = 'advisory' and l.database = ${here}
        and l.classid = ${lockSpace}::int and l.objid = server and l.granted)
      returning worker_id`
  await unlock(pool, dead)
}

/** Frees what a living server's earlier workers had locked, before others begin. */
export async function releaseWorkerLocks(pool: Pool, server: number): Promise<void> {
  const gone = await rows<{ worker_id: string }>(pool)`
    delete from server_workers where server = ${server} returning worker_id`
  await unlock(pool, gone)
}

async function unlock(pool: Pool, workers: readonly { worker_id: string }[]): Promise<void> {
  if (workers.length === 0) return
  await run(pool)`select graphile_worker.force_unlock_workers(${workers.map((one) => one.worker_id)}::text[])`
}
