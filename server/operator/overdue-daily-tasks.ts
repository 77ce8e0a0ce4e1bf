/** Scheduled tasks whose run is late. */
import { row, sql, type Connection } from '../db/sql.ts'
import { countedRow, type Stalled } from './stalled-rows.ts'

/** One day and the maximum duration of a run: the day's own work is done in its first minutes. */
const dailyTasksMsMax = 26 * 3_600_000

/**
 * Returns the daily tasks that did not run. Before the first run the oldest key shows since when there was time for
 * one.
 */
export async function overdueDailyTasks(connection: Connection, now: Date): Promise<Stalled[]> {
  const last = await row<{
    began: Date | null
    compared: Date | null
    forgot: Date | null
    failed: string[] | null
    unread: number | null
  }>(
    connection,
    sql`select (select min(created_at) from keys) as began,
          (select max(at) from reconciliations where by_staff is null) as compared,
          (select max(at) from retention_runs) as forgot,
          (select failed from retention_runs order by id desc limit 1) as failed,
          (select unread from reconciliations order by at desc, id desc limit 1) as unread`,
  )
  if (!last) return []
  const { began, compared, forgot, failed, unread } = last
  const turn = (what: string, chore: string, at: Date | null, effect: string): Stalled[] => {
    const since = at ?? began
    if (since === null || now.getTime() - since.getTime() < dailyTasksMsMax) return []
    return [
      {
        what: `${what}, last done: ${at?.toISOString() ?? 'never'}`,
        cause: `No server with ROLE all or jobs was running in the first minutes of the day, or the task failed. Its log contains "scheduled task failed", chore "${chore}".`,
        effect,
        next: 'within 10 minutes if such a server runs; within 1 hour if it failed',
        action: 'Check that a server with ROLE all or jobs runs, and check its log.',
        sick: true,
      },
    ]
  }
  return [
    ...turn('daily reconciliation', 'reconcile', compared, 'None, but discrepancies are not detected.'),
    ...turn('daily data deletion', 'forget', forgot, 'None, but expired data is still kept.'),
    ...failedDeletions(failed ?? []),
    ...countedRow(unread ?? 0, {
      what: 'accounts not read in the last reconciliation',
      cause: 'Their platform did not respond, no longer has them, or they cannot be read.',
      effect: 'None, but discrepancies on them are not detected.',
      next: 'next reconciliation',
      action: 'Run reconciliation in the back office when the platform responds.',
    }),
  ]
}

/** Returns the row of the classes that the last deletion could not delete completely. */
function failedDeletions(failed: readonly string[]): Stalled[] {
  if (failed.length === 0) return []
  return [
    {
      what: `expired data not deleted: ${failed.join(', ')}`,
      cause: 'An error. The log contains "job row failed", job "forget".',
      effect: 'None, but expired data is still kept.',
      next: 'within 1 hour',
      action: 'Correct the error in the log. Then run: npm run operator -- retention --yes',
      sick: true,
    },
  ]
}
