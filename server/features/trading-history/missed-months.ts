/** Months that ended while an account was not read, such as during an outage of weeks. */
import { firstOfMonth, monthAfter, tradingDay } from '#rules/trading-days.ts'

const dayMs = 86_400_000
/** Earlier months get no statement: reports are read as far back. */
const monthsMost = 24

export interface MissedMonth {
  /** Its first day. */
  readonly month: string
  readonly lastDay: string
}

/**
 * Returns the months whose last day has passed since accounts were noted on `noted`, which covers the day before; without
 * a last day that is read today anyway, because it is one of the last three.
 */
export function monthsMissed(noted: string, today: string): MissedMonth[] {
  const found: MissedMonth[] = []
  for (let month = firstOfMonth(noted); monthAfter(month) <= today; month = monthAfter(month)) {
    const lastDay = tradingDay(Date.parse(monthAfter(month)) - dayMs)
    if (lastDay >= noted && Date.parse(today) - Date.parse(lastDay) > 3 * dayMs) found.push({ month, lastDay })
  }
  return found.slice(-monthsMost)
}
