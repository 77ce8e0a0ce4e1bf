/**
 * The login: the same response in the same time whether or not the address is known (requirements 4.2). Its second step
 * needs a ticket bound to the first, and a one-time code (requirements 26.13, 26.14).
 */
import type { login, loginSecondFactor } from '#contract/users-session.ts'
import { ticketSeconds, signInFailureSeconds, signInFailuresPerPair } from '#rules/constants.ts'
import { transaction } from '../../db/sql.ts'
import type { RequestContext, Handler } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { beginSession, resolveCaller, endSession } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import { lockSignIn, signInWithoutLock, signInClient } from '../../auth/client-sessions.ts'
import { recordFailedAttempt } from '../../auth/failed-attempts.ts'
import { isPassword } from '../../auth/password-hash.ts'
import { rehashPassword } from '../../auth/rehash-password.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { attemptSucceeded, beginAttempt, succeeding } from '../../auth/sign-in-limits.ts'
import { clientByEmail, type SigningInRow, clientById } from './queries.ts'
import { clear, limit, type Bucket } from '../../http/rate-limits.ts'
import { checkCode } from '../../auth/second-factor.ts'
import { countWrong, lockTicket } from '../../auth/sign-in-tickets.ts'

/** Returns a token, or a ticket for the second step if the client has turned on 2FA. */
export const logIn: Handler<typeof login> = async (dependencies, context) => {
  const { email } = context.body
  const attempt = { door: 'portal', email, address: context.address }
  await beginAttempt(dependencies, attempt, await dependencies.settings.get('rateLimits'), context.now)
  const password = await decryptPassword(dependencies, context.body.password, context.now, 'password-unreadable')
  const client = await clientByEmail(dependencies.pool, email)
  const right = await isPassword(client?.passwordHash ?? null, password)
  if (!client || !right) {
    dependencies.log.warn({ reference: context.auditContext.reference, address: context.address }, 'a sign-in failed')
    if (client) recordFailedAttempt(dependencies, context, { kind: 'client', id: client.id }, 'logInFailed')
    throw new Problem('email-or-password')
  }
  await rehashPassword(dependencies, 'clients', client, password)
  if (client.secondFactor || isEnded(client)) {
    await attemptSucceeded(dependencies.pool, attempt)
    await assertAccessNotEnded(dependencies, client)
    return { secondFactor: true, ticket: await beginTicket(dependencies, context, client) }
  }
  const token =
    (await signInWithoutLock(dependencies, client, context, 'logIn', succeeding(attempt))) ??
    (await transaction(dependencies.pool, (tx) => signInClient(tx, dependencies, client, context, 'logIn')))
  return { token }
}

/** Throws why a client with the correct password may not log in. */
export async function assertAccessNotEnded(
  dependencies: Dependencies,
  client: Pick<SigningInRow, 'state'>,
): Promise<void> {
  if (!isEnded(client)) return
  const { supportEmail: email } = await dependencies.settings.get('firm')
  throw new Problem(client.state === 'suspended' ? 'access-suspended' : 'access-closed', { values: { email } })
}

function isEnded({ state }: Pick<SigningInRow, 'state'>): boolean {
  return state === 'suspended' || state === 'closed'
}

async function beginTicket(dependencies: Dependencies, context: RequestContext, client: SigningInRow): Promise<string> {
  const { now, device, address } = context
  const life = { idleSeconds: ticketSeconds, lifeSeconds: ticketSeconds }
  const sessionId = await transaction(dependencies.pool, async (tx) => {
    await lockSignIn(tx, client)
    return beginSession(tx, { audience: 'ticket', clientId: client.id, ...life, device, address, proved: false }, now)
  })
  return signToken(dependencies.keys, 'ticket', sessionId, {}, now)
}

/** Returns the token of a new session. Five wrong codes end the ticket; wrong codes are counted per person too. */
export const logInSecondFactor: Handler<typeof loginSecondFactor> = async (dependencies, context) => {
  const { now } = context
  const ticket = await resolveCaller(dependencies.pool, dependencies.keys, context.body.ticket, ['ticket'], now, true)
  if (ticket?.kind !== 'ticket' || ticket.clientId === null) throw new Problem('ticket-ended')
  const tries: Bucket = { name: 'portal-factor', who: ticket.clientId, windowSeconds: signInFailureSeconds }
  await limit(dependencies.pool, tries, signInFailuresPerPair, now)
  const client = await clientById(dependencies.pool, ticket.clientId)
  if (!client) throw new Problem('ticket-ended')
  await assertAccessNotEnded(dependencies, client)
  const token = await transaction(dependencies.pool, async (tx) => {
    await lockTicket(tx, ticket.sessionId, now)
    if (
      !(await checkCode(
        tx,
        dependencies,
        { table: 'clients', id: client.id },
        client.factorSecret,
        context.body.code,
        now,
      ))
    ) {
      await countWrong(tx, ticket.sessionId, now)
      return null
    }
    await endSession(tx, ticket.sessionId, now)
    return signInClient(tx, dependencies, client, context, 'logInSecondFactor')
  })
  if (token === null) {
    recordFailedAttempt(dependencies, context, { kind: 'client', id: client.id }, 'codeRefused')
    throw new Problem('login-code-wrong')
  }
  await clear(dependencies.pool, tries)
  return { token }
}
