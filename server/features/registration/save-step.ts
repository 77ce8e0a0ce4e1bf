/** One substep of the registration: whose it is, whether it is its turn, and what comes next. */
import type { AnswerOf } from '#contract/endpoint.ts'
import { readRegistration, type registerWeb, type RegistrationSubmission } from '#contract/registration.ts'
import { checkStep, markOf, nextStep, type RegistrationStep } from '#rules/registration.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { ClientId, RegisteringCaller } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'
import { beginRegistration, changeFirstAnswers } from './begin-registration.ts'
import { dueStep, readRegistrationRow } from './queries.ts'
import { saveClientStep } from './save-client-step.ts'
import { saveSecurityQuestion } from './save-security-question.ts'
import { tellConfirmed } from './notify-confirmed.ts'

type Next = AnswerOf<typeof registerWeb>['data']

/** Saves a substep and answers what comes next, with a token where it changed. */
export async function saveStep(parts: Parts, call: Call<typeof registerWeb>): Promise<{ data: Next }> {
  const submission = readRegistration(call.body)
  const { caller } = call
  if (caller.kind === 'client')
    return { data: await saveAsClient(parts, call, caller.clientId, caller.sessionId, submission) }
  if (caller.kind === 'registering') return { data: await saveAsRegistering(parts, call, caller, submission) }
  if (submission.name !== '1.1') throw new Problem('not-signed-in')
  const token = await beginRegistration(parts, call, submission.answers)
  return { data: { ...after('1.1'), token } }
}

async function saveAsRegistering(
  parts: Parts,
  call: Call<typeof registerWeb>,
  caller: RegisteringCaller,
  submission: RegistrationSubmission,
): Promise<Next> {
  const registration = await readRegistrationRow(parts.pool, caller.registrationId)
  const confirmed = registration.confirmedAt !== null
  refuse(checkStep(submission.name, dueStep({ step: 1, subStep: registration.subStep }), confirmed))
  if (submission.name === '1.1') await changeFirstAnswers(parts, call, registration.id, submission.answers)
  else if (submission.name === '1.2') await saveSecurityQuestion(parts, call, registration.id, submission.answers)
  else {
    const told = await tellConfirmed(parts, call, caller, registration)
    if (!told) throw new Problem('session-ended')
    return { ...after(submission.name), token: told.token }
  }
  return after(submission.name)
}

async function saveAsClient(
  parts: Parts,
  call: Call<typeof registerWeb>,
  clientId: ClientId,
  sessionId: string,
  submission: RegistrationSubmission,
): Promise<Next> {
  const token = await saveClientStep(parts, call, { clientId, sessionId }, submission)
  const next = after(submission.name)
  return token === null ? next : { ...next, token }
}

function after(step: RegistrationStep): Next {
  const next = nextStep(step)
  return next === null ? { completed: true } : { ...markOf(next) }
}
