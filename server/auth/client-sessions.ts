/** Starts a session of the portal and returns its token. A new device or country is reported to the client by mail. */
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import { recordEventSql, type AuditContext } from '../db/events.ts'
import { row, run, sql, type Sql, type Transaction } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { insertSession } from '../http/sessions.ts'
import { sendMail, unixSeconds } from '../mail/send-mail.ts'
import type { Dependencies } from '../dependencies.ts'
import { isNewCountry } from './new-country.ts'
import { signUserToken, userColumns, type UserRow } from './user.ts'

/** More sessions than these end the least recently used one. */
const sessionsMax = 10
/** The count misses concurrent sign-ins, so the exact check starts well before the limit. */
const sessionsNearMax = sessionsMax / 2

interface SignInClient {
  readonly id: ClientId
  readonly email: string
  readonly language: Language
  /**
   * The state that was read before this transaction: when password and second factor last changed (`accessStateSql`).
   */
  readonly standing?: string
}

/** A text that changes whenever a client's password or second factor changes. */
export const accessStateSql = sql`concat_ws(' ', password_changed_at, factor_confirmed_at)`

/**
 * Locks the client, so that ending all sessions happens either before this sign-in or sees it, and returns the client.
 * Throws `session-ended` if password or second factor changed since they were verified, because that verification is no
 * longer valid.
 */
export async function lockClientForSignIn(
  tx: Transaction,
  client: Pick<SignInClient, 'id' | 'standing'>,
): Promise<UserRow> {
  const held = await row<UserRow & { standing: string }>(tx, lockClientSql(client.id))
  if (!held || (client.standing !== undefined && client.standing !== held.standing)) throw new Problem('session-ended')
  return held
}

function lockClientSql(clientId: ClientId): Sql {
  return sql`select ${userColumns}, ${accessStateSql} as standing from clients where id = ${clientId} for no key update`
}

interface SignInOrigin {
  readonly auditContext: AuditContext
  readonly device: string
  readonly address: string
  readonly now: Date
}

/** Returns the audit context of a client whose identity has just been confirmed by an anonymous call. */
export function auditContextOf(clientId: ClientId, arrival: Pick<SignInOrigin, 'auditContext'>): AuditContext {
  return { ...arrival.auditContext, identity: { kind: 'client', id: clientId } }
}

/** Starts a session for a client and returns its token. `action` names the way of signing in for the event log. */
export async function signInClient(
  tx: Transaction,
  dependencies: Dependencies,
  client: SignInClient,
  arrival: SignInOrigin,
  action: string,
): Promise<string> {
  const { id } = client
  const { now, device, address } = arrival
  const isFromNewCountry = await isNewCountry(dependencies, tx, { clientId: id }, address)
  const opened = await row<OpenedSession>(tx, await openSessionSql(dependencies, client, arrival, action))
  if (!opened) throw new Problem('session-ended')
  const { isNew, alive, sessionId, ...held } = opened
  if (alive >= sessionsNearMax) await endOldestSession(tx, id, now)
  if (isNew || isFromNewCountry) {
    const facts = { at: unixSeconds(now), device, address, isKnownDevice: !isNew }
    await sendMail(tx, now, {
      kind: 'new-device',
      to: client.email,
      language: client.language,
      facts,
      clientId: client.id,
    })
  }
  return signUserToken(dependencies, tx, { clientId: id, sessionId }, now, held)
}

/**
 * Signs a client in with one statement of its own, together with `otherCtes`, a part of its "with". It works for a known
 * browser in a known country, or the first one, of a client with few sessions. Otherwise returns null and starts no
 * session; `otherCtes` is executed either way.
 */
export async function signInWithoutLock(
  dependencies: Dependencies,
  client: SignInClient,
  arrival: SignInOrigin,
  action: string,
  otherCtes: Sql,
): Promise<string | null> {
  const { pool } = dependencies
  const isFromNewCountry = await isNewCountry(dependencies, pool, { clientId: client.id }, arrival.address)
  const opened = await row<OpenedSession>(
    pool,
    await openSessionSql(dependencies, client, arrival, action, {
      otherCtes: sql`${otherCtes},`,
      onlyIf: sql`and not ${isFromNewCountry} and not "isNew" and alive < ${sessionsNearMax}`,
    }),
  )
  if (!opened) return null
  const { isNew: _isNew, alive: _alive, sessionId, ...held } = opened
  return signUserToken(dependencies, dependencies.pool, { clientId: client.id, sessionId }, arrival.now, held)
}

interface OpenedSession extends UserRow {
  readonly standing: string
  readonly sessionId: string
  /** True if there were sessions, but none of this browser in any version. */
  readonly isNew: boolean
  /** The number of sessions that were active before. */
  readonly alive: number
}

/** Returns the statement that locks the sign-in, creates a session with its event and returns the previous state. */
async function openSessionSql(
  dependencies: Dependencies,
  { id, standing: lookedAt }: SignInClient,
  arrival: SignInOrigin,
  action: string,
  { otherCtes, onlyIf }: { otherCtes: Sql; onlyIf: Sql } = { otherCtes: sql``, onlyIf: sql`` },
): Promise<Sql> {
  const { now, device, address } = arrival
  const { clientIdleMinutes, clientLifeMinutes } = await dependencies.settings.get('security')
  const session = {
    audience: 'portal',
    clientId: id,
    idleSeconds: clientIdleMinutes * 60,
    lifeSeconds: clientLifeMinutes * 60,
    device,
    address,
    proved: true,
  } as const
  return sql`with ${otherCtes} held as (${lockClientSql(id)}),
      earlier as (
        select count(*) > 0 and not
            bool_or(regexp_replace(device, '[0-9.]+', '', 'g') = regexp_replace(${device}, '[0-9.]+', '', 'g')) as "isNew",
          count(*) filter (where ended_at is null and ends_at > ${now})::int as alive
        from sessions where client_id = ${id} and audience = 'portal'),
      begun as (${insertSession(
        session,
        now,
        sql`from held, earlier where standing = coalesce(${lookedAt ?? null}::text, standing) ${onlyIf}`,
      )}),
      ${recordEventSql(auditContextOf(id, arrival), { kind: 'client', action, record: id, clientId: id, details: { device } }, sql`from begun`)}
    select held.*, earlier.*, begun.id as "sessionId" from begun, held, earlier`
}

async function endOldestSession(tx: Transaction, clientId: ClientId, now: Date): Promise<void> {
  await run(tx)`update sessions set ended_at = ${now} where id in (
        select id from sessions where client_id = ${clientId} and audience = 'portal' and ended_at is null
          and ends_at > ${now}
        order by last_seen_at desc, created_at desc offset ${sessionsMax})`
}
