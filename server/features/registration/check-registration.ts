/** Returns the state of the caller's registration (requirements 3.11). */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { checkUserRegister } from '#contract/registration.ts'
import { tokenLifeSeconds } from '../../http/tokens.ts'
import type { Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { signRegistrationToken } from '../../auth/registering.ts'
import {
  acceptedVersions,
  readProgress,
  readRegistrationRow,
  dueStep,
  type Progress,
  type Registration,
} from './queries.ts'
import { secondsUntilResend } from './send-confirmation.ts'
import { notifyConfirmed } from './notify-confirmed.ts'
import { fieldsOfStep, pick } from '#rules/profile-fields.ts'
import { acceptingSteps, registrationSteps, type RegistrationStep } from '#rules/registration.ts'
import { birthDateParts } from '../../auth/user.ts'

type RegistrationStatus = ResponseOf<typeof checkUserRegister>['data']

/** Returns step, substep and saved answers; after a confirmation on another device, once, also a client's token. */
export const checkRegistration: Handler<typeof checkUserRegister> = async (dependencies, context) => {
  const { caller, now } = context
  if (caller.kind === 'client') return { data: await registrationStatusOf(dependencies, caller.clientId) }
  if (caller.kind !== 'registering') throw new Problem('not-signed-in')
  const registration = await readRegistrationRow(dependencies.pool, caller.registrationId)
  const confirmed = await notifyConfirmed(dependencies, context, caller, registration)
  if (confirmed)
    return {
      data: {
        ...(await registrationStatusOf(dependencies, confirmed.clientId)),
        confirmed: true,
        token: confirmed.token,
      },
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
      ...(fresh ? { token: await signRegistrationToken(dependencies, dependencies.pool, caller, now) } : {}),
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

/** The saved answers by step, without secrets. */
type SavedAnswers = Record<string, Record<string, string | number | boolean>>

/** Returns the answers of a registration whose address is not confirmed. */
function answersOfRegistration({ answers, email }: Registration): SavedAnswers {
  const { acceptedAt: _at, acceptedFrom: _from, ...first } = answers['1.1']
  return Object.fromEntries(
    Object.entries({ ...answers, '1.1': { ...first, email } }).map(([step, given]) => [step, { ...given }]),
  )
}

/** Returns the answers of a client's record; `accepted` are the versions of accepted texts. */
function answersOfClient(progress: Progress, accepted: ReadonlyMap<string, number>): SavedAnswers {
  const { email, securityQuestion } = progress
  const employment = progress.employment ?? {}
  const wanted = progress.wantedAccount ?? {}
  const all: Partial<Record<RegistrationStep, Record<string, unknown>>> = {
    '1.1': {
      ...pick(progress, fieldsOfStep('1.1')),
      email,
      acceptTerms: accepted.has('terms'),
      acceptPrivacy: accepted.has('privacy'),
    },
    '1.2': { securityQuestion },
    '1.3': {},
    '2.1': pick(progress, fieldsOfStep('2.1')),
    '2.2': birthDateParts(progress.birthDate),
    '2.3': pick(progress, fieldsOfStep('2.3')),
    '2.4': pick(progress, fieldsOfStep('2.4')),
    '2.5': pick(employment, ['industry', 'position', 'fundSource']),
    '2.6': pick(employment, ['annualSalary', 'savings', 'experience']),
    '3.1': progress.tradingExperience ?? {},
    '4.1': pick(wanted, ['baseCurrency']),
    '4.2': pick(wanted, ['platform']),
    '4.3': pick(wanted, ['accType', 'leverage']),
  }
  for (const [step, key] of Object.entries(acceptingSteps)) {
    const version = accepted.get(key)
    if (version !== undefined) all[step as RegistrationStep] = { accepted: true, version }
  }
  const due = registrationSteps.indexOf(dueStep(progress))
  const saved = registrationSteps.filter((_, place) => progress.state !== 'registering' || place < due)
  return Object.fromEntries(saved.map((step) => [step, presentFields(all[step] ?? {})]))
}

function presentFields(fields: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== undefined,
    ),
  )
}
