import type { Language } from '#rules/choices.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'

export interface FactorState {
  email: string
  language: Language
  secret: Buffer | null
  confirmed: boolean
}

/** Returns a client's second factor, locked until the transaction ends. */
export async function lockFactor(connection: Connection, clientId: SignedInClientId): Promise<FactorState> {
  const found = await row<FactorState>(connection)`
    select email::text as email, language, factor_secret as secret, factor_confirmed_at is not null as confirmed
      from clients where id = ${clientId} for update`
  if (!found) throw new Problem('session-ended')
  return found
}

interface OpenSession {
  id: string
  device: string
  address: string
  createdAt: Date
  lastSeenAt: Date
}

/** Returns the client's valid sessions, the one used last first. */
export function openSessions(connection: Connection, clientId: SignedInClientId, now: Date): Promise<OpenSession[]> {
  return rows<OpenSession>(connection)`
    select id, device, address, created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
      where client_id = ${clientId} and audience = 'portal' and ended_at is null and ends_at > ${now}
        and last_seen_at + make_interval(secs => idle_seconds) > ${now}
      order by last_seen_at desc, created_at desc`
}
