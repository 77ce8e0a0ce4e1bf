/**
 * Which servers are alive. Each holds an advisory lock under its number on a connection of its own; what a server
 * without one had leased or locked is free again at once, and not after the queue's four hours (mechanics section 2).
 */
import pg from 'pg'
import { row, rows, run, sql } from '../db/sql.ts'
import type { Pool } from 'pg'

const lockSpace = 7420

export interface Presence {
  readonly server: number
  leave(): Promise<void>
}

const comeBackMs = 1_000

/**
 * Takes a number and holds its lock until `leave`, or until the connection dies with the process. A connection that
 * breaks while the process lives, because the database restarted, comes back and takes the lock of the same number.
 */
export async function announcePresence(url: string, onLost: (error: Error) => void): Promise<Presence> {
  let left = false
  let server: number | null = null
  let connection: pg.Client
  const hold = async (): Promise<number> => {
    const own = new pg.Client({ connectionString: url, application_name: 'portal-presence', keepAlive: true })
    connection = own
    let lost = false
    own.on('error', (error: Error) => {
      if (lost || left) return
      lost = true
      onLost(error)
      setTimeout(comeBack, comeBackMs).unref()
    })
    await own.connect()
    const number =
      server ?? (await row<{ server: number }>(own, sql`select nextval('server_numbers')::int as server`))?.server
    if (number === undefined) throw new Error('no server number was given')
    await run(own, sql`select pg_advisory_lock(${lockSpace}::int, ${number}::int)`)
    return number
  }
  const comeBack = (): void => {
    if (left) return
    hold().catch((error: Error) => {
      onLost(error)
      setTimeout(comeBack, comeBackMs).unref()
    })
  }
  server = await hold()
  return {
    server,
    leave: async () => {
      left = true
      await connection.end()
    },
  }
}

/** Frees the leases and queue locks of servers that are gone. */
export async function freeWhatTheDeadHeld(pool: Pool, now: Date): Promise<void> {
  await run(
    pool,
    sql`update operations set lease_until = ${now}, next_try_at = least(next_try_at, ${now}::timestamptz)
        where lease_until > ${now} and not exists (select from pg_locks l where l.locktype = 'advisory'
          and l.classid = ${lockSpace}::int and l.objid = lease_server and l.granted)`,
  )
  const dead = await rows<{ worker_id: string }>(
    pool,
    sql`delete from server_workers where not exists (select from pg_locks l where l.locktype = 'advisory'
          and l.classid = ${lockSpace}::int and l.objid = server and l.granted)
        returning worker_id`,
  )
  await unlock(pool, dead)
}

/** Frees what a living server's earlier workers had locked, before others begin. */
export async function freeWorkersOf(pool: Pool, server: number): Promise<void> {
  const gone = await rows<{ worker_id: string }>(
    pool,
    sql`delete from server_workers where server = ${server} returning worker_id`,
  )
  await unlock(pool, gone)
}

async function unlock(pool: Pool, workers: readonly { worker_id: string }[]): Promise<void> {
  if (workers.length === 0) return
  await run(pool, sql`select graphile_worker.force_unlock_workers(${workers.map((one) => one.worker_id)}::text[])`)
}
