/** The settings and the country reference, which change seldom: asked once in a few minutes. */
import { listCountries } from '#contract/countries.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { settings } from '#contract/settings.ts'
import { useEndpoint } from '#ui/endpoint-query.ts'

const staleMs = 5 * 60_000

export type PortalSettings = AnswerOf<typeof settings>
export type Country = AnswerOf<typeof listCountries>['countries'][number]

/** Undefined while they load. A page that cannot stand without them asks `usePortalSettingsRead` what failed. */
export function usePortalSettings(): PortalSettings | undefined {
  return usePortalSettingsRead().data
}

export function usePortalSettingsRead() {
  return useEndpoint(settings, {}, { staleMs })
}

/** All countries in the reader's language; undefined while they load. */
export function useCountries(): readonly Country[] | undefined {
  return useCountriesRead().data?.countries
}

export function useCountriesRead() {
  return useEndpoint(listCountries, {}, { staleMs })
}

/** The name of a country, or its code while the names load. */
export function countryName(countries: readonly Country[] | undefined, code: string): string {
  return countries?.find((country) => country.code === code)?.name ?? code
}
