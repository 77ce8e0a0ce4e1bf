/** A client as the portal knows it, and the token that contains a part of it (requirements 4.4). */
import { claims as claimsSchema, type Claims, type User } from '#contract/users-session.ts'
import { isVerified, type ClientState } from '#rules/clients.ts'
import type { ClientStatus, Language, Title } from '#rules/choices.ts'
import type { StoredProfile } from '#rules/profile-fields.ts'
import type { ClientId } from '#rules/ids.ts'
import { profileColumns } from '../db/profile-columns.ts'
import { pipelinedRows } from '../db/pipelined-reader.ts'
import { sql, type Connection } from '../db/sql.ts'
import { signToken } from '../http/tokens.ts'
import type { Dependencies } from '../dependencies.ts'

/** A client as `userColumns` reads it. */
export interface UserRow extends StoredProfile {
  id: string
  number: bigint
  email: string
  state: ClientState
  clientStatus: ClientStatus
  title: Title
  language: Language
  registered: boolean
  declarationVersion: number | null
  documentsSent: boolean
  identityApproved: boolean
  addressApproved: boolean
  socialId: string | null
  secondFactor: boolean
}

type UserDependencies = Pick<Dependencies, 'settings' | 'keys'>

export const userColumns = sql`id, number, email::text as email, state, client_status as "clientStatus",
  ${profileColumns}, language, registered_at is not null as registered, declaration_version as "declarationVersion",
  documents_sent_at is not null as "documentsSent", identity_approved_at is not null as "identityApproved",
  address_approved_at is not null as "addressApproved", social_id as "socialId",
  factor_confirmed_at is not null as "secondFactor"`

/** Returns the user of a client; the caller adds `tokenEndsAt`. Throws if there is no such client. */
export async function readUser(
  dependencies: Pick<UserDependencies, 'settings'>,
  connection: Connection,
  clientId: ClientId,
): Promise<User> {
  const [found] = await pipelinedRows<UserRow>(
    connection,
    sql`select ${userColumns} from clients where id = ${clientId}`,
  )
  if (!found) throw new Error(`client ${clientId} not found`)
  return userOf(dependencies, found)
}

/** Returns the user of a client's row. */
export async function userOf(dependencies: Pick<UserDependencies, 'settings'>, found: UserRow): Promise<User> {
  const { clientAssetsDeclaration } = await dependencies.settings.get('legalTexts')
  const { number, state, declarationVersion, documentsSent, identityApproved, addressApproved, birthDate, ...fields } =
    found
  return {
    ...fields,
    ...birthDateParts(birthDate),
    status: state,
    continueRegistration: state === 'registering',
    acceptedDeclaration: declarationVersion === clientAssetsDeclaration.version,
    gcenApiKYCPass: isVerified({ identityApproved, addressApproved }),
    gcenApiDocsSubmitted: documentsSent,
    gcenApiClientId: String(number),
    tokenEndsAt: null,
  }
}

/** Returns the three fields of a birth date. */
export function birthDateParts(date: string | null) {
  const [birthYear = null, birthMonth = null, birthDay = null] = date?.split('-').map(Number) ?? []
  return { birthYear, birthMonth, birthDay }
}

/** Returns the part of a user that its token contains. */
export function claimsOf(user: User, sessionId: string): Claims {
  return claimsSchema.parse({ ...user, sid: sessionId })
}

/**
 * Signs the token of a session with the current claims, or with those of a client that was read in the same
 * transaction.
 */
export async function signUserToken(
  dependencies: UserDependencies,
  connection: Connection,
  session: { clientId: ClientId; sessionId: string },
  now: Date,
  found?: UserRow,
): Promise<string> {
  const user = await (found ? userOf(dependencies, found) : readUser(dependencies, connection, session.clientId))
  return signToken(dependencies.keys, 'portal', session.sessionId, claimsOf(user, session.sessionId), now)
}
