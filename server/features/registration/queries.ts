import type { Language } from '#rules/choices.ts'
import type { StoredProfile } from '#rules/profile-fields.ts'
import { registrationSteps, type RegistrationStep } from '#rules/registration.ts'
import type { ClientState } from '#rules/clients.ts'
import type { ClientId } from '#rules/ids.ts'
import { profileColumns } from '../../db/profile-columns.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import type { FirstAnswers } from '../../auth/registering.ts'

type Fields = Record<string, string | number | boolean>

export interface Registration {
  id: string
  email: string
  decoy: boolean
  answers: { '1.1': FirstAnswers; '1.2'?: { securityQuestion: string } }
  passwordHash: string
  securityAnswerHash: string | null
  subStep: number
  language: Language
  mailSentAt: Date | null
  confirmedAt: Date | null
  toldAt: Date | null
  clientId: SignedInClientId | null
  createdAt: Date
}

const columns = sql`id, email::text as email, decoy, answers, password_hash as "passwordHash",
  security_answer_hash as "securityAnswerHash", sub_step as "subStep", language, mail_sent_at as "mailSentAt",
  confirmed_at as "confirmedAt", told_at as "toldAt", client_id as "clientId", created_at as "createdAt"`

/** Returns a registration. Throws `session-ended` if it does not exist. */
export async function readRegistrationRow(connection: Connection, id: string): Promise<Registration> {
  const found = await row<Registration>(connection)`select ${columns} from registrations where id = ${id}`
  if (!found) throw new Problem('session-ended')
  return found
}

/** Returns the same, locked until the transaction ends. */
export async function lockRegistration(connection: Connection, id: string): Promise<Registration> {
  const found = await row<Registration>(connection)`select ${columns} from registrations where id = ${id} for update`
  if (!found) throw new Problem('session-ended')
  return found
}

/** Returns whether a client has this address. */
export async function isKnownEmail(connection: Connection, email: string): Promise<boolean> {
  const found = await row<{ known: boolean }>(connection)`
    select exists (select from clients where email = ${email}) as known`
  return found?.known ?? false
}

export interface Progress extends StoredProfile {
  id: ClientId
  email: string
  state: ClientState
  language: Language
  step: number
  subStep: number
  securityQuestion: string | null
  employment: Fields | null
  tradingExperience: Fields | null
  wantedAccount: Fields | null
}

const progressColumns = sql`id, email::text as email, state, language, step, sub_step as "subStep",
  ${profileColumns}, security_question as "securityQuestion", employment, trading_experience as "tradingExperience",
  wanted_account as "wantedAccount"`

/** Returns the progress of a client's registration, locked until the transaction ends. */
export async function lockProgress(connection: Connection, clientId: SignedInClientId): Promise<Progress> {
  const found = await row<Progress>(connection)`
    select ${progressColumns} from clients where id = ${clientId} for update`
  if (!found) throw new Problem('session-ended')
  return found
}

/** Returns the progress of a client's registration. */
export async function readProgress(connection: Connection, clientId: SignedInClientId): Promise<Progress> {
  const found = await row<Progress>(connection)`select ${progressColumns} from clients where id = ${clientId}`
  if (!found) throw new Problem('session-ended')
  return found
}

/** Returns the versions of the texts that steps 5.1 to 5.3 accepted, by key. */
export async function acceptedVersions(
  connection: Connection,
  clientId: SignedInClientId,
): Promise<Map<string, number>> {
  const found = await rows<{ key: string; version: number }>(connection)`
    select text_key as key, max(version) as version from consents where client_id = ${clientId} group by text_key`
  return new Map(found.map(({ key, version }) => [key, version]))
}

/** Returns the first step that is not saved yet. */
export function dueStep(progress: { readonly step: number; readonly subStep: number }): RegistrationStep {
  const name = `${progress.step}.${progress.subStep}`
  const due = registrationSteps.find((step) => step === name)
  if (!due) throw new Error(`${name} is not a registration step`)
  return due
}
