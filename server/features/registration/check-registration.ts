/** Where the bearer's registration stands: product-decisions sections 5 and 10. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { checkUserRegister } from '#contract/registration.ts'
import { tokenLifeSeconds } from '../../http/tokens.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { ClientId } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'
import { registeringToken } from '../../auth/registering.ts'
import { acceptedVersions, readProgress, readRegistrationRow } from './queries.ts'
import { answersOfClient, answersOfRegistration } from './saved-answers.ts'
import { secondsUntilResend } from './send-confirmation.ts'
import { tellConfirmed } from './notify-confirmed.ts'

type Standing = AnswerOf<typeof checkUserRegister>['data']

/** Step, substep and saved answers; once, with a client's token, that the address was confirmed elsewhere. */
export async function checkRegistration(
  parts: Parts,
  call: Call<typeof checkUserRegister>,
): Promise<{ data: Standing }> {
  const { caller, now } = call
  if (caller.kind === 'client') return { data: await standingOf(parts, caller.clientId) }
  if (caller.kind !== 'registering') throw new Problem('not-signed-in')
  const registration = await readRegistrationRow(parts.pool, caller.registrationId)
  const told = await tellConfirmed(parts, call, caller, registration)
  if (told) return { data: { ...(await standingOf(parts, told.clientId)), confirmed: true, token: told.token } }
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
      ...(fresh ? { token: await registeringToken(parts, parts.pool, caller, now) } : {}),
    },
  }
}

async function standingOf(parts: Parts, clientId: ClientId): Promise<Standing> {
  const progress = await readProgress(parts.pool, clientId)
  const accepted = await acceptedVersions(parts.pool, clientId)
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
