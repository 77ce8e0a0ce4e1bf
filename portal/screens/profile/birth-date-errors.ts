/** Client-side checks of a birth date, so that its error appears together with all others. */
import { useLingui } from '@lingui/react/macro'
import { adultAgeYears } from '#rules/constants.ts'
import { ageOn, checkBirthDate, dayIn } from '#rules/dates.ts'
import type { DateParts } from '#ui/forms/date-parts-field.tsx'
import { usePortalSettings } from '../../portal-settings.ts'

/**
 * Returns the error of a birth date, or null. A year too late for an adult is reported before day and month are set.
 */
export function useBirthDateError(): (parts: DateParts) => string | null {
  const { t } = useLingui()
  const timeZone = usePortalSettings()?.firm.timeZone ?? 'Europe/London'
  return (parts) => {
    const underAge = t`You must be 18 or older.`
    const today = dayIn(new Date(), timeZone)
    const born = { year: Number(parts.year), month: Number(parts.month), day: Number(parts.day) }
    if (!born.day || !born.month || !born.year) {
      const missing = t`Please, set your birth date.`
      const oldest = ageOn({ year: born.year, month: 1, day: 1 }, today)
      return oldest < adultAgeYears ? `${missing} ${underAge}` : missing
    }
    const problem = checkBirthDate(born, today)
    if (problem === 'under-age') return underAge
    return problem && t`Enter a valid date.`
  }
}
