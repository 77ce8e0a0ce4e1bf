import { useLingui } from '@lingui/react/macro'
import { calendarDayText } from '#ui/text/time.tsx'

/** Returns a function that returns "2 May to 31 May" for a period. */
export function usePeriodLabel(): (period: { from: string; to: string }) => string {
  const { t, i18n } = useLingui()
  return (period) => {
    const [from, to] = [calendarDayText(period.from, i18n.locale), calendarDayText(period.to, i18n.locale)]
    return t`${from} to ${to}`
  }
}
