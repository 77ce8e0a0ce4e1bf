import { useLingui } from '@lingui/react'
import { createContext, useContext } from 'react'
import { dateFormat } from './formats.ts'

/** The app's time zone; without one, the device's own (requirements 2.20). */
export const TimeZoneContext = createContext<string | undefined>(undefined)

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Returns the parts of an instant in a time zone; without one, the device's own (requirements 2.20). */
function partsOf(at: Date, timeZone?: string) {
  const format = dateFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, Number(part.value)]))
  return parts as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
}

/** Returns YYYY/MM/DD HH:mm:ss, the form of the history (requirements 17.6). */
export function historyTime(at: Date, timeZone?: string): string {
  const { year, month, day, hour, minute, second } = partsOf(at, timeZone)
  return `${year}/${twoDigits(month)}/${twoDigits(day)} ${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`
}

/** Returns DD/MM/YYYY, the form of bank cards (requirements 17.6). */
export function bankDate(at: Date, timeZone?: string): string {
  const { year, month, day } = partsOf(at, timeZone)
  return `${twoDigits(day)}/${twoDigits(month)}/${year}`
}

/** Returns "19 June", with the year unless it is the current one. */
export function dayText(at: Date, locale: string, now = new Date(), timeZone?: string): string {
  const year = partsOf(at, timeZone).year === partsOf(now, timeZone).year ? undefined : 'numeric'
  return dateFormat(locale, { day: 'numeric', month: 'long', year, timeZone }).format(at)
}

/** Returns "19 June" for a calendar date, "2026-06-19": the same in every time zone. */
export function calendarDayText(day: string, locale: string, now?: Date): string {
  return dayText(new Date(`${day}T00:00:00Z`), locale, now, 'UTC')
}

/** Returns "19 June, 10:44", with the year unless it is the current one. */
export function timeText(at: Date, locale: string, now = new Date(), timeZone?: string): string {
  return `${dayText(at, locale, now, timeZone)}, ${clockTime(at, timeZone)}`
}

/** Returns "19 June, 10:44:05", to distinguish events within a minute, as in the audit log. */
export function exactTimeText(at: Date, locale: string, now = new Date(), timeZone?: string): string {
  return `${timeText(at, locale, now, timeZone)}:${twoDigits(partsOf(at, timeZone).second)}`
}

/** Returns "Mon", or "Monday" in a sentence. */
export function weekdayName(at: Date, locale: string, timeZone?: string, weekday: 'short' | 'long' = 'short'): string {
  return dateFormat(locale, { weekday, timeZone }).format(at)
}

/** Returns "10:44". */
export function clockTime(at: Date, timeZone?: string): string {
  const { hour, minute } = partsOf(at, timeZone)
  return `${twoDigits(hour)}:${twoDigits(minute)}`
}

interface TimeProps {
  at: Date | null
  form?: 'words' | 'exact' | 'day' | 'history' | 'bank' | 'clock'
}

/**
 * An instant in the app's time zone; the tooltip shows it in full with its UTC offset. The forms `history` and `bank`
 * are fixed for the portal's history and bank cards; the back office uses text only.
 */
export function Time({ at, form = 'words' }: TimeProps) {
  const { i18n } = useLingui()
  const timeZone = useContext(TimeZoneContext)
  if (!at) return <span className="muted">–</span>
  const written = {
    words: () => timeText(at, i18n.locale, undefined, timeZone),
    exact: () => exactTimeText(at, i18n.locale, undefined, timeZone),
    day: () => dayText(at, i18n.locale, undefined, timeZone),
    history: () => historyTime(at, timeZone),
    bank: () => bankDate(at, timeZone),
    clock: () => clockTime(at, timeZone),
  }[form]()
  const fullTime = dateFormat(i18n.locale, { dateStyle: 'full', timeStyle: 'long', timeZone }).format(at)
  return (
    <time className="numbers unbroken" dateTime={at.toISOString()} title={fullTime}>
      {written}
    </time>
  )
}
