/** Labels of absences of staff. */
import { useLingui } from '@lingui/react/macro'
import type { Absence } from '#contract/office/briefs.ts'
import { withNoBreakSpaces } from '#ui/text/no-break.ts'
import { calendarDayText } from '#ui/text/time.tsx'
import './absence.css'

/** Returns a function that returns "away until 3 December", or "away from 1 December until 3 December" beforehand. */
export function useAbsenceLabel(): (absence: Absence) => string {
  const { t, i18n } = useLingui()
  return ({ from, until, isNow }) => {
    const [first, last] = [from, until].map((day) => withNoBreakSpaces(calendarDayText(day, i18n.locale)))
    if (isNow) return t`away until ${last}`
    return from === until ? t`away on ${first}` : t`away from ${first} until ${last}`
  }
}

/** "Away until 3 December" below a name; nothing without an absence. */
export function AbsenceLine({ absence }: { absence: Absence | null }) {
  const label = useAbsenceLabel()
  if (!absence) return null
  const words = label(absence)
  return <span className="absence-line">{words.charAt(0).toUpperCase() + words.slice(1)}</span>
}
