/** Registration, step by step (requirements 3). */
import * as z from 'zod/mini'
import { accountTypes, platforms, retailLeverage } from '#rules/constants.ts'
import { fieldsOfStep, pick } from '#rules/profile-fields.ts'
import { registrationSteps, type RegistrationStep } from '#rules/registration.ts'
import { endpoint } from './endpoint.ts'
import {
  accepted,
  body,
  choice,
  currency,
  email,
  id,
  line,
  newPasswordProblems,
  numberChoice,
  password,
  textVersion,
  wholeNumber,
} from './fields.ts'
import { birthDate, employment, experience, financial, profileInput } from './profile.ts'

const marks = { step: wholeNumber(1, 5, 'step-unknown'), subStep: wholeNumber(1, 6, 'step-unknown') }
const acceptance = { accepted, version: textVersion }

/** The fields of each substep besides its name. */
export const registrationBodies = {
  '1.1': body({
    ...marks,
    ...pick(profileInput, fieldsOfStep('1.1')),
    email,
    password,
    acceptTerms: accepted,
    acceptPrivacy: accepted,
    termsVersion: textVersion,
    privacyVersion: textVersion,
  }),
  /** Invited people have skipped 1.1 and accept the texts here; others need not. */
  '1.2': body({
    ...marks,
    securityQuestion: id,
    securityAnswer: line(200),
    acceptTerms: z.optional(accepted),
    acceptPrivacy: z.optional(accepted),
    termsVersion: z.optional(textVersion),
    privacyVersion: z.optional(textVersion),
  }),
  '1.3': body(marks),
  '2.1': body({ ...marks, ...pick(profileInput, fieldsOfStep('2.1')) }),
  '2.2': body({ ...marks, ...birthDate }),
  '2.3': body({ ...marks, ...pick(profileInput, fieldsOfStep('2.3')) }),
  '2.4': body({ ...marks, ...pick(profileInput, fieldsOfStep('2.4')) }),
  '2.5': body({ ...marks, ...employment }),
  '2.6': body({ ...marks, ...financial }),
  '3.1': body({ ...marks, ...experience }),
  '4.1': body({ ...marks, baseCurrency: currency }),
  '4.2': body({ ...marks, platform: choice(platforms) }),
  '4.3': body({
    ...marks,
    accType: choice(accountTypes),
    leverage: z._default(numberChoice([retailLeverage], 'leverage-not-allowed'), retailLeverage),
  }),
  '5.1': body({ ...marks, ...acceptance }),
  '5.2': body({ ...marks, ...acceptance }),
  '5.3': body({ ...marks, ...acceptance }),
} as const satisfies Record<RegistrationStep, z.ZodMiniType>

export type RegistrationAnswers = { [Step in RegistrationStep]: z.output<(typeof registrationBodies)[Step]> }
/** One substep's answers, distinguished by `name`. */
export type RegistrationSubmission = {
  [Step in RegistrationStep]: { readonly name: Step; readonly answers: RegistrationAnswers[Step] }
}[RegistrationStep]

/** Any substep: its name determines the permitted fields. */
const anyStep = z.looseObject(marks, 'malformed').check((context) => {
  const schema = bodyOfStep(context.value)
  if (!schema) {
    context.issues.push({ code: 'custom', message: 'step-unknown', path: ['subStep'], input: context.value })
    return
  }
  const parsed = z.safeDecode(schema, context.value as never)
  for (const issue of parsed.error?.issues ?? []) context.issues.push({ ...issue, input: context.value } as never)
})

function bodyOfStep(mark: { readonly step: number; readonly subStep: number }): z.ZodMiniType | null {
  const name = `${mark.step}.${mark.subStep}`
  return (registrationSteps as readonly string[]).includes(name) ? registrationBodies[name as RegistrationStep] : null
}

/** Returns the parsed answers of a body that registerWeb has validated. */
export function readRegistration(submitted: {
  readonly step: number
  readonly subStep: number
}): RegistrationSubmission {
  const schema = bodyOfStep(submitted)
  if (!schema) throw new Error(`unknown step ${submitted.step}.${submitted.subStep}`)
  return {
    name: `${submitted.step}.${submitted.subStep}`,
    answers: z.decode(schema, submitted as never),
  } as RegistrationSubmission
}

export const registerWeb = endpoint('registerWeb', 'POST /api/users/registerWeb', {
  summary:
    'Saves one substep of the registration and returns the next one. Substep 1.1 needs no token; the others need the token that it returned.',
  access: ['public', 'registering'],
  body: anyStep,
  bodies: registrationBodies,
  response: z.object({
    data: z.object({
      step: z.optional(z.int()),
      subStep: z.optional(z.int()),
      completed: z.optional(z.boolean()),
      token: z.optional(z.string()),
    }),
  }),
  problems: [
    'required',
    'step-unknown',
    'step-skipped',
    'step-closed',
    'email-not-confirmed',
    'registration-over',
    'email-invalid',
    ...newPasswordProblems,
    'password-plain',
    'unknown-value',
    'not-signed-in',
    'session-ended',
    'country-unavailable',
    'postcode-length',
    'must-accept',
    'text-replaced',
    'phone-invalid',
    'birth-date-required',
    'date-invalid',
    'under-age',
    'too-many',
  ],
})

export const checkUserRegister = endpoint('checkUserRegister', 'POST /api/users/checkUserRegister', {
  summary: 'Returns the state of the caller’s registration with the saved answers, without secrets.',
  access: ['registering', 'client'],
  response: z.object({
    data: z.object({
      step: z.int(),
      subStep: z.int(),
      completed: z.boolean(),
      /** The address, confirmed or waiting for its confirmation. */
      email: z.string(),
      emailConfirmed: z.boolean(),
      /** True once, with a client's token, after a confirmation elsewhere. */
      confirmed: z.optional(z.boolean()),
      token: z.optional(z.string()),
      /** Seconds until another email can be requested. */
      resendInSeconds: z.int(),
      answers: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
    }),
  }),
})

export const resendConfirmation = endpoint('resendConfirmation', 'POST /api/users/resendConfirmation', {
  summary: 'Emails a new confirmation link; the earlier one becomes invalid.',
  access: ['registering'],
  response: z.object({ resendInSeconds: z.int() }),
  problems: ['resend-wait', 'step-skipped', 'registration-over', 'too-many'],
})

export const changeRegistrationEmail = endpoint('changeRegistrationEmail', 'POST /api/users/changeRegistrationEmail', {
  summary:
    'Changes the email address of a registration before it is confirmed, and emails the confirmation link to the new address.',
  access: ['registering'],
  body: body({ email }),
  response: z.object({ resendInSeconds: z.int() }),
  problems: ['email-invalid', 'resend-wait', 'step-closed', 'too-many'],
})
