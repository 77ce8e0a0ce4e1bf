/**
 * Runs tasks once in each of the firm's days, from midnight in its time zone, on one server, and again within the hour
 * if that server stopped during the run.
 */
import { dayIn, instantIn } from '#rules/dates.ts'
import { incrementCount } from '../http/rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'

/** How often a server checks whether today's run is due. */
export const dueCheckEveryMs = 10 * 60_000
const retryAfterSeconds = 3600

/**
 * Returns whether this server must do today's run now. `lastDone` is the last run up to now; a run recorded while the
 * clock was ahead does not count as today's (requirements 33.10).
 */
export async function isDailyRunDue(
  dependencies: Pick<Dependencies, 'jobs' | 'settings'>,
  name: string,
  lastDone: (now: Date) => Promise<Date | null>,
  now: Date,
): Promise<boolean> {
  const { timeZone } = await dependencies.settings.get('firm')
  const last = await lastDone(now)
  if (last !== null && last >= instantIn(dayIn(now, timeZone), 0, timeZone)) return false
  const turn = { name: `${name}-turn`, who: 'daily', windowSeconds: retryAfterSeconds }
  return (await incrementCount(dependencies.jobs, turn, now)).count === 1
}
