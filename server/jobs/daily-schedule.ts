/** What is done once in each of the firm's days, by one server, and again within the hour where that one died of it. */
import { dayIn, instantIn } from '#rules/dates.ts'
import { count } from '../http/rate-limits.ts'
import type { Parts } from '../dependencies.ts'

/** How often a server asks whether today's turn is due. */
export const askedEveryMs = 10 * 60_000
const anewAfterSeconds = 3600

/**
 * Whether this server is to do today's turn now. `lastDone` is when one was last done, up to now: a turn that was done
 * while the clock was ahead is none of today's (fault K10).
 */
export async function isTurnOfToday(
  parts: Pick<Parts, 'jobs' | 'settings'>,
  name: string,
  lastDone: (now: Date) => Promise<Date | null>,
  now: Date,
): Promise<boolean> {
  const { timeZone } = await parts.settings.get('firm')
  const last = await lastDone(now)
  if (last !== null && last >= instantIn(dayIn(now, timeZone), 0, timeZone)) return false
  const turn = { name: `${name}-turn`, who: 'daily', windowSeconds: anewAfterSeconds }
  return (await count(parts.jobs, turn, now)).count === 1
}
