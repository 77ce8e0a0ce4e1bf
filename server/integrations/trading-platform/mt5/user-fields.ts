/** The fields of a new account, with the names and lengths of the vendor's pages (webapi_user_add). */
import type { Language } from '#rules/choices.ts'
import type { NewPlatformAccount } from '../trading-server.ts'
import { inputText } from './values.ts'

/**
 * ENABLED, PASSWORD, TRAILING, EXPERT, the former default 0x80 and REPORTS (EnUsersRights): the rights of a new
 * account.
 */
const newAccountRights = 0x1e3
/** LANGID of English (United Kingdom) and German (Germany); omitted for other languages. */
const languageIds: Readonly<Partial<Record<Language, number>>> = { en: 2057, de: 1031 }

/** One character ends each text there, so a text is one shorter than its field. */
export const lengths = {
  group: 63,
  name: 127,
  address: 127,
  email: 63,
  country: 63,
  city: 63,
  state: 63,
  phone: 31,
  postcode: 15,
  status: 15,
} as const

/** Returns the body of `user/add`. Passwords are never in an address, which may be logged elsewhere. */
export function newUserFields(request: NewPlatformAccount): Record<string, string> {
  const { person } = request
  const languageId = person && languageIds[person.language]
  return {
    Name: inputText(request.name, lengths.name),
    Group: inputText(request.group, lengths.group),
    Leverage: String(request.leverage),
    Rights: String(newAccountRights),
    PassMain: request.main,
    PassInvestor: request.investor,
    Email: inputText(request.email, lengths.email),
    Country: inputText(request.country, lengths.country),
    Comment: request.ref,
    ...(person && {
      FirstName: inputText(person.firstName, lengths.name),
      LastName: inputText(person.lastName, lengths.name),
      Phone: inputText(person.phone, lengths.phone),
      Address: inputText(person.address, lengths.address),
      City: inputText(person.city, lengths.city),
      State: inputText(person.state, lengths.state),
      ZIPCode: inputText(person.postcode, lengths.postcode),
      ...(languageId !== undefined && { Language: String(languageId) }),
      Status: inputText(person.status, lengths.status),
    }),
  }
}
