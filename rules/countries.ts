/** All ISO 3166-1 countries, their risk level, and the documents that a level accepts (requirements 6.8, 6.19). */
import { languageRows, languages, type Language } from './choices.ts'
import { countryRows, type RiskLevel } from './country-data.ts'

export type { RiskLevel }

interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly name: Readonly<Record<Language, string>>
  /** "+44" */
  readonly prefix: string
  readonly level: RiskLevel
  readonly available: boolean
  /** Why it is not available, for staff; empty if it is. */
  readonly unavailableWhy: string
  /** The sources of the default level. */
  readonly lists: readonly string[]
}

/** The default of the country settings. */
export const countries: readonly Country[] = countryRows.map(
  ([code, en, de, prefix, level, unavailableWhy, lists]) => ({
    code,
    name: namesOf(code, { en, de }),
    prefix,
    level,
    available: unavailableWhy === '' && level !== 5,
    unavailableWhy,
    lists: lists.split(' '),
  }),
)

/** Returns the names of a country: our own, and for further languages those of the platform (CLDR). */
function namesOf(code: string, ownNames: Readonly<Partial<Record<string, string>>>): Country['name'] {
  const names = languages.map((language) => [
    language,
    ownNames[language] ?? new Intl.DisplayNames(languageRows[language].locale, { type: 'region' }).of(code) ?? code,
  ])
  return Object.fromEntries(names) as Country['name']
}

const byCode = new Map(countries.map((country) => [country.code, country]))

/** A level or availability changed in the firm's settings. */
export interface CountryChange {
  readonly level?: RiskLevel
  readonly available?: boolean
}
export type CountryChanges = Readonly<Record<string, CountryChange>>

/** Returns a country with the firm's changes; null for an unknown code. */
export function countryOf(code: string, changes: CountryChanges = {}): Country | null {
  const country = byCode.get(code)
  return country ? applyCountryChange(country, changes) : null
}

/** Returns every country with the firm's changes. Level 5 is never available. */
export function allCountries(changes: CountryChanges = {}): readonly Country[] {
  return countries.map((country) => applyCountryChange(country, changes))
}

function applyCountryChange(country: Country, changes: CountryChanges): Country {
  const change = changes[country.code]
  if (!change) return country
  const level = change.level ?? country.level
  return { ...country, level, available: (change.available ?? country.available) && level !== 5 }
}

/** Returns why residents of the country may not register, or null. */
export function checkResidence(country: Country | null) {
  if (!country) return 'unknown-value'
  return country.available && country.level !== 5 ? null : 'country-unavailable'
}
