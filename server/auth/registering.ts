/** A person whose email address is not confirmed yet: a registration, not a client (requirements 3.14). */
import type { User } from '#contract/users-session.ts'
import type { RegistrationAnswers } from '#contract/registration.ts'
import type { Language } from '#rules/choices.ts'
import { emptyProfile, fieldsOfStep, pick } from '#rules/profile-fields.ts'
import { row, type Connection } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { signToken } from '../http/tokens.ts'
import type { Dependencies } from '../dependencies.ts'
import { birthDateParts, claimsOf } from './user.ts'

/** Step 1.1 as stored, with the time (ISO) and the address of its last save; none of an older version. */
export type FirstAnswers = Omit<RegistrationAnswers['1.1'], 'step' | 'subStep' | 'email' | 'password'> & {
  readonly acceptedAt?: string
  readonly acceptedFrom?: string
}

/** Returns a registration as the user that it may become. Throws `session-ended` if the registration was deleted. */
export async function userOfRegistration(connection: Connection, registrationId: string): Promise<User> {
  const found = await row<{ email: string; language: Language; first: FirstAnswers }>(connection)`
    select email::text as email, language, answers -> '1.1' as first from registrations where id = ${registrationId}`
  if (!found) throw new Problem('session-ended')
  const { birthDate, ...profile } = { ...emptyProfile, ...pick(found.first, fieldsOfStep('1.1')) }
  return {
    id: registrationId,
    email: found.email,
    ...profile,
    ...birthDateParts(birthDate),
    language: found.language,
    status: 'registering',
    registered: false,
    continueRegistration: true,
    clientStatus: 'retail',
    acceptedDeclaration: false,
    gcenApiKYCPass: false,
    gcenApiDocsSubmitted: false,
    gcenApiClientId: null,
    socialId: null,
    secondFactor: false,
    tokenEndsAt: null,
  }
}

/** Returns the token of a registration, which is valid for the registration only. */
export async function signRegistrationToken(
  dependencies: Pick<Dependencies, 'keys'>,
  connection: Connection,
  session: { readonly registrationId: string; readonly sessionId: string },
  now: Date,
): Promise<string> {
  const user = await userOfRegistration(connection, session.registrationId)
  return signToken(dependencies.keys, 'registering', session.sessionId, claimsOf(user, session.sessionId), now)
}
