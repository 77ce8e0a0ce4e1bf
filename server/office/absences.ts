/** The current or coming absence of staff, as other features show it (requirements 24.73). */
import { dayIn, isoDay } from '#rules/dates.ts'
import { sql, type Sql } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'

/** Returns the current day of the firm's zone, "2026-11-26". */
export async function firmDay({ settings }: Pick<Dependencies, 'settings'>, now: Date): Promise<string> {
  const { timeZone } = await settings.get('firm')
  return isoDay(dayIn(now, timeZone))
}

/** Returns the condition that the person `s` is away on a day. */
export const isAwayOn = (day: string): Sql =>
  sql`(s.state = 'active' and ${day}::date between s.away_from and s.away_until)`

/**
 * Returns the column `absence` of the person `s`: null once it has ended, or without a day. A server of the
 * previous version deactivates staff without removing it.
 */
export function absenceOn(day: string | null): Sql {
  return sql`case when s.state = 'active' and s.away_until >= ${day}::date then jsonb_build_object('from', s.away_from, 'until', s.away_until,
    'isNow', s.away_from <= ${day}::date) end as absence`
}
