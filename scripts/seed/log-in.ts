/**
 * Signs people in as the product does after it has verified their password and code: verifying them again at each of
 * the history's sign-ins would delay a first start (ADR 296).
 */
import { newReference } from '#server/app.ts'
import { signInClient } from '#server/auth/client-sessions.ts'
import { transaction } from '#server/db/sql.ts'
import { clientByEmail } from '#server/features/sessions/queries.ts'
import { signInStaff } from '#server/features/staff-sessions/log-in-second-factor.ts'
import { staffByEmail } from '#server/features/staff-sessions/queries.ts'
import type { Colleague, Persona } from './personas.ts'
import { addressOf } from './ip-addresses.ts'
import { device, type SeedContext } from './context.ts'

/** Returns a client's token. */
export async function logIn({ server, now }: SeedContext, person: Persona): Promise<string> {
  const { dependencies } = server
  const client = await clientByEmail(dependencies.pool, person.email)
  if (!client) throw new Error(`${person.email} is not a client.`)
  const arrival = signInContext(now(), addressOf(person))
  return transaction(dependencies.pool, (tx) => signInClient(tx, dependencies, client, arrival, 'logIn'))
}

/** Returns a staff member's token. */
export async function logInStaff({ server, now }: SeedContext, { email }: Colleague): Promise<string> {
  const { dependencies } = server
  const staff = await staffByEmail(dependencies.pool, email)
  if (!staff) throw new Error(`${email} is not a staff member.`)
  const { token } = await transaction(dependencies.pool, (tx) =>
    signInStaff(tx, dependencies, staff, signInContext(now())),
  )
  return token
}

function signInContext(now: Date, address = '127.0.0.1') {
  const auditContext = { identity: { kind: 'external' }, now, address, reference: newReference() } as const
  return { auditContext, now, device, address }
}
