/** The profile and its three forms (requirements 5). */
import * as z from 'zod/mini'
import {
  annualSalaries,
  closingOrderTypes,
  financialExperiences,
  fundSources,
  industries,
  leverageAnswers,
  positions,
  reactionsToLoss,
  requiredMargins,
  savings,
  titles,
  tradingExperiences,
} from '#rules/choices.ts'
import { withoutHidden } from '#rules/hidden-characters.ts'
import { changedFields } from '#rules/profile-changes.ts'
import { decidedFields, profileFieldNames, profileFields, type ProfileFieldName } from '#rules/profile-fields.ts'
import { endpoint, type ResponseOf } from './endpoint.ts'
import { body, choice, countryCode, email, line, optionalLine, postcode, seconds, wholeNumber } from './fields.ts'
import { user, userId } from './users-session.ts'

/** E.164 with a country prefix; spaces, hyphens and brackets are removed. */
export const mobilePhone = z.string('required').check(
  z.minLength(1, 'required'),
  z.maxLength(32, 'phone-invalid'),
  z.overwrite((value) => withoutHidden(value).replace(/[\s()./-]/g, '')),
  z.regex(/^\+[1-9]\d{6,14}$/, 'phone-invalid'),
)

const title = choice(titles)

export const birthDate = {
  birthDay: wholeNumber(1, 31, 'date-invalid', 'birth-date-required'),
  birthMonth: wholeNumber(1, 12, 'date-invalid', 'birth-date-required'),
  birthYear: wholeNumber(1900, 2200, 'date-invalid', 'birth-date-required'),
}

type TextField = Exclude<ProfileFieldName, 'birthDate'>
type Declared = typeof profileFields

/** Schemas of the profile's fields; the birth date consists of three parts. */
export const profileInput = Object.fromEntries(
  profileFieldNames.filter((name) => name !== 'birthDate').map((name) => [name, inputOf(profileFields[name])]),
) as {
  [Name in TextField]: Declared[Name] extends { kind: 'title' }
    ? typeof title
    : Declared[Name] extends { isOptional: true }
      ? ReturnType<typeof optionalLine>
      : z.ZodMiniString<string>
}

function inputOf(field: Declared[TextField]) {
  if (field.kind === 'line') return 'isOptional' in field ? optionalLine(field.max) : line(field.max)
  return { title, postcode, phone: mobilePhone, country: countryCode }[field.kind]
}

export const employment = {
  industry: choice(industries),
  position: choice(positions),
  fundSource: choice(fundSources),
}

export const financial = {
  annualSalary: choice(annualSalaries),
  savings: choice(savings),
  experience: choice(financialExperiences),
}

export const experience = {
  experience: choice(tradingExperiences),
  requiredMargin: choice(requiredMargins),
  closingOrderType: choice(closingOrderTypes),
  leverage: choice(leverageAnswers),
  reactionToLoss: choice(reactionsToLoss),
}

export const profile = endpoint('profile', 'POST /api/users/profile', {
  summary:
    'Returns the user with employment, income and trading experience, and the changes that need approval by compliance.',
  access: ['client'],
  body: body({ email: z.optional(email), userId }),
  response: z.object({
    user,
    employmentIncome: z.nullable(z.object({ ...employment, ...financial })),
    tradingExperience: z.nullable(z.object(experience)),
    pending: z.array(z.object({ field: choice(changedFields), to: z.string(), since: seconds })),
  }),
  problems: ['not-yours'],
})

export type ProfileData = ResponseOf<typeof profile>

export const editUser = endpoint('editUser', 'POST /api/users/editUser', {
  summary:
    'Updates personal details. Once the client’s identity is approved, changes of name, date of birth, nationality and country need approval by compliance. Changing the mobile phone number requires a step-up.',
  access: ['approved'],
  body: body({
    userId,
    email: z.optional(email),
    ...profileInput,
    ...birthDate,
  }),
  response: z.object({ pending: z.array(choice(decidedFields)) }),
  problems: [
    'birth-date-required',
    'date-invalid',
    'under-age',
    'phone-invalid',
    'unknown-value',
    'too-long',
    'email-locked',
    'not-yours',
    'country-unavailable',
    'postcode-length',
    'prove-again',
  ],
})

export const updateEmploymentIncome = endpoint('updateEmploymentIncome', 'POST /api/users/updateEmploymentIncome', {
  summary: 'Updates employment and financial information.',
  access: ['approved'],
  body: body({ userId, ...employment, ...financial }),
})

export const updateTradingExperience = endpoint('updateTradingExperience', 'POST /api/users/updateTradingExperience', {
  summary: 'Updates trading experience.',
  access: ['approved'],
  body: body({ userId, ...experience }),
})

export const downloadMyData = endpoint('downloadMyData', 'GET /api/users/myData', {
  summary: 'Returns all data stored about the client, as a ZIP file.',
  access: ['client'],
  produces: 'application/zip',
  problems: ['too-many'],
})
