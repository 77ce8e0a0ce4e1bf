/** Shows the current user, with a new token if one is due (requirements 4.3, 4.4). */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { Claims, currentUser, User } from '#contract/users-session.ts'
import type { Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { signToken, tokenLifeSeconds } from '../../http/tokens.ts'
import { signRegistrationToken, userOfRegistration } from '../../auth/registering.ts'
import { claimsOf, readUser } from '../../auth/user.ts'

/** Returns the user, and a new token if half of the old one's validity is over or a claim has changed. */
export const showUser: Handler<typeof currentUser> = async (dependencies, context) => {
  const { caller, now } = context
  if (caller.kind === 'registering') {
    const user = await userOfRegistration(dependencies.pool, caller.registrationId)
    const fresh = isHalfOver(caller.tokenIssuedAt, now)
      ? await signRegistrationToken(dependencies, dependencies.pool, caller, now)
      : null
    return userResponse(user, fresh, caller.tokenIssuedAt, now)
  }
  if (caller.kind !== 'client') throw new Problem('not-signed-in')
  const user = await readUser(dependencies, dependencies.pool, caller.clientId)
  const claims = claimsOf(user, caller.sessionId)
  const due = isHalfOver(caller.tokenIssuedAt, now) || areClaimsChanged(claims, caller.claims)
  const fresh = due ? await signToken(dependencies.keys, 'portal', caller.sessionId, claims, now) : null
  return userResponse(user, fresh, caller.tokenIssuedAt, now)
}

function userResponse(user: User, token: string | null, issuedAt: number, now: Date): ResponseOf<typeof currentUser> {
  const begun = token === null ? issuedAt : Math.floor(now.getTime() / 1000)
  return { user: { ...user, tokenEndsAt: begun + tokenLifeSeconds }, ...(token === null ? {} : { token }) }
}

/** Returns whether more than half of a token's validity is over. */
function isHalfOver(issuedAt: number, now: Date): boolean {
  return now.getTime() / 1000 - issuedAt >= tokenLifeSeconds / 2
}

function areClaimsChanged(claims: Claims, carried: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(claims).some(([name, value]) => carried[name] !== value)
}
