/**
 * Heartbeat of each running server, every two seconds: the operator's commands name the server, and the doctor detects
 * one that hangs.
 */
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import { rows, run, type Connection, transaction } from '../db/sql.ts'
import { repeat } from '../jobs/repeat.ts'
import { lockSpace } from '../jobs/server-registry.ts'

const beatEveryMs = 2_000

interface HeartbeatDependencies {
  readonly pool: Pool
  readonly server: number
  readonly role: string
  readonly onError: (error: Error) => void
  readonly now: () => Date
}

/** Sends heartbeats until the returned function is called, which removes the row. */
export async function startHeartbeat({
  pool,
  server,
  role,
  onError,
  now,
}: HeartbeatDependencies): Promise<() => Promise<void>> {
  const startedAt = now()
  const beat = () =>
    transaction(pool, async (tx) => {
      // With a synchronous standby the heartbeat is a confirmed commit: an isolated primary cannot complete it.
      await tx.query('set local synchronous_commit = on')
      await run(tx)`insert into server_heartbeats (server, role, host, pid, started_at, at)
          values (${server}, ${role}, ${hostname()}, ${process.pid}, ${startedAt}, ${now()})
          on conflict (server) do update set at = excluded.at, role = excluded.role, host = excluded.host,
            pid = excluded.pid, started_at = excluded.started_at`
    })
  await beat()
  const stop = repeat({ everyMs: beatEveryMs, run: beat, onError })
  return async () => {
    await stop()
    await run(pool)`delete from server_heartbeats where server = ${server}`.catch(onError)
  }
}

export interface RunningServer {
  readonly server: number
  readonly role: string | null
  readonly host: string | null
  readonly pid: number | null
  readonly at: Date | null
}

/** Returns the servers that hold their lock in this database (server/jobs/server-registry.ts), with their heartbeat. */
export function runningServers(connection: Connection): Promise<RunningServer[]> {
  return rows<RunningServer>(connection)`select l.objid::int as server, h.role, h.host, h.pid, h.at from pg_locks l
        left join server_heartbeats h on h.server = l.objid::int
      where l.locktype = 'advisory' and l.granted and l.classid = ${lockSpace}::int
        and l.database = (select oid from pg_database where datname = current_database())
      order by l.objid`
}
