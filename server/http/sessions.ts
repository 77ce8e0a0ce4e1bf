/**
 * Every token has a session row, so that a logout, a new password or a deactivation of staff ends it immediately, on
 * every server (requirements 4.5). This is the only place that creates a `SignedInClientId`.
 */
import type { ActorIdentity, StaffRole } from '#rules/actors.ts'
import type { ClientState } from '#rules/clients.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { requireRow, row, run, sql, type Connection, type Sql, type Transaction } from '../db/sql.ts'
import { isUuid } from '../db/ids.ts'
import { pipelinedRows } from '../db/pipelined-reader.ts'
import { Problem } from './problem.ts'
import type { Keys } from '../crypto/keys.ts'
import { verifyToken, type Audience, type VerifiedToken } from './tokens.ts'

declare const minted: unique symbol
/** The id of the signed-in client. Queries for clients accept only this type, so no id of a payload can reach them. */
export type SignedInClientId = ClientId & { readonly [minted]: true }

export interface ClientCaller {
  readonly kind: 'client'
  readonly clientId: SignedInClientId
  readonly sessionId: string
  readonly state: ClientState
  readonly email: string
  readonly language: Language
  /** The country of residence, an ISO 3166 code. */
  readonly country: string
  /** Seconds since 1970 at which the token was signed. */
  readonly tokenIssuedAt: number
  /** The user fields of the token that was sent. */
  readonly claims: Readonly<Record<string, unknown>>
  /** When the password or a second-factor code was last verified in this session. */
  readonly provedAt: Date | null
}

export interface RegisteringCaller {
  readonly kind: 'registering'
  readonly registrationId: string
  readonly sessionId: string
  readonly tokenIssuedAt: number
}

export interface StaffCaller {
  readonly kind: 'staff'
  readonly staffId: StaffId
  readonly sessionId: string
  readonly name: string
  readonly email: string
  readonly roles: readonly StaffRole[]
  /** Seconds since 1970 at which the token was signed. */
  readonly tokenIssuedAt: number
  readonly provedAt: Date | null
}

/** The first step of a sign-in with a second factor; valid only for the second step. */
interface TicketCaller {
  readonly kind: 'ticket'
  readonly audience: 'ticket' | 'office-ticket'
  readonly sessionId: string
  readonly clientId: ClientId | null
  readonly staffId: StaffId | null
}

export type Caller = { readonly kind: 'visitor' } | ClientCaller | RegisteringCaller | StaffCaller | TicketCaller

export const anonymous: Caller = { kind: 'visitor' }

const lastSeenEveryMs = 60_000

/**
 * Returns the caller of a token, or null if it is not a token, belongs to another audience, or its session has ended:
 * by logout, idle time-out, maximum duration, a suspended or closed client or a deactivated staff member.
 */
export async function resolveCaller(
  connection: Connection,
  keys: Keys,
  token: string,
  audiences: readonly Audience[],
  now: Date,
  background: boolean,
): Promise<Caller | null> {
  const verified = await verifyToken(keys, token, audiences, now)
  if (!verified) return null
  const session = await sessionOf(connection, verified.sessionId)
  if (!session || session.audience !== verified.audience || !isAlive(session, now)) return null
  if (!background && now.getTime() - session.last_seen_at.getTime() > lastSeenEveryMs) {
    await run(connection)`update sessions set last_seen_at = ${now} where id = ${session.id} and last_seen_at < ${now}`
  }
  return callerFrom(session, verified)
}

/** Idleness, the maximum duration, a suspended or closed client and a deactivated staff member end a session. */
function isAlive(session: SessionRow, now: Date): boolean {
  const idleEnds = session.last_seen_at.getTime() + session.idle_seconds * 1000
  if (session.ends_at.getTime() <= now.getTime() || idleEnds <= now.getTime()) return false
  if (session.client_state === 'closed' || session.client_state === 'suspended') return false
  return session.staff_state !== 'deactivated'
}

function callerFrom(session: SessionRow, { issuedAt: tokenIssuedAt, claims }: VerifiedToken): Caller | null {
  if (session.audience === 'ticket' || session.audience === 'office-ticket') {
    const { audience, id: sessionId, client_id: clientId, staff_id: staffId } = session
    return { kind: 'ticket', audience, sessionId, clientId, staffId }
  }
  if (session.audience === 'registering' && session.registration_id) {
    return { kind: 'registering', registrationId: session.registration_id, sessionId: session.id, tokenIssuedAt }
  }
  if (session.audience === 'portal' && session.client_id && session.client_state) {
    return {
      kind: 'client',
      clientId: session.client_id as SignedInClientId,
      sessionId: session.id,
      state: session.client_state,
      email: session.client_email ?? '',
      language: session.client_language ?? 'en',
      country: session.client_country ?? '',
      tokenIssuedAt,
      claims,
      provedAt: session.proved_at,
    }
  }
  if (session.audience === 'office' && session.staff_id) {
    return {
      kind: 'staff',
      staffId: session.staff_id,
      sessionId: session.id,
      name: session.staff_name ?? '',
      email: session.staff_email ?? '',
      roles: session.staff_roles ?? [],
      tokenIssuedAt,
      provedAt: session.proved_at,
    }
  }
  return null
}

/** Returns the caller in the form of the event log and the state machines. */
export function identityOf(caller: Caller): ActorIdentity {
  if (caller.kind === 'client') return { kind: 'client', id: caller.clientId }
  if (caller.kind === 'staff') return { kind: 'staff', id: caller.staffId, roles: caller.roles }
  if (caller.kind === 'registering') return { kind: 'client', id: caller.registrationId }
  return { kind: 'external' }
}

/** A session that has not been ended, with its owner. */
interface SessionRow {
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
  readonly client_country: string | null
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

/**
 * Requests that arrive while a query is in progress wait for the next one, which reads the rows of all of them in one
 * statement: under load few statements serve many requests. No row is older than the request that it is read for.
 */
type Reader = (id: string) => Promise<SessionRow | null>
const readers = new WeakMap<Connection, Reader>()

/** Returns the current session of an id, or null if it was ended or never existed. */
async function sessionOf(connection: Connection, id: string): Promise<SessionRow | null> {
  if (!isUuid(id)) return null
  const reader = readers.get(connection) ?? sessionReader(connection)
  readers.set(connection, reader)
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
          s.ends_at, c.state as client_state, c.email::text as client_email, c.language as client_language, c.country as client_country,
          t.name as staff_name, t.email::text as staff_email, t.state as staff_state, t.roles as staff_roles
        from sessions s left join clients c on c.id = s.client_id left join staff t on t.id = s.staff_id
        where s.id = any (${ids}::uuid[]) and s.ended_at is null`,
  )
}

interface NewSession {
  readonly audience: Audience
  readonly clientId?: ClientId
  readonly staffId?: StaffId
  readonly registrationId?: string
  readonly idleSeconds: number
  readonly lifeSeconds: number
  readonly device: string
  readonly address: string
  /** True if the password or a factor was just verified. */
  readonly proved: boolean
}

/**
 * Returns the statement that starts a session for each row of `from`, or one if `from` is omitted, and returns the
 * session's id.
 */
export function insertSession(session: NewSession, now: Date, from: Sql = sql``): Sql {
  return sql`insert into sessions (audience, client_id, staff_id, registration_id, created_at, last_seen_at, idle_seconds,
      ends_at, proved_at, device, address)
    select ${session.audience}, ${session.clientId ?? null}, ${session.staffId ?? null}, ${session.registrationId ?? null},
      ${now}, ${now}, ${session.idleSeconds}, ${new Date(now.getTime() + session.lifeSeconds * 1000)},
      ${session.proved ? now : null}, ${session.device.slice(0, 300)}, ${session.address}
    ${from} returning id`
}

/** Starts a session and returns its id. */
export async function beginSession(tx: Transaction, session: NewSession, now: Date): Promise<string> {
  return (await requireRow<{ id: string }>(tx)`${insertSession(session, now)}`).id
}

/** Records that the password or a code was just verified in a session. */
export async function recordStepUp(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await run(tx)`update sessions set proved_at = ${now} where id = ${sessionId} and ended_at is null`
}

/** Ends one session. */
export async function endSession(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await run(tx)`update sessions set ended_at = ${now} where id = ${sessionId} and ended_at is null`
}

type Person = { readonly clientId: ClientId } | { readonly staffId: StaffId }

/**
 * Ends every session of a client or staff member and continues one under a new id, which is returned: tokens of the
 * former id are no longer accepted (requirements 26.6). Throws `session-ended` if it was ended in the meantime.
 */
export async function replaceSessionsOf(
  tx: Transaction,
  person: Person,
  sessionId: string,
  now: Date,
): Promise<string> {
  await endSessionsOf(tx, person, now, sessionId)
  const continued = await row<{ id: string }>(tx)`
    insert into sessions (audience, client_id, staff_id, created_at, last_seen_at, idle_seconds, ends_at, proved_at, device,
        address)
      select audience, client_id, staff_id, created_at, last_seen_at, idle_seconds, ends_at, proved_at, device, address
        from sessions where id = ${sessionId} and ended_at is null returning id`
  if (!continued) throw new Problem('session-ended')
  await endSession(tx, sessionId, now)
  return continued.id
}

/** Ends every session of a client or staff member, except the one to keep. */
export async function endSessionsOf(tx: Transaction, person: Person, now: Date, keep?: string): Promise<void> {
  const owner = 'clientId' in person ? sql`client_id = ${person.clientId}` : sql`staff_id = ${person.staffId}`
  await run(tx)`update sessions set ended_at = ${now}
      where ${owner} and ended_at is null and id is distinct from ${keep ?? null}::uuid`
}
