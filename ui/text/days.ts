import { dateFormat } from '#ui/text/formats.ts'

/** Formats dates of filters ("2026-04-01"). */

/** Returns today in the firm's time zone, which determines days (requirements 22.2). */
export function today(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

export function daysBefore(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - days)
  return at.toISOString().slice(0, 10)
}

/** Returns "1 Apr 2026". */
export function shortDay(day: string, locale: string): string {
  return formatDay(day, locale, 'short')
}

/** Returns "1 April 2026" with non-breaking spaces. */
export function longDay(day: string, locale: string): string {
  return formatDay(day, locale, 'long').replaceAll(' ', '\u00a0')
}

/** Returns "1 Apr – 19 Jun 2026". */
export function shortRange(from: string, to: string, locale: string): string {
  return dayFormat(locale, 'short').formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`))
}

/** Returns "August 2026" for "2026-08". */
export function monthName(month: string, locale: string): string {
  return dateFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
}

function formatDay(day: string, locale: string, month: 'short' | 'long'): string {
  const at = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? day : dayFormat(locale, month).format(at)
}

function dayFormat(locale: string, month: 'short' | 'long'): Intl.DateTimeFormat {
  return dateFormat(locale, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' })
}
