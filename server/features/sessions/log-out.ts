/**
 * The current session: shows its user, with a new token if one is due (requirements 4.3, 4.4), changes the language of
 * emails, and ends it.
 */
import type { logout, setLanguage, Claims, currentUser, User } from '#contract/users-session.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction, run } from '../../db/sql.ts'
import type { Handler } from '../../http/request-context.ts'
import { endSession } from '../../http/sessions.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { Problem } from '../../http/problem.ts'
import { signToken, tokenLifeSeconds } from '../../http/tokens.ts'
import { registeringToken, registeringUser } from '../../auth/registering.ts'
import { claimsOf, readUser } from '../../auth/user.ts'

/** Ends the session of the token, immediately and on every server. */
export const logOut: Handler<typeof logout> = async (dependencies, context) => {
  const { caller, now } = context
  if (caller.kind !== 'client' && caller.kind !== 'registering') return {}
  await transaction(dependencies.pool, async (tx) => {
    await endSession(tx, caller.sessionId, now)
    if (caller.kind === 'client') {
      const { clientId } = caller
      await recordEvent(tx, context.auditContext, { kind: 'client', action: 'logOut', record: clientId, clientId })
    }
  })
  return {}
}

/** Sets the language of emails for a client, or for a person who registers. */
export const chooseLanguage: Handler<typeof setLanguage> = async (dependencies, { caller, body }) => {
  const { language } = body
  if (caller.kind === 'client') {
    await run(dependencies.pool)`update clients set language = ${language} where id = ${caller.clientId}`
  } else if (caller.kind === 'registering') {
    await run(dependencies.pool)`update registrations set language = ${language} where id = ${caller.registrationId}`
  }
  return {}
}

/** Returns the user, and a new token if half of the old one's validity is over or a claim has changed. */
export const showUser: Handler<typeof currentUser> = async (dependencies, context) => {
  const { caller, now } = context
  if (caller.kind === 'registering') {
    const user = await registeringUser(dependencies.pool, caller.registrationId)
    const fresh = isHalfOver(caller.tokenIssuedAt, now)
      ? await registeringToken(dependencies, dependencies.pool, caller, now)
      : null
    return answer(user, fresh, caller.tokenIssuedAt, now)
  }
  if (caller.kind !== 'client') throw new Problem('not-signed-in')
  const user = await readUser(dependencies, dependencies.pool, caller.clientId)
  const claims = claimsOf(user, caller.sessionId)
  const due = isHalfOver(caller.tokenIssuedAt, now) || differ(claims, caller.claims)
  const fresh = due ? await signToken(dependencies.keys, 'portal', caller.sessionId, claims, now) : null
  return answer(user, fresh, caller.tokenIssuedAt, now)
}

function answer(user: User, token: string | null, issuedAt: number, now: Date): ResponseOf<typeof currentUser> {
  const begun = token === null ? issuedAt : Math.floor(now.getTime() / 1000)
  return { user: { ...user, tokenEndsAt: begun + tokenLifeSeconds }, ...(token === null ? {} : { token }) }
}

/** Returns whether more than half of a token's validity is over. */
function isHalfOver(issuedAt: number, now: Date): boolean {
  return now.getTime() / 1000 - issuedAt >= tokenLifeSeconds / 2
}

function differ(claims: Claims, carried: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(claims).some(([name, value]) => carried[name] !== value)
}
