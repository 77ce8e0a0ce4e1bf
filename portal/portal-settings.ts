/** The settings and the country reference, which rarely change: requested once in a few minutes. */
import { i18n } from '@lingui/core'
import * as z from 'zod/mini'
import { listCountries } from '#contract/countries.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { HistoryList } from '#contract/history.ts'
import { settings } from '#contract/settings.ts'
import { type Language, languages } from '#rules/choices.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'

const staleMs = 5 * 60_000

export type PortalSettings = ResponseOf<typeof settings>
export type Country = ResponseOf<typeof listCountries>['countries'][number]

/**
 * Returns the page's embedded settings, then those of the client's request, which alone contain payment methods.
 * Undefined while they load. A page that needs them uses `usePortalSettingsQuery` for their error.
 */
export function usePortalSettings(): PortalSettings | undefined {
  return usePortalSettingsQuery().data ?? embeddedSettings()
}

/** Returns the query of the settings, with the payment methods of the client's country. */
export function usePortalSettingsQuery() {
  return useEndpoint(settings, {}, { staleMs })
}

/** Returns what recovery has stopped, or null. */
export function useMoneyStopped(): PortalSettings['moneyStopped'] {
  return usePortalSettings()?.moneyStopped ?? null
}

/**
 * Returns which requests for money are possible now; none before the settings are known. The embedded settings are used
 * whatever their language, so that no button appears later and moves those beside it.
 */
export function usePossiblePayments(): Readonly<Record<HistoryList, boolean>> {
  const settings = usePortalSettings() ?? embeddedInAnyLanguage()
  const isMoving = settings !== undefined && !settings.moneyStopped?.accounts
  return { deposits: isMoving && !settings.windDown.deposits, withdrawals: isMoving, transfers: isMoving }
}

/** Returns a visitor's settings as embedded in the page, or undefined if they are in another language. */
export function embeddedSettings(): PortalSettings | undefined {
  return document.getElementById(settings.name)?.lang === i18n.locale ? embeddedInAnyLanguage() : undefined
}

let embeddedCache: { readonly settings: PortalSettings | undefined } | undefined

/** Returns the embedded settings whatever their language, which show what appears before its text has loaded. */
export function embeddedInAnyLanguage(): PortalSettings | undefined {
  embeddedCache ??= { settings: readEmbedded() }
  return embeddedCache.settings
}

/** Returns the firm's languages according to the embedded settings of any language; all languages without them. */
export function firmLanguages(): readonly Language[] {
  const text = document.getElementById(settings.name)?.textContent
  const spoken = languagesSchema.safeParse(text === undefined ? null : JSON.parse(text))
  return spoken.success ? languages.filter((one) => spoken.data.firm.languages.includes(one)) : languages
}

const languagesSchema = z.object({ firm: z.object({ languages: z.array(z.string()) }) })

function readEmbedded(): PortalSettings | undefined {
  const text = document.getElementById(settings.name)?.textContent
  if (text === undefined) return undefined
  const { success: _, ...fields } = JSON.parse(text) as Record<string, unknown>
  const answer = z.safeDecode(settings.response, fields as never)
  return answer.success ? answer.data : undefined
}

/** Returns all countries in the reader's language; undefined while they load. */
export function useCountries(): readonly Country[] | undefined {
  return useCountriesQuery().data?.countries
}

export function useCountriesQuery() {
  return useEndpoint(listCountries, {}, { staleMs })
}

/** Returns whether residents of a country may become clients. */
export function isCountryServed({ available, accepts }: Country): boolean {
  return available && accepts.length > 0
}

/** Returns the name of a country, or its code while the names load. */
export function countryName(countries: readonly Country[] | undefined, code: string): string {
  return countries?.find((country) => country.code === code)?.name ?? code
}
