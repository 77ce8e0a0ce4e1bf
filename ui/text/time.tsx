import { useLingui } from '@lingui/react'
import { createContext, useContext } from 'react'
import { dateFormat } from './formats.ts'

/** The zone of the app's times; without one, the device's own (requirements 2.20). */
export const TimeZoneContext = createContext<string | undefined>(undefined)

const two = (value: number) => String(value).padStart(2, '0')

/** Parts of an instant in a zone; without one, the device's own (requirements 2.20). */
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

/** YYYY/MM/DD HH:mm:ss, as history shows its times (requirements 17.6). */
export function historyTime(at: Date, timeZone?: string): string {
  const { year, month, day, hour, minute, second } = partsOf(at, timeZone)
  return `${year}/${two(month)}/${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

/** DD/MM/YYYY, as bank cards show their date (requirements 17.6). */
export function bankDate(at: Date, timeZone?: string): string {
  const { year, month, day } = partsOf(at, timeZone)
  return `${two(day)}/${two(month)}/${year}`
}

/** "19 June", with the year when it is not this one. */
export function dayWords(at: Date, locale: string, now = new Date(), timeZone?: string): string {
  const year = partsOf(at, timeZone).year === partsOf(now, timeZone).year ? undefined : 'numeric'
  return dateFormat(locale, { day: 'numeric', month: 'long', year, timeZone }).format(at)
}

/** "19 June" of a day of the calendar, "2026-06-19": the same in every zone. */
export function calendarDayWords(day: string, locale: string, now?: Date): string {
  return dayWords(new Date(`${day}T00:00:00Z`), locale, now, 'UTC')
}

/** "19 June, 10:44", with the year when it is not this one. */
export function timeWords(at: Date, locale: string, now = new Date(), timeZone?: string): string {
  return `${dayWords(at, locale, now, timeZone)}, ${clockTime(at, timeZone)}`
}

/** "19 June, 10:44:05": where one of several within a minute is meant, as in the audit log. */
export function exactTimeWords(at: Date, locale: string, now = new Date(), timeZone?: string): string {
  return `${timeWords(at, locale, now, timeZone)}:${two(partsOf(at, timeZone).second)}`
}

/** "Mon", or "Monday" in a sentence. */
export function weekdayWord(at: Date, locale: string, timeZone?: string, weekday: 'short' | 'long' = 'short'): string {
  return dateFormat(locale, { weekday, timeZone }).format(at)
}

/** "10:44" */
export function clockTime(at: Date, timeZone?: string): string {
  const { hour, minute } = partsOf(at, timeZone)
  return `${two(hour)}:${two(minute)}`
}

/**
 * An instant in the app's zone; hover shows it whole with its offset from UTC. The forms `history` and `bank` are fixed for
 * the portal's history and bank cards; the back office has words alone.
 */
export function Time({
  at,
  form = 'words',
}: {
  at: Date | null
  form?: 'words' | 'exact' | 'day' | 'history' | 'bank' | 'clock'
}) {
  const { i18n } = useLingui()
  const timeZone = useContext(TimeZoneContext)
  if (!at) return <span className="muted">–</span>
  const written = {
    words: () => timeWords(at, i18n.locale, undefined, timeZone),
    exact: () => exactTimeWords(at, i18n.locale, undefined, timeZone),
    day: () => dayWords(at, i18n.locale, undefined, timeZone),
    history: () => historyTime(at, timeZone),
    bank: () => bankDate(at, timeZone),
    clock: () => clockTime(at, timeZone),
  }[form]()
  const whole = dateFormat(i18n.locale, {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone,
  }).format(at)
  return (
    <time className="numbers unbroken" dateTime={at.toISOString()} title={whole}>
      {written}
    </time>
  )
}
