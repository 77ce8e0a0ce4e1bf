/** Somebody whose e-mail address is not confirmed yet: a registration, not a client (requirements 3.14). */
import type { User } from '#contract/users-session.ts'
import type { Language, Title } from '#rules/choices.ts'
import { row, sql, type Connection } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { signToken } from '../http/tokens.ts'
import type { Dependencies } from '../dependencies.ts'
import { claimsOf } from './user.ts'

export interface FirstAnswers {
  readonly title: Title
  readonly name: string
  readonly surname: string
  readonly country: string
  readonly termsVersion: number
  readonly privacyVersion: number
}

/** A registration as the user that it may become. Throws `session-ended` where it is gone. */
export async function registeringUser(connection: Connection, registrationId: string): Promise<User> {
  const found = await row<{ email: string; language: Language; first: FirstAnswers }>(
    connection,
    sql`select email::text as email, language, answers -> '1.1' as first from registrations where id = ${registrationId}`,
  )
  if (!found) throw new Problem('session-ended')
  const { title, name, surname, country } = found.first
  return {
    id: registrationId,
    email: found.email,
    title,
    name,
    surname,
    country,
    language: found.language,
    birthDay: null,
    birthMonth: null,
    birthYear: null,
    mobilePhone: null,
    addressNo: null,
    address: '',
    city: null,
    postcode: null,
    county: '',
    nationality: null,
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

/** The token of a registration: good for the registration alone. */
export async function registeringToken(
  dependencies: Pick<Dependencies, 'keys'>,
  connection: Connection,
  session: { readonly registrationId: string; readonly sessionId: string },
  now: Date,
): Promise<string> {
  const user = await registeringUser(connection, session.registrationId)
  return signToken(dependencies.keys, 'registering', session.sessionId, claimsOf(user, session.sessionId), now)
}
