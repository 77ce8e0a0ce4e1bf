import { useLingui } from '@lingui/react/macro'
import type { ChangedField } from '#rules/profile-changes.ts'
import { calendarDayWords } from '#ui/text/time.tsx'
import { countryName } from '../decision/country-name.ts'

/** The fields of the profile that staff decide on; another one as it stands. */
export function useChangedField(): (field: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    name: t`Name`,
    surname: t`Surname`,
    birthDate: t`Date of birth`,
    nationality: t`Nationality`,
    country: t`Country of residence`,
    email: t`Email`,
  }
  return (field) => words[field] ?? field
}

/** A value of such a field as it is read. */
export function useChangedValue(): (field: ChangedField, value: string | null) => string {
  const { i18n } = useLingui()
  return (field, value) => {
    if (value === null || value === '') return '–'
    if (field === 'nationality' || field === 'country') return countryName(value, i18n.locale)
    return /^\d{4}-\d{2}-\d{2}$/.test(value) ? calendarDayWords(value, i18n.locale, new Date(0)) : value
  }
}
