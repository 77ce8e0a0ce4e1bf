/** The second step of a login: a ticket bound to the first step, and a one-time code (requirements 26.13, 26.14). */
import type { loginSecondFactor } from '#contract/users-session.ts'
import { confirmationFailuresMax, signInFailureSeconds } from '#rules/constants.ts'
import { transaction } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clearBucket, enforceLimit, type Bucket } from '../../http/rate-limits.ts'
import { resolveCaller, endSession } from '../../http/sessions.ts'
import { signInClient } from '../../auth/client-sessions.ts'
import { recordWrongCode } from '../../auth/failed-attempts.ts'
import { verifyFactorCode } from '../../auth/second-factor.ts'
import { countWrongCode, lockTicket } from '../../auth/sign-in-tickets.ts'
import { assertAccessNotEnded } from './log-in.ts'
import { clientById } from './queries.ts'

/** Returns the token of a new session. Five wrong codes end the ticket; wrong codes are counted per person too. */
export const logInSecondFactor: Handler<typeof loginSecondFactor> = async (dependencies, context) => {
  const { now } = context
  const ticket = await resolveCaller(dependencies.pool, dependencies.keys, context.body.ticket, ['ticket'], now, true)
  if (ticket?.kind !== 'ticket' || ticket.clientId === null) throw new Problem('ticket-ended')
  const tries: Bucket = { name: 'portal-factor', who: ticket.clientId, windowSeconds: signInFailureSeconds }
  await enforceLimit(dependencies.pool, tries, confirmationFailuresMax, now)
  const client = await clientById(dependencies.pool, ticket.clientId)
  if (!client) throw new Problem('ticket-ended')
  await assertAccessNotEnded(dependencies, client)
  const token = await transaction(dependencies.pool, async (tx) => {
    await lockTicket(tx, ticket.sessionId, now)
    if (
      !(await verifyFactorCode(
        tx,
        dependencies,
        { table: 'clients', id: client.id },
        client.factorSecret,
        context.body.code,
        now,
      ))
    ) {
      await countWrongCode(tx, ticket.sessionId, now)
      return null
    }
    await endSession(tx, ticket.sessionId, now)
    return signInClient(tx, dependencies, client, context, 'logInSecondFactor')
  })
  if (token === null) {
    recordWrongCode(dependencies, context, { kind: 'client', ...client })
    throw new Problem('login-code-wrong')
  }
  await clearBucket(dependencies.pool, tries)
  return { token }
}
