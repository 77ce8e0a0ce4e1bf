/**
 * The rows of sessions behind tokens. Requests that arrive while a query is in progress wait for the next one, which
 * reads the rows of all of them in one statement: under load few statements serve many requests. No row is older than
 * the request that it is read for.
 */
import type { StaffRole } from '#rules/actors.ts'
import type { ClientState } from '#rules/clients.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { pipelinedRows } from '../db/pipelined-reader.ts'
import { sql, type Connection } from '../db/sql.ts'
import { isUuid } from '../db/ids.ts'
import type { Audience } from './tokens.ts'

/** A session that has not been ended, with its owner. */
export interface SessionRow {
  readonly id: string
  readonly audience: Audience
  readonly client_id: ClientId | null
  readonly staff_id: StaffId | null
  readonly registration_id: string | null
  readonly proved_at: Date | null
  readonly last_seen_at: Date
  readonly idle_seconds: number
  readonly ends_at: Date
  readonly client_state: ClientState | null
  readonly client_email: string | null
  readonly client_language: Language | null
  readonly staff_name: string | null
  readonly staff_email: string | null
  readonly staff_state: string | null
  readonly staff_roles: StaffRole[] | null
}

/** A query that takes longer no longer delays the next one. */
const patienceMs = 20

interface PendingLookup {
  readonly id: string
  readonly found: (session: SessionRow | null) => void
  readonly failed: (error: unknown) => void
}

type Reader = (id: string) => Promise<SessionRow | null>
const readers = new WeakMap<Connection, Reader>()

/** Returns the current session of an id, or null if it was ended or never existed. */
export async function sessionOf(connection: Connection, id: string): Promise<SessionRow | null> {
  if (!isUuid(id)) return null
  let reader = readers.get(connection)
  if (!reader) {
    reader = sessionReader(connection)
    readers.set(connection, reader)
  }
  return reader(id)
}

function sessionReader(connection: Connection): Reader {
  let asked: PendingLookup[] = []
  let underWay = 0
  let impatience: NodeJS.Timeout | undefined
  const read = async () => {
    clearTimeout(impatience)
    const all = asked
    asked = []
    underWay += 1
    try {
      const ids = [...new Set(all.map(({ id }) => id))]
      const found = new Map((await readSessions(connection, ids)).map((session) => [session.id, session]))
      for (const one of all) one.found(found.get(one.id) ?? null)
    } catch (error) {
      for (const one of all) one.failed(error)
    } finally {
      underWay -= 1
      if (asked.length > 0 && underWay === 0) void read()
    }
  }
  return (id) =>
    new Promise((found, failed) => {
      asked.push({ id, found, failed })
      if (underWay === 0) void read()
      else if (asked.length === 1) impatience = setTimeout(() => void read(), patienceMs)
    })
}

function readSessions(connection: Connection, ids: readonly string[]): Promise<SessionRow[]> {
  return pipelinedRows<SessionRow>(
    connection,
    sql`select s.id, s.audience, s.client_id, s.staff_id, s.registration_id, s.proved_at, s.last_seen_at, s.idle_seconds,
          s.ends_at, c.state as client_state, c.email::text as client_email, c.language as client_language,
          t.name as staff_name, t.email::text as staff_email, t.state as staff_state, t.roles as staff_roles
        from sessions s left join clients c on c.id = s.client_id left join staff t on t.id = s.staff_id
        where s.id = any (${ids}::uuid[]) and s.ended_at is null`,
  )
}
