/**
 * Step 1.1. A known address starts a registration that behaves alike and can never be confirmed, so that the caller
 * learns nothing (requirements 3.14, 3.15).
 */
import type { RegistrationAnswers } from '#contract/registration.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import { fieldsOfStep, pick } from '#rules/profile-fields.ts'
import { run, transaction, type Transaction, requireRow } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { networkOf } from '../../http/network.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { beginSession } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { signRegistrationToken } from '../../auth/registering.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { limitHashedAnswers } from './limit-answers.ts'
import { lockRegistration, isKnownEmail, readRegistrationRow } from './queries.ts'
import { assertResendAllowed, sendConfirmation } from './send-confirmation.ts'

type FirstAnswers = RegistrationAnswers['1.1']

/** Starts a registration and returns its token. */
export async function beginRegistration(
  dependencies: Dependencies,
  context: RequestContext,
  given: FirstAnswers,
): Promise<string> {
  await limitRegistrations(dependencies, context)
  const { answers, passwordHash } = await checkFirst(dependencies, context, given)
  const { confirmationHours } = await dependencies.settings.get('security')
  const lifeSeconds = confirmationHours * 3600
  const { now, device, address } = context
  return transaction(dependencies.pool, async (tx) => {
    const decoy = await isKnownEmail(tx, given.email)
    const begun = await requireRow<{ id: string }>(tx)`
      insert into registrations (email, decoy, answers, password_hash, language, created_at)
        values (${given.email}, ${decoy}, ${JSON.stringify({ '1.1': answers })}::text::jsonb, ${passwordHash},
          ${context.language}, ${now})
        returning id`
    const registrationId = begun.id
    const sessionId = await beginSession(
      tx,
      {
        audience: 'registering',
        registrationId,
        idleSeconds: lifeSeconds,
        lifeSeconds,
        device,
        address,
        proved: false,
      },
      now,
    )
    return signRegistrationToken(dependencies, tx, { registrationId, sessionId }, now)
  })
}

/** Counts an address that is registered from a network, because it is sent an email. Throws `too-many`. */
export async function limitRegistrations(
  { pool, settings }: Pick<Dependencies, 'pool' | 'settings'>,
  { address, now }: Pick<RequestContext, 'address' | 'now'>,
): Promise<void> {
  const { registrationsPerHour } = await settings.get('rateLimits')
  await enforceLimit(pool, perHour('registrations', networkOf(address)), registrationsPerHour, now)
}

/** Saves 1.1 again before the address is confirmed; a changed address is sent a new email. */
export async function changeFirstAnswers(
  dependencies: Dependencies,
  context: RequestContext,
  registrationId: string,
  given: FirstAnswers,
): Promise<void> {
  await limitHashedAnswers(dependencies, registrationId, context.now)
  const { answers, passwordHash } = await checkFirst(dependencies, context, given)
  const { email } = await readRegistrationRow(dependencies.pool, registrationId)
  if (email !== given.email) await limitRegistrations(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const registration = await lockRegistration(tx, registrationId)
    if (registration.confirmedAt) throw new Problem('step-closed')
    const all = { ...registration.answers, '1.1': answers }
    await run(tx)`
      update registrations set answers = ${JSON.stringify(all)}::text::jsonb, password_hash = ${passwordHash}
        where id = ${registrationId}`
    if (registration.email !== given.email)
      await moveToAddress(tx, dependencies, registration.id, given.email, context.now)
  })
}

/** Moves a registration to another address. It becomes a decoy if the address is known, and an ordinary one if not. */
export async function moveToAddress(
  tx: Transaction,
  dependencies: Dependencies,
  registrationId: string,
  email: string,
  now: Date,
): Promise<void> {
  const registration = await lockRegistration(tx, registrationId)
  const decoy = await isKnownEmail(tx, email)
  await run(tx)`update registrations set email = ${email}, decoy = ${decoy} where id = ${registrationId}`
  if (!registration.mailSentAt) return
  assertResendAllowed(registration.mailSentAt, now)
  await sendConfirmation(tx, dependencies, { ...registration, email, decoy }, now)
}

async function checkFirst(dependencies: Dependencies, context: RequestContext, given: FirstAnswers) {
  const { changes } = await dependencies.settings.get('countries')
  throwIfProblem(checkResidence(countryOf(given.country, changes)), { field: 'country' })
  const { terms, privacy } = await dependencies.settings.get('legalTexts')
  assertSameVersion(given.termsVersion, terms.version, 'termsVersion')
  assertSameVersion(given.privacyVersion, privacy.version, 'privacyVersion')
  const password = await decryptPassword(dependencies, given.password, context.now)
  await checkNewPassword(dependencies, password, [given.name, given.surname, given.email])
  const { acceptTerms, acceptPrivacy, termsVersion, privacyVersion } = given
  const profile = pick(given, fieldsOfStep('1.1'))
  const acceptance = { acceptedAt: context.now.toISOString(), acceptedFrom: context.address }
  const answers = { ...profile, acceptTerms, acceptPrivacy, termsVersion, privacyVersion, ...acceptance }
  return { answers, passwordHash: await hashPassword(password) }
}

/** Throws with the version in force if the accepted text is another one. */
export function assertSameVersion(read: number, version: number, field: string): void {
  if (read !== version) throw new Problem('text-replaced', { field, values: { version } })
}
