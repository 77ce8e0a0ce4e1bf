import { useLingui } from '@lingui/react/macro'
import type { ChangedField } from '#rules/profile-changes.ts'
import { calendarDayText } from '#ui/text/time.tsx'
import { countryName } from '../decision/country-name.ts'

/** Returns a function that formats a value of a field that staff decide on. */
export function useChangedValue(): (field: ChangedField, value: string | null) => string {
  const { i18n } = useLingui()
  return (field, value) => {
    if (value === null || value === '') return '–'
    if (field === 'nationality' || field === 'country') return countryName(value, i18n.locale)
    return /^\d{4}-\d{2}-\d{2}$/.test(value) ? calendarDayText(value, i18n.locale, new Date(0)) : value
  }
}
