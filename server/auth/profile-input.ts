/** Reads the fields of a profile from the form of the registration or of the profile. */
import { dayIn, isoDay } from '#rules/dates.ts'
import { checkProfile } from '#rules/profile-checks.ts'
import { pick, profileFieldNames, type ProfileValues } from '#rules/profile-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { throwFieldProblems } from '../http/problem.ts'

interface BirthParts {
  readonly birthYear: number
  readonly birthMonth: number
  readonly birthDay: number
}

type ProfileBody = Partial<Omit<ProfileValues, 'birthDate'> & BirthParts>

/** Returns the fields of a body, with the three parts of a birth date as one day. */
export function profileOf(body: Omit<ProfileValues, 'birthDate'> & BirthParts): ProfileValues
export function profileOf(body: ProfileBody): Partial<ProfileValues>
export function profileOf({
  birthYear: year,
  birthMonth: month,
  birthDay: day,
  ...body
}: ProfileBody): Partial<ProfileValues> {
  const birthDate = year && month && day ? isoDay({ year, month, day }) : undefined
  return pick<Partial<ProfileValues>, keyof ProfileValues>({ ...body, birthDate }, profileFieldNames)
}

/** Throws all problems of new values together; an unchanged country of residence is not validated again. */
export async function assertProfile(
  dependencies: Pick<Dependencies, 'settings'>,
  now: Date,
  wanted: Partial<ProfileValues>,
  before: Partial<ProfileValues> = {},
): Promise<void> {
  const { timeZone } = await dependencies.settings.get('firm')
  const { changes: countries } = await dependencies.settings.get('countries')
  throwFieldProblems(checkProfile(wanted, before, { today: dayIn(now, timeZone), countries }))
}
