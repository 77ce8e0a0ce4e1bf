/** The end of every way in: a session of the portal, its token, and a letter where the device is new. */
import { timeOf } from './times.ts'
import { record, type Act } from '../db/events.ts'
import { row, run, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { Problem, type Language } from '../http/problem.ts'
import { beginSession } from '../http/sessions.ts'
import { sendMail } from '../mail/mail.ts'
import type { Parts } from '../parts.ts'
import { tokenFor, userColumns, type UserRow } from './user.ts'

/** More sessions than these end the one that was used longest ago. */
const sessionsMax = 10

export interface SigningIn {
  readonly id: string
  readonly email: string
  readonly language: Language
  /** What was looked at before this transaction: when password and second factor last changed, as `standing` reads it. */
  readonly standing?: string
}

/** A text that is another one once a client's password, or second factor, is. */
export const standing = sql`concat_ws(' ', password_changed_at, factor_confirmed_at)`

/**
 * Locks the client, so that whatever ends all sessions comes before this sign-in or sees it, and answers who it is. Throws
 * `session-ended` where password or second factor became others since they were looked at: what was proved then opens
 * nothing now.
 */
export async function holdSignIn(tx: Transaction, client: Pick<SigningIn, 'id' | 'standing'>): Promise<UserRow> {
  const held = await row<UserRow & { standing: string }>(
    tx,
    sql`select ${userColumns}, ${standing} as standing from clients where id = ${client.id} for no key update`,
  )
  if (!held || (client.standing !== undefined && client.standing !== held.standing)) throw new Problem('session-ended')
  return held
}

export interface Arrival {
  readonly act: Act
  readonly device: string
  readonly address: string
  readonly now: Date
}

/** The act of a client who has just shown who it is: the call itself came from a visitor. */
export function actOf(clientId: string, arrival: Pick<Arrival, 'act'>): Act {
  return { ...arrival.act, acting: { kind: 'client', id: clientId } }
}

/** Begins a session for a client and answers its token. `verb` names the way in for the event log. */
export async function signInClient(
  tx: Transaction,
  parts: Parts,
  client: SigningIn,
  arrival: Arrival,
  verb: string,
): Promise<string> {
  const held = await holdSignIn(tx, client)
  const { now, device, address } = arrival
  const { isNew, alive } = await earlierSessions(tx, client.id, device, now)
  const { clientIdleMinutes, clientLifeMinutes } = await parts.settings.get('security')
  const sessionId = await beginSession(
    tx,
    {
      audience: 'portal',
      clientId: client.id,
      idleSeconds: clientIdleMinutes * 60,
      lifeSeconds: clientLifeMinutes * 60,
      device,
      address,
      proved: true,
    },
    now,
  )
  if (alive >= sessionsMax) await endOldest(tx, client.id, now)
  const { id } = client
  await record(tx, actOf(id, arrival), { kind: 'client', verb, record: id, clientId: id, details: { device } })
  if (isNew) {
    const facts = { at: timeOf(now), device, address }
    await sendMail(
      tx,
      { kind: 'new-device', to: client.email, language: client.language, facts, clientId: client.id },
      now,
    )
  }
  return tokenFor(parts, tx, { clientId: client.id, sessionId }, now, held)
}

/**
 * How many sessions of the client are alive, and whether the device is new: there have been sessions, but none of such a
 * browser; its version does not count.
 */
async function earlierSessions(
  tx: Transaction,
  clientId: string,
  device: string,
  now: Date,
): Promise<{ isNew: boolean; alive: number }> {
  const found = await row<{ isNew: boolean; alive: number }>(
    tx,
    sql`select count(*) > 0 and not
            bool_or(regexp_replace(device, '[0-9.]+', '', 'g') = regexp_replace(${device}, '[0-9.]+', '', 'g')) as "isNew",
          count(*) filter (where ended_at is null and ends_at > ${now})::int as alive
        from sessions where client_id = ${clientId} and audience = 'portal'`,
  )
  return { isNew: found?.isNew ?? false, alive: found?.alive ?? 0 }
}

async function endOldest(tx: Transaction, clientId: string, now: Date): Promise<void> {
  await run(
    tx,
    sql`update sessions set ended_at = ${now} where id in (
          select id from sessions where client_id = ${clientId} and audience = 'portal' and ended_at is null
            and ends_at > ${now}
          order by last_seen_at desc, created_at desc offset ${sessionsMax})`,
  )
}
