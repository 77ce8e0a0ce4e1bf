/** Clients in bulk; one of them and some staff are signed in. */
import type { ClientId, StaffId } from '#rules/ids.ts'
import type pg from 'pg'
import type { StaffRole } from '#rules/actors.ts'
import { transaction } from '#server/db/sql.ts'
import { beginSession } from '#server/http/sessions.ts'
import { signToken } from '#server/http/tokens.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { signUserToken } from '#server/auth/user.ts'
import type { BenchContext } from './context.ts'

export const benchPassword = 'Quince-harbour-71'
/**
 * Inserts clients with addresses bench-1@example.com and so on, all with the benchmark's password. Their names consist
 * of syllables in which some letters are frequent and some are rare, as in real names.
 */
export async function makeClients(superuser: pg.Client, count: number): Promise<void> {
  await superuser.query('select setseed(0.5)')
  await superuser.query({
    text: `insert into clients (email, state, title, name, surname, country, nationality, password_hash, password_changed_at,
        registered_at, identity_approved_at, address_approved_at, approved_at, declaration_version, step, created_at)
      select 'bench-' || n || '@example.com', 'approved', 'Mr.', initcap(${syllable} || ${syllable}),
        initcap(${syllable} || ${syllable} || ${syllable}), 'DE', 'DE', $2, now(), now(), now(), now(), now(), 1, 5, now()
      from generate_series(1, $1::int) n`,
    values: [count, await hashPassword(benchPassword)],
  })
  await superuser.query('vacuum analyze clients')
}

const consonant = `substr('nrstlhdmkbgwfvpczjxq', 1 + floor(20 * random() ^ 1.7)::int, 1)`
const vowel = `substr('aeiouy', 1 + floor(6 * random() ^ 1.3)::int, 1)`
const syllable = `${consonant} || ${vowel} || ${consonant}`

/** Returns the token of a new session of a client. */
export async function clientToken({ server }: BenchContext, clientId: string): Promise<string> {
  return sessionToken(server, { audience: 'portal', clientId: clientId as ClientId })
}

/** Returns the token of a new member of staff. */
export async function staffToken({ server, superuser }: BenchContext, roles: readonly StaffRole[]): Promise<string> {
  const made = await superuser.query<{ id: string }>({
    text: `insert into staff (email, name, roles, state, factor_confirmed_at, created_at)
           values ('bench@example.org', 'Bench Clerk', $1, 'active', now(), now()) returning id`,
    values: [roles],
  })
  return sessionToken(server, { audience: 'office', staffId: (made.rows[0]?.id ?? '') as StaffId })
}

type Person = { audience: 'portal'; clientId: ClientId } | { audience: 'office'; staffId: StaffId }

async function sessionToken(server: BenchContext['server'], person: Person): Promise<string> {
  const now = new Date()
  const life = { idleSeconds: 1800, lifeSeconds: 7200, device: 'bench', address: '127.0.0.1', proved: true }
  const sessionId = await transaction(server.dependencies.pool, (tx) => beginSession(tx, { ...person, ...life }, now))
  const { keys, pool } = server.dependencies
  // With all claims, as after a sign-in: the current user would be answered with a new token each time.
  if (person.audience === 'portal')
    return signUserToken(server.dependencies, pool, { clientId: person.clientId, sessionId }, now)
  return signToken(keys, person.audience, sessionId, { id: person.staffId }, now)
}
