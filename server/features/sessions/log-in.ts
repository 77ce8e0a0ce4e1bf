/** The login: the same response in the same time whether or not the address is known (requirements 4.2). */
import type { login } from '#contract/users-session.ts'
import { ticketSeconds } from '#rules/constants.ts'
import { transaction } from '../../db/sql.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { beginSession } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import { lockClientForSignIn, signInWithoutLock, signInClient } from '../../auth/client-sessions.ts'
import { recordFailedAttempt } from '../../auth/failed-attempts.ts'
import { isCorrectPassword } from '../../auth/password-hash.ts'
import { rehashPassword } from '../../auth/rehash-password.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { recordAttemptSuccess, beginAttempt, attemptSuccessSql } from '../../auth/sign-in-limits.ts'
import { clientByEmail, type SigningInRow } from './queries.ts'

/** Returns a token, or a ticket for the second step if the client has turned on 2FA. */
export const logIn: Handler<typeof login> = async (dependencies, context) => {
  const { email } = context.body
  const attempt = { app: 'portal', email, address: context.address }
  await beginAttempt(dependencies, attempt, await dependencies.settings.get('rateLimits'), context.now)
  const password = await decryptPassword(dependencies, context.body.password, context.now, 'password-unreadable')
  const client = await clientByEmail(dependencies.pool, email)
  const right = await isCorrectPassword(client?.passwordHash ?? null, password)
  if (!client || !right) {
    dependencies.log.warn(
      { reference: context.auditContext.reference, address: context.address },
      'client sign-in failed',
    )
    if (client) recordFailedAttempt(dependencies, context, { kind: 'client', id: client.id }, 'logInFailed')
    throw new Problem('email-or-password')
  }
  await rehashPassword(dependencies, 'clients', client, password)
  if (client.secondFactor || isAccessEnded(client)) {
    await recordAttemptSuccess(dependencies.pool, attempt)
    await assertAccessNotEnded(dependencies, client)
    return { secondFactor: true, ticket: await beginTicket(dependencies, context, client) }
  }
  const token =
    (await signInWithoutLock(dependencies, client, context, 'logIn', attemptSuccessSql(attempt))) ??
    (await transaction(dependencies.pool, (tx) => signInClient(tx, dependencies, client, context, 'logIn')))
  return { token }
}

/** Throws why a client with the correct password may not log in. */
export async function assertAccessNotEnded(
  dependencies: Dependencies,
  client: Pick<SigningInRow, 'state'>,
): Promise<void> {
  if (!isAccessEnded(client)) return
  const { supportEmail: email } = await dependencies.settings.get('firm')
  throw new Problem(client.state === 'suspended' ? 'access-suspended' : 'access-closed', { values: { email } })
}

function isAccessEnded({ state }: Pick<SigningInRow, 'state'>): boolean {
  return state === 'suspended' || state === 'closed'
}

async function beginTicket(dependencies: Dependencies, context: RequestContext, client: SigningInRow): Promise<string> {
  const { now, device, address } = context
  const life = { idleSeconds: ticketSeconds, lifeSeconds: ticketSeconds }
  const sessionId = await transaction(dependencies.pool, async (tx) => {
    await lockClientForSignIn(tx, client)
    return beginSession(tx, { audience: 'ticket', clientId: client.id, ...life, device, address, proved: false }, now)
  })
  return signToken(dependencies.keys, 'ticket', sessionId, {}, now)
}
