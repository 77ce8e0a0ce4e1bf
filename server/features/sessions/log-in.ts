/** The sign-in: the same answer in the same time whether or not the address is known (product-decisions section 3). */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { login } from '#contract/users-session.ts'
import { ticketSeconds } from '#rules/constants.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { beginSession } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import type { Parts } from '../../dependencies.ts'
import { holdSignIn, signInAtOnce, signInClient } from '../../auth/client-sessions.ts'
import { noteFailedTry } from '../../auth/failed-attempts.ts'
import { isPassword } from '../../auth/password-hash.ts'
import { renewHash } from '../../auth/rehash-password.ts'
import { readPassword } from '../../auth/decrypt-password.ts'
import { attemptSucceeded, beginAttempt, succeeding } from '../../auth/sign-in-limits.ts'
import { clientByEmail, type SigningInRow } from './queries.ts'

/** A token, or a ticket for the second step where the client turned it on. */
export async function logIn(parts: Parts, call: Call<typeof login>): Promise<AnswerOf<typeof login>> {
  const { email } = call.body
  const attempt = { door: 'portal', email, address: call.address }
  await beginAttempt(parts, attempt, await parts.settings.get('rateLimits'), call.now)
  const password = await readPassword(parts, call.body.password, call.now, 'password-unreadable')
  const client = await clientByEmail(parts.pool, email)
  const right = await isPassword(client?.passwordHash ?? null, password)
  if (!client || !right) {
    parts.log.warn({ reference: call.act.reference, address: call.address }, 'a sign-in failed')
    if (client) noteFailedTry(parts, call, { kind: 'client', id: client.id }, 'logInFailed')
    throw new Problem('email-or-password')
  }
  await renewHash(parts, 'clients', client, password)
  if (client.secondFactor || isEnded(client)) {
    await attemptSucceeded(parts.pool, attempt)
    await refuseEnded(parts, client)
    return { secondFactor: true, ticket: await beginTicket(parts, call, client) }
  }
  const token =
    (await signInAtOnce(parts, client, call, 'logIn', succeeding(attempt))) ??
    (await transaction(parts.pool, (tx) => signInClient(tx, parts, client, call, 'logIn')))
  return { token }
}

/** Says why a client who has the right password is not let in. */
export async function refuseEnded(parts: Parts, client: Pick<SigningInRow, 'state'>): Promise<void> {
  if (!isEnded(client)) return
  const { supportEmail: email } = await parts.settings.get('firm')
  throw new Problem(client.state === 'suspended' ? 'access-suspended' : 'access-closed', { values: { email } })
}

function isEnded({ state }: Pick<SigningInRow, 'state'>): boolean {
  return state === 'suspended' || state === 'closed'
}

async function beginTicket(parts: Parts, call: Call, client: SigningInRow): Promise<string> {
  const { now, device, address } = call
  const life = { idleSeconds: ticketSeconds, lifeSeconds: ticketSeconds }
  const sessionId = await transaction(parts.pool, async (tx) => {
    await holdSignIn(tx, client)
    return beginSession(tx, { audience: 'ticket', clientId: client.id, ...life, device, address, proved: false }, now)
  })
  return signToken(parts.keys, 'ticket', sessionId, {}, now)
}
