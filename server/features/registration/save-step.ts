/** Dispatches one substep of the registration: its owner, whether it is due, and the next one. */
import type { ResponseOf } from '#contract/endpoint.ts'
import { readRegistration, type registerWeb, type RegistrationSubmission } from '#contract/registration.ts'
import { checkStep, stepMarkOf, nextStep, type RegistrationStep } from '#rules/registration.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import type { SignedInClientId, RegisteringCaller } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { beginRegistration, changeFirstAnswers } from './begin-registration.ts'
import { dueStep, readRegistrationRow } from './queries.ts'
import { saveClientStep } from './save-client-step.ts'
import { saveSecurityQuestion } from './save-security-question.ts'
import { notifyConfirmed } from './notify-confirmed.ts'

type Next = ResponseOf<typeof registerWeb>['data']

/** Saves a substep and returns the next one, with a token if it changed. */
export const saveStep: Handler<typeof registerWeb> = async (dependencies, context) => {
  const submission = readRegistration(context.body)
  const { caller } = context
  if (caller.kind === 'client')
    return { data: await saveAsClient(dependencies, context, caller.clientId, caller.sessionId, submission) }
  if (caller.kind === 'registering') return { data: await saveAsRegistering(dependencies, context, caller, submission) }
  if (submission.name !== '1.1') throw new Problem('not-signed-in')
  const token = await beginRegistration(dependencies, context, submission.answers)
  return { data: { ...stepAfter('1.1'), token } }
}

async function saveAsRegistering(
  dependencies: Dependencies,
  context: RequestContext<typeof registerWeb>,
  caller: RegisteringCaller,
  submission: RegistrationSubmission,
): Promise<Next> {
  const registration = await readRegistrationRow(dependencies.pool, caller.registrationId)
  const confirmed = registration.confirmedAt !== null
  throwIfProblem(checkStep(submission.name, dueStep({ step: 1, subStep: registration.subStep }), confirmed))
  if (submission.name === '1.1') await changeFirstAnswers(dependencies, context, registration.id, submission.answers)
  else if (submission.name === '1.2')
    await saveSecurityQuestion(dependencies, context, registration.id, submission.answers)
  else {
    const signedIn = await notifyConfirmed(dependencies, context, caller, registration)
    if (!signedIn) throw new Problem('session-ended')
    return { ...stepAfter(submission.name), token: signedIn.token }
  }
  return stepAfter(submission.name)
}

async function saveAsClient(
  dependencies: Dependencies,
  context: RequestContext<typeof registerWeb>,
  clientId: SignedInClientId,
  sessionId: string,
  submission: RegistrationSubmission,
): Promise<Next> {
  const token = await saveClientStep(dependencies, context, { clientId, sessionId }, submission)
  const next = stepAfter(submission.name)
  return token === null ? next : { ...next, token }
}

function stepAfter(step: RegistrationStep): Next {
  const next = nextStep(step)
  return next === null ? { completed: true } : { ...stepMarkOf(next) }
}
