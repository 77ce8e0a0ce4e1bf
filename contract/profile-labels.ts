/** Labels of the profile's fields, in both apps, emails and files. */
import type { ProfileFieldName } from '#rules/profile-fields.ts'
import { msg, type Message } from './message.ts'

export const profileLabels = {
  email: msg`Email`,
  title: msg`Title`,
  name: msg`First name`,
  surname: msg`Surname`,
  birthDate: msg`Date of birth`,
  nationality: msg`Nationality`,
  mobilePhone: msg`Mobile phone`,
  addressNo: msg`Street and house number`,
  address: msg`Flat, building`,
  city: msg`City`,
  postcode: msg`Postcode`,
  county: msg`County`,
  country: msg`Country of residence`,
} satisfies Readonly<Record<ProfileFieldName | 'email', Message>>
