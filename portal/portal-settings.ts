/** The settings and the country reference, which change seldom: asked once in a few minutes. */
import { i18n } from '@lingui/core'
import * as z from 'zod/mini'
import { listCountries } from '#contract/countries.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { settings } from '#contract/settings.ts'
import { type Language, languages } from '#rules/choices.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'

const staleMs = 5 * 60_000

export type PortalSettings = ResponseOf<typeof settings>
export type Country = ResponseOf<typeof listCountries>['countries'][number]

/**
 * What the page brought along, then what the client's call answers: payment methods come with the call alone. Undefined
 * while they load. A page that cannot stand without them asks `usePortalSettingsRead` what failed.
 */
export function usePortalSettings(): PortalSettings | undefined {
  return usePortalSettingsRead().data ?? broughtSettings()
}

/** Returns the call's own answer, with the payment methods of the client's country. */
export function usePortalSettingsRead() {
  return useEndpoint(settings, {}, { staleMs })
}

/** Returns what recovery has stopped, or null. */
export function useMoneyStopped(): PortalSettings['moneyStopped'] {
  return usePortalSettings()?.moneyStopped ?? null
}

const brought = new Map<string, PortalSettings | undefined>()

/** Returns a visitor's settings as the page brought them, or undefined where it did so in another language. */
export function broughtSettings(): PortalSettings | undefined {
  const { locale } = i18n
  if (!brought.has(locale)) brought.set(locale, readBrought(locale))
  return brought.get(locale)
}

/** Returns the languages that the firm speaks, as the page says in whichever; all where it came without settings. */
export function firmLanguages(): readonly Language[] {
  const text = document.getElementById(settings.name)?.textContent
  const spoken = spokenSchema.safeParse(text === undefined ? null : JSON.parse(text))
  return spoken.success ? languages.filter((one) => spoken.data.firm.languages.includes(one)) : languages
}

const spokenSchema = z.object({ firm: z.object({ languages: z.array(z.string()) }) })

function readBrought(locale: string): PortalSettings | undefined {
  const place = document.getElementById(settings.name)
  if (place?.lang !== locale) return undefined
  const { success: _, ...fields } = JSON.parse(place.textContent) as Record<string, unknown>
  const answer = z.safeDecode(settings.response, fields as never)
  return answer.success ? answer.data : undefined
}

/** Returns all countries in the reader's language; undefined while they load. */
export function useCountries(): readonly Country[] | undefined {
  return useCountriesRead().data?.countries
}

export function useCountriesRead() {
  return useEndpoint(listCountries, {}, { staleMs })
}

/** Returns whether somebody who lives there may become a client. */
export function isServed({ available, accepts }: Country): boolean {
  return available && accepts.length > 0
}

/** Returns the name of a country, or its code while the names load. */
export function countryName(countries: readonly Country[] | undefined, code: string): string {
  return countries?.find((country) => country.code === code)?.name ?? code
}
