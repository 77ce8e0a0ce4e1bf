/** The periods of scheduled reports: weeks from Monday and calendar months of the firm (requirements 24.10, 24.56). */
import { reportMailHour } from './constants.ts'
import { daysAfter, daysIn, instantIn, type PlainDate } from './dates.ts'

export const reportFrequencies = ['weekly', 'monthly'] as const
export type ReportFrequency = (typeof reportFrequencies)[number]

/** The minimum length of a period, a week. */
export const shortestPeriodDays = 7

/** Returns the first day of the period that contains a day. */
export function periodStart(frequency: ReportFrequency, day: PlainDate): PlainDate {
  if (frequency === 'monthly') return { ...day, day: 1 }
  const daysSinceMonday = (new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay() + 6) % 7
  return daysAfter(day, -daysSinceMonday)
}

/** Returns the first day after the period that begins on `from`. */
export function periodEnd(frequency: ReportFrequency, from: PlainDate): PlainDate {
  return daysAfter(from, frequency === 'weekly' ? shortestPeriodDays : daysIn(from.year, from.month))
}

/** Returns when the period that begins on `from` is emailed: on the morning after its last day. */
export function mailedAt(frequency: ReportFrequency, from: PlainDate, timeZone: string): Date {
  return instantIn(periodEnd(frequency, from), reportMailHour, timeZone)
}
