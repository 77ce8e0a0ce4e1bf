/** Returns the state of the caller's registration: requirements 3.11. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { checkUserRegister } from '#contract/registration.ts'
import { tokenLifeSeconds } from '../../http/tokens.ts'
import type { Handler } from '../../http/register-endpoint.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { registeringToken } from '../../auth/registering.ts'
import { acceptedVersions, readProgress, readRegistrationRow } from './queries.ts'
import { answersOfClient, answersOfRegistration } from './saved-answers.ts'
import { secondsUntilResend } from './send-confirmation.ts'
import { notifyConfirmed } from './notify-confirmed.ts'

type RegistrationStatus = ResponseOf<typeof checkUserRegister>['data']

/** Step, substep and saved answers; once, with a client's token, that the address was confirmed elsewhere. */
export const checkRegistration: Handler<typeof checkUserRegister> = async (dependencies, context) => {
  const { caller, now } = context
  if (caller.kind === 'client') return { data: await registrationStatusOf(dependencies, caller.clientId) }
  if (caller.kind !== 'registering') throw new Problem('not-signed-in')
  const registration = await readRegistrationRow(dependencies.pool, caller.registrationId)
  const told = await notifyConfirmed(dependencies, context, caller, registration)
  if (told)
    return {
      data: { ...(await registrationStatusOf(dependencies, told.clientId)), confirmed: true, token: told.token },
    }
  const fresh = now.getTime() / 1000 - caller.tokenIssuedAt >= tokenLifeSeconds / 2
  return {
    data: {
      step: 1,
      subStep: registration.subStep,
      completed: false,
      email: registration.email,
      emailConfirmed: registration.confirmedAt !== null,
      resendInSeconds: secondsUntilResend(registration.mailSentAt, now),
      answers: answersOfRegistration(registration),
      ...(fresh ? { token: await registeringToken(dependencies, dependencies.pool, caller, now) } : {}),
    },
  }
}

async function registrationStatusOf(
  dependencies: Dependencies,
  clientId: SignedInClientId,
): Promise<RegistrationStatus> {
  const progress = await readProgress(dependencies.pool, clientId)
  const accepted = await acceptedVersions(dependencies.pool, clientId)
  return {
    step: progress.step,
    subStep: progress.subStep,
    completed: progress.state !== 'registering',
    email: progress.email,
    emailConfirmed: true,
    resendInSeconds: 0,
    answers: answersOfClient(progress, accepted),
  }
}
