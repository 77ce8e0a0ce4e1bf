/** Validates new values of a profile (requirements 3.6, 5.4, 5.6). */
import { checkResidence, countryOf, type CountryChanges } from './countries.ts'
import { checkBirthDate, dayOf, type PlainDate } from './dates.ts'
import type { ProfileValues } from './profile-fields.ts'

/**
 * Returns the errors in a profile, by field of the form. An unchanged country of residence is not checked again. Any
 * nationality is accepted; compliance sees its risk level.
 */
export function checkProfile(
  wanted: Partial<ProfileValues>,
  before: Partial<ProfileValues>,
  { today, countries }: { readonly today: PlainDate; readonly countries: CountryChanges },
) {
  const { birthDate, country, nationality } = wanted
  const born = birthDate === undefined ? null : checkBirthText(birthDate, today)
  return {
    [born === 'date-invalid' ? 'birthDay' : 'birthYear']: born,
    country: country === undefined || country === before.country ? null : checkResidence(countryOf(country, countries)),
    nationality: nationality === undefined || countryOf(nationality) ? null : 'unknown-value',
  } as const
}

/** Returns why "1986-03-14" is not the birth date of an adult, or null. */
export function checkBirthText(text: string, today: PlainDate) {
  const day = dayOf(text)
  return day === null ? 'date-invalid' : checkBirthDate(day, today)
}
