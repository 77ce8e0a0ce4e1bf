/** The settings and the country reference, which change seldom: asked once in a few minutes. */
import { listCountries } from '#contract/countries.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { settings } from '#contract/settings.ts'
import { useEndpoint } from '#ui/endpoint-query.ts'

const staleMs = 5 * 60_000

export type PortalSettings = AnswerOf<typeof settings>
export type Country = AnswerOf<typeof listCountries>['countries'][number]

export function usePortalSettings(): PortalSettings | undefined {
  return useEndpoint(settings, {}, { staleMs }).data
}

/** All countries in the reader's language; undefined while they load. */
export function useCountries(): readonly Country[] | undefined {
  return useEndpoint(listCountries, {}, { staleMs }).data?.countries
}

/** The name of a country, or its code while the names load. */
export function countryName(countries: readonly Country[] | undefined, code: string): string {
  return countries?.find((country) => country.code === code)?.name ?? code
}
