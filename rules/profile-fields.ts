/**
 * The fields of a client's profile, each declared once (requirements 5.1, ADR 177): the schemas of the contract, the
 * columns of the statements, the steps of the registration, what compliance decides, corrections, erasure and the forms
 * derive from here. They are in the order of the profile in the back office.
 */
import { countyLengthMax } from './constants.ts'
import type { RegistrationStep } from './registration.ts'

interface ProfileField {
  /** In the table `clients`. */
  readonly column: string
  readonly kind: 'title' | 'line' | 'postcode' | 'phone' | 'country' | 'day'
  /** Maximum length in code points. */
  readonly max?: number
  /** May be empty. */
  readonly isOptional?: true
  /** The steps of the registration that ask for it. */
  readonly steps: readonly RegistrationStep[]
  /** Compliance decides on a change once identity is approved (requirements 5.5). */
  readonly isDecided?: true
  /**
   * Stored if nothing was entered, and after the client's erasure; without it, `erase-client.ts` determines the value.
   */
  readonly absent?: '' | null
}

export const profileFields = {
  title: { column: 'title', kind: 'title', steps: ['1.1'], absent: '' },
  name: { column: 'name', kind: 'line', max: 100, steps: ['1.1'], isDecided: true },
  surname: { column: 'surname', kind: 'line', max: 100, steps: ['1.1'], isDecided: true },
  birthDate: { column: 'birth_date', kind: 'day', steps: ['2.2'], isDecided: true, absent: null },
  nationality: { column: 'nationality', kind: 'country', steps: ['2.4'], isDecided: true, absent: null },
  mobilePhone: { column: 'mobile_phone', kind: 'phone', steps: ['2.1'], absent: null },
  addressNo: { column: 'address_no', kind: 'line', max: 100, steps: ['2.3'], absent: null },
  address: { column: 'address', kind: 'line', max: 100, isOptional: true, steps: ['2.3'], absent: '' },
  city: { column: 'city', kind: 'line', max: 100, steps: ['2.3'], absent: null },
  postcode: { column: 'postcode', kind: 'postcode', steps: ['2.3'], absent: null },
  county: { column: 'county', kind: 'line', max: countyLengthMax, isOptional: true, steps: ['2.3'], absent: '' },
  country: { column: 'country', kind: 'country', steps: ['1.1', '2.3'], isDecided: true },
} as const satisfies Record<string, ProfileField>

type Declared = typeof profileFields
export type ProfileFieldName = keyof Declared
type NamesWhere<Trait> = { [Name in ProfileFieldName]: Declared[Name] extends Trait ? Name : never }[ProfileFieldName]

/** The fields that a step of the registration asks for. */
export type StepFieldName<Step extends RegistrationStep> = {
  [Name in ProfileFieldName]: Step extends Declared[Name]['steps'][number] ? Name : never
}[ProfileFieldName]
/** The fields whose change is decided once identity is approved. */
export type DecidedField = NamesWhere<{ isDecided: true }>

/** A stored profile; a day is "1986-03-14". */
export type StoredProfile = {
  [Name in ProfileFieldName]: Declared[Name] extends { absent: null } ? string | null : string
}
/** A profile as a form sends it; missing values are empty. */
export type ProfileValues = Record<ProfileFieldName, string>

/** A form has a birth date in three parts. */
export const birthParts = ['birthDay', 'birthMonth', 'birthYear'] as const
type FormFieldName = Exclude<ProfileFieldName, 'birthDate'> | (typeof birthParts)[number]

const fields: Readonly<Record<ProfileFieldName, ProfileField>> = profileFields
export const profileFieldNames = Object.keys(profileFields) as ProfileFieldName[]
export const decidedFields = profileFieldNames.filter((name): name is DecidedField => fields[name].isDecided === true)

export const formFieldNames: readonly FormFieldName[] = profileFieldNames.flatMap((name): readonly FormFieldName[] =>
  name === 'birthDate' ? birthParts : [name],
)

export function isProfileField(name: string): name is ProfileFieldName {
  return Object.hasOwn(profileFields, name)
}

/** Returns the declaration of a field. */
export function profileField(name: ProfileFieldName): ProfileField {
  return fields[name]
}

/** Returns the fields that a step of the registration asks for. */
export function fieldsOfStep<Step extends RegistrationStep>(step: Step): StepFieldName<Step>[] {
  return profileFieldNames.filter((name): name is StepFieldName<Step> => fields[name].steps.includes(step))
}

/** Title and names, in spoken order. */
export const nameFields = fieldsOfStep('1.1').filter((name) => name !== 'country')

/** A profile without any values. */
export const emptyProfile = Object.fromEntries(
  profileFieldNames.map((name) => [name, fields[name].absent === null ? null : '']),
) as StoredProfile

/** Returns the named fields of an object, without those that it lacks. */
export function pick<Source, Name extends keyof Source & string>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  return Object.fromEntries(
    names.filter((name) => source[name] !== undefined).map((name) => [name, source[name]]),
  ) as Pick<Source, Name>
}

/** Returns the named values as texts for a form; missing ones are empty. */
export function textsOf<Name extends string>(
  names: readonly Name[],
  known: Readonly<Partial<Record<NoInfer<Name>, string | number | boolean | null>>>,
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, String(known[name] ?? '')])) as Record<Name, string>
}

/** Returns the lines of an address without its country. */
export function addressLines(profile: Pick<StoredProfile, StepFieldName<'2.3'>>): string[] {
  const { addressNo, address, postcode, city, county } = profile
  const lines = [addressNo, address, [postcode, city].filter(Boolean).join(' '), county]
  return lines.filter((line): line is string => Boolean(line))
}
