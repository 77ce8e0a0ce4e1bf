import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OfficeDocument } from '#contract/office/documents.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { calendarDayText } from '#ui/text/time.tsx'
import { countryName } from './country-name.ts'

export type Comparison = OfficeDocument['comparisons'][number]

/** Returns a function that returns the label of a comparison's row. */
export function useComparisonLabel(): (code: Comparison['code']) => string {
  const { t } = useLingui()
  const label = useLabels(profileLabels)
  const labels: Readonly<Record<Comparison['code'], string>> = {
    surname: label('surname'),
    givenNames: t`Given names`,
    birthDate: label('birthDate'),
    nationality: label('nationality'),
    number: t`Number`,
    expiry: t`Expiry date`,
    issue: t`Date of issue`,
    address: t`Address`,
    country: t`Country`,
  }
  return (code) => labels[code]
}

/** Returns a function that formats a value of a comparison: dates and countries as text, a dash for an empty value. */
export function useComparisonValue(): (code: Comparison['code'], value: string | null) => ReactNode {
  const { i18n } = useLingui()
  return (code, value) => {
    if (value === null || value === '') return <span className="faint">–</span>
    if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return calendarDayText(value, i18n.locale, new Date(0))
    if ((code === 'nationality' || code === 'country') && /^[A-Z]{2}$/.test(value))
      return countryName(value, i18n.locale)
    return value
  }
}
