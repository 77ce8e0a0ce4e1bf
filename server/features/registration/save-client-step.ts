/** Steps 1.3 to 5.3, after the address is confirmed: stored in the client's own record. */
import type { RegistrationAnswers, RegistrationSubmission } from '#contract/registration.ts'
import { clientMachine } from '#rules/clients.ts'
import { fieldsOfStep, profileFields } from '#rules/profile-fields.ts'
import {
  acceptingSteps,
  checkStep,
  stepMarkOf,
  nextStep,
  registrationSteps,
  type RegistrationStep,
} from '#rules/registration.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordClientEvent } from '../../db/events.ts'
import { join, raw, run, sql, type Sql, transaction, type Transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { writeConsent } from '../../auth/consents.ts'
import { normalizeSecurityAnswer, hashPassword } from '../../auth/password-hash.ts'
import { assertProfile, profileOf } from '../../auth/profile-input.ts'
import { signUserToken } from '../../auth/user.ts'
import { assertSameVersion } from './begin-registration.ts'
import { limitHashedAnswers } from './limit-answers.ts'
import { dueStep, lockProgress, type Progress } from './queries.ts'
import { assertSameQuestion } from './save-security-question.ts'

type Columns = Readonly<Record<string, unknown>>

/** Saves a step; returns a token if it changes the claims: at the country, and at the end. */
export async function saveClientStep(
  dependencies: Dependencies,
  context: RequestContext,
  session: { readonly clientId: SignedInClientId; readonly sessionId: string },
  submission: RegistrationSubmission,
): Promise<string | null> {
  const { clientId } = session
  // Hashed before any lock, because it takes long.
  const answerHash =
    submission.name === '1.2' ? await hashedAnswer(dependencies, context, clientId, submission.answers) : null
  return transaction(dependencies.pool, async (tx) => {
    const progress = await lockProgress(tx, clientId)
    if (progress.state !== 'registering') throw new Problem('registration-over')
    const due = dueStep(progress)
    throwIfProblem(checkStep(submission.name, due, true))
    const columns = await columnsOf(dependencies, context, progress, submission, answerHash)
    await recordAcceptance(tx, dependencies, context, clientId, submission)
    await updateProgress(tx, clientId, columns, laterStep(due, nextStep(submission.name) ?? due))
    await recordClientEvent(tx, context.auditContext, clientId, {
      action: 'saveRegistrationStep',
      details: { step: submission.name },
    })
    if (submission.name === '5.3') await completeRegistration(tx, context, progress)
    return submission.name === '5.3' || submission.name === '2.3'
      ? signUserToken(dependencies, tx, session, context.now)
      : null
  })
}

async function hashedAnswer(
  dependencies: Dependencies,
  context: RequestContext,
  clientId: SignedInClientId,
  { securityAnswer }: RegistrationAnswers['1.2'],
): Promise<string> {
  await limitHashedAnswers(dependencies, clientId, context.now)
  return hashPassword(normalizeSecurityAnswer(securityAnswer))
}

/** Returns the columns for a step's answers. */
async function columnsOf(
  dependencies: Dependencies,
  context: RequestContext,
  progress: Progress,
  submission: RegistrationSubmission,
  answerHash: string | null,
): Promise<Columns> {
  switch (submission.name) {
    case '1.2': {
      const { securityQuestion } = submission.answers
      const { questions } = await dependencies.settings.get('security')
      assertSameQuestion(questions, securityQuestion)
      return { security_question: securityQuestion, security_answer_hash: answerHash }
    }
    case '2.1':
    case '2.2':
    case '2.3':
    case '2.4': {
      const given = profileOf(submission.answers)
      await assertProfile(dependencies, context.now, given)
      return Object.fromEntries(fieldsOfStep(submission.name).map((name) => [profileFields[name].column, given[name]]))
    }
    case '2.5':
    case '2.6':
      return { employment: jsonbValue({ ...progress.employment, ...withoutStepNumbers(submission.answers) }) }
    case '3.1':
      return { trading_experience: jsonbValue(withoutStepNumbers(submission.answers)) }
    case '4.1':
    case '4.2':
    case '4.3':
      return { wanted_account: jsonbValue({ ...progress.wantedAccount, ...withoutStepNumbers(submission.answers) }) }
    default:
      return {}
  }
}

function withoutStepNumbers(answers: object): object {
  return Object.fromEntries(Object.entries(answers).filter(([name]) => name !== 'step' && name !== 'subStep'))
}

function jsonbValue(fields: object): Sql {
  return sql`${JSON.stringify(fields)}::text::jsonb`
}

async function updateProgress(tx: Transaction, clientId: SignedInClientId, columns: Columns, due: RegistrationStep) {
  const { step, subStep } = stepMarkOf(due)
  const set = Object.entries({ ...columns, step, sub_step: subStep }).map(
    ([column, value]) => sql`${raw(column)} = ${value}`,
  )
  await run(tx)`update clients set ${join(set, ', ')}, version = version + 1 where id = ${clientId}`
}

function laterStep(one: RegistrationStep, other: RegistrationStep): RegistrationStep {
  return registrationSteps.indexOf(one) > registrationSteps.indexOf(other) ? one : other
}

/** Records the acceptance of 5.1 to 5.3, and of an invited client at 1.2, with the current versions of the texts. */
async function recordAcceptance(
  tx: Transaction,
  dependencies: Dependencies,
  context: RequestContext,
  clientId: SignedInClientId,
  submission: RegistrationSubmission,
): Promise<void> {
  if (submission.name === '1.2') return acceptTerms(tx, dependencies, context, clientId, submission.answers)
  if (submission.name !== '5.1' && submission.name !== '5.2' && submission.name !== '5.3') return
  const textKey = acceptingSteps[submission.name]
  const texts = await dependencies.settings.get('legalTexts')
  const { version } = texts[textKey]
  assertSameVersion(submission.answers.version, version, 'version')
  await writeConsent(tx, { clientId, textKey, version, address: context.address }, context.now)
}

/** Records that an invited client accepts the terms, which other clients accept at step 1.1. */
async function acceptTerms(
  tx: Transaction,
  dependencies: Dependencies,
  context: RequestContext,
  clientId: SignedInClientId,
  given: RegistrationAnswers['1.2'],
): Promise<void> {
  const { terms, privacy } = await dependencies.settings.get('legalTexts')
  const consents = [
    { textKey: 'terms', field: 'acceptTerms', ticked: given.acceptTerms, read: given.termsVersion, text: terms },
    {
      textKey: 'privacy',
      field: 'acceptPrivacy',
      ticked: given.acceptPrivacy,
      read: given.privacyVersion,
      text: privacy,
    },
  ] as const
  for (const { textKey, field, ticked, read, text } of consents) {
    if (ticked !== true || read === undefined) throw new Problem('must-accept', { field })
    assertSameVersion(read, text.version, `${textKey}Version`)
    await writeConsent(tx, { clientId, textKey, version: text.version, address: context.address }, context.now)
  }
}

/** Completes the registration: nothing is pending for staff yet; the client enters the inbox with the documents. */
async function completeRegistration(tx: Transaction, context: RequestContext, progress: Progress): Promise<void> {
  const { id, email, language } = progress
  await applyTransition(tx, clientMachine, context.auditContext, { id, clientId: id }, 'finishRegistration', {
    set: { registered_at: context.now },
  })
  await sendMail(tx, context.now, {
    kind: 'registration-received',
    to: email,
    language,
    facts: {},
    clientId: id,
    subject: 'client',
    record: id,
  })
}
