/** The second step of a sign-in: a ticket bound to the first, and a code that counts once (quality-bar A13, A14). */
import type { loginSecondFactor } from '#contract/users-session.ts'
import { signInFailureSeconds, signInFailuresPerPair } from '#rules/constants.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { clear, limit, type Bucket } from '../../http/rate-limits.ts'
import { callerOf, endSession } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'
import { signInClient } from '../../auth/client-sessions.ts'
import { noteFailedTry } from '../../auth/failed-attempts.ts'
import { checkCode } from '../../auth/second-factor.ts'
import { countWrong, holdTicket } from '../../auth/sign-in-tickets.ts'
import { refuseEnded } from './log-in.ts'
import { clientById } from './queries.ts'

/** The token of a new session. Five wrong codes end the ticket; wrong codes are counted per person too. */
export async function logInSecondFactor(
  parts: Parts,
  call: Call<typeof loginSecondFactor>,
): Promise<{ token: string }> {
  const { now } = call
  const ticket = await callerOf(parts.pool, parts.keys, call.body.ticket, ['ticket'], now, true)
  if (ticket?.kind !== 'ticket' || ticket.clientId === null) throw new Problem('ticket-ended')
  const tries: Bucket = { name: 'portal-factor', who: ticket.clientId, windowSeconds: signInFailureSeconds }
  await limit(parts.pool, tries, signInFailuresPerPair, now)
  const client = await clientById(parts.pool, ticket.clientId)
  if (!client) throw new Problem('ticket-ended')
  await refuseEnded(parts, client)
  const token = await transaction(parts.pool, async (tx) => {
    await holdTicket(tx, ticket.sessionId, now)
    if (!(await checkCode(tx, parts, { table: 'clients', id: client.id }, client.factorSecret, call.body.code, now))) {
      await countWrong(tx, ticket.sessionId, now)
      return null
    }
    await endSession(tx, ticket.sessionId, now)
    return signInClient(tx, parts, client, call, 'logInSecondFactor')
  })
  if (token === null) {
    noteFailedTry(parts, call, { kind: 'client', id: client.id }, 'codeRefused')
    throw new Problem('login-code-wrong')
  }
  await clear(parts.pool, tries)
  return { token }
}
