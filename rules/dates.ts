/** Calendar dates in the firm's time zone; `now` and `today` are arguments (requirements 22.2). */
import { adultAgeYears, birthYearsBack } from './constants.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** A calendar date; months count from 1. */
export interface PlainDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Returns whether the date exists: 29 February only in leap years. */
export function isValidDate({ year, month, day }: PlainDate): boolean {
  return (
    Number.isInteger(year) &&
    year >= 1000 &&
    year <= 9999 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month)
  )
}

/** Returns how many days a month has. */
export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Compares two days: negative if `a` is before `b`, 0 on the same day. */
export function compareDays(a: PlainDate, b: PlainDate): number {
  return a.year - b.year || a.month - b.month || a.day - b.day
}

/** Returns whether a day is over; a document is valid on its last day. */
export function isPast(day: PlainDate, today: PlainDate): boolean {
  return compareDays(day, today) < 0
}

/**
 * Returns the same day some months before, or the last day of that month: 31 May minus 3 months is 28 or 29 February.
 */
export function monthsBefore(day: PlainDate, months: number): PlainDate {
  const count = day.year * 12 + (day.month - 1) - months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return { year, month, day: Math.min(day.day, daysIn(year, month)) }
}

/** Returns a day some days later, or earlier for a negative number. */
export function daysAfter(day: PlainDate, days: number): PlainDate {
  const date = new Date(Date.UTC(day.year, day.month - 1, day.day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Returns the age in full years on a day. A birthday on 29 February counts as 1 March in other years. */
export function ageOn(birth: PlainDate, today: PlainDate): number {
  const years = today.year - birth.year
  const hadBirthday = today.month > birth.month || (today.month === birth.month && today.day >= birth.day)
  return hadBirthday ? years : years - 1
}

/**
 * Returns why a birth date is invalid, or null: it must exist, be at most 100 years ago, and the person must be at
 * least 18.
 */
export function checkBirthDate(birth: PlainDate, today: PlainDate) {
  if (!isValidDate(birth)) return 'date-invalid'
  if (birth.year < today.year - birthYearsBack || compareDays(birth, today) > 0) return 'date-invalid'
  return ageOn(birth, today) >= adultAgeYears ? null : 'under-age'
}

/** Returns the current day in a time zone. */
export function dayIn(now: Date, timeZone: string): PlainDate {
  const { year, month, day } = clockIn(now, timeZone)
  return { year, month, day }
}

/**
 * Returns the instant at which an hour of a day begins in a time zone: the first of two when clocks go back, and the
 * instant of the change when they go forward over it.
 */
export function instantIn(day: PlainDate, hour: number, timeZone: string): Date {
  const wanted = Date.UTC(day.year, day.month - 1, day.day, hour)
  const dayBefore = offsetAt(new Date(wanted - dayMs), timeZone)
  const dayAfter = offsetAt(new Date(wanted + dayMs), timeZone)
  const found = [dayBefore, dayAfter].find((offset) => offsetAt(new Date(wanted - offset), timeZone) === offset)
  return new Date(wanted - (found ?? dayBefore))
}

/** Returns a time zone's offset from UTC at an instant, in ms. */
export function offsetAt(at: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = clockIn(at, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1000) * 1000
}

type ClockPart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

/** Returns the local time in a time zone at an instant. */
function clockIn(at: Date, timeZone: string): Record<ClockPart, number> {
  const clock = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of formatOf(timeZone).formatToParts(at))
    if (Object.hasOwn(clock, type)) clock[type as ClockPart] = Number(value)
  return clock
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the formatter of a zone, created once: creating one takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...numeric, second: 'numeric' })
  formats.set(timeZone, format)
  return format
}

/** Returns whether a day is Monday to Friday and not in `holidays`, days such as "2026-12-25". */
export function isWorkingDay(day: PlainDate, holidays: readonly string[]): boolean {
  const weekday = new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.includes(isoDay(day))
}

/**
 * Returns the same time of day in a time zone some working days later, or earlier for a negative number: one working day
 * after Friday is Monday.
 */
export function workingDaysAfter(now: Date, days: number, timeZone: string, holidays: readonly string[]): Date {
  let day = dayIn(now, timeZone)
  const step = Math.sign(days)
  let left = Math.abs(days)
  let passed = 0
  while (left > 0) {
    day = daysAfter(day, step)
    passed += step
    if (isWorkingDay(day, holidays)) left -= 1
  }
  return sameTimeAfter(now, passed, timeZone)
}

/** Returns the same time of day in a time zone some days later. */
export function sameTimeAfter(now: Date, days: number, timeZone: string): Date {
  const later = new Date(now.getTime() + days * dayMs)
  return new Date(later.getTime() + offsetAt(now, timeZone) - offsetAt(later, timeZone))
}

/** Returns a day as "2026-11-21". */
export function isoDay({ year, month, day }: PlainDate): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Returns the day of "2026-11-21", or null. */
export function dayOf(text: string): PlainDate | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return null
  const day = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }
  return isValidDate(day) ? day : null
}
