/** Days of a list: two dates, or a period relative to today, which suits a saved view. */
import { dayIn, daysAfter, daysIn, isoDay, type PlainDate } from '#rules/dates.ts'

export const periods = ['today', 'yesterday', '7-days', '30-days', 'month', 'last-month', 'year'] as const
export type PeriodName = (typeof periods)[number]

export interface Days {
  readonly from: string
  readonly to: string
}

/** Returns the current days of a period in the firm's time zone, both included. */
export function daysOf(period: PeriodName, now: Date, timeZone: string): Days {
  const today = dayIn(now, timeZone)
  const days = (from: PlainDate, to: PlainDate) => ({ from: isoDay(from), to: isoDay(to) })
  const { year, month } = today
  if (period === 'today') return days(today, today)
  if (period === 'yesterday') return days(daysAfter(today, -1), daysAfter(today, -1))
  if (period === '7-days') return days(daysAfter(today, -6), today)
  if (period === '30-days') return days(daysAfter(today, -29), today)
  if (period === 'year') return days({ year, month: 1, day: 1 }, today)
  if (period === 'month') return days({ year, month, day: 1 }, today)
  const last = month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 }
  return days({ ...last, day: 1 }, { ...last, day: daysIn(last.year, last.month) })
}
