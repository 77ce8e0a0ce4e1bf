/** The answers that are saved, by step, as checkUserRegister gives them back: secrets are left out. */
import { fieldsOfStep, pick } from '#rules/profile-fields.ts'
import { acceptingSteps, registrationSteps, type RegistrationStep } from '#rules/registration.ts'
import { birthDayOf } from '../../auth/user.ts'
import { dueStep, type Progress, type Registration } from './queries.ts'

export type SavedAnswers = Record<string, Record<string, string | number | boolean>>

/** Answers of a registration whose address is not confirmed. */
export function answersOfRegistration({ answers, email }: Registration): SavedAnswers {
  return Object.fromEntries(
    Object.entries({ ...answers, '1.1': { ...answers['1.1'], email } }).map(([step, given]) => [step, { ...given }]),
  )
}

/** Answers of a client, from its record; `accepted` are the versions of accepted texts. */
export function answersOfClient(progress: Progress, accepted: ReadonlyMap<string, number>): SavedAnswers {
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
    '2.2': birthDayOf(progress.birthDate),
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
  return Object.fromEntries(saved.map((step) => [step, known(all[step] ?? {})]))
}

function known(fields: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== undefined,
    ),
  )
}
