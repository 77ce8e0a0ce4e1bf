/** Batch jobs that process each row separately, so that one that fails does not stop the job for the others. */
import { isConnectionError } from '../db/connection-errors.ts'

interface ErrorLog {
  error(values: object, message: string): void
}

interface Batch<Row extends { readonly id: string }> {
  /** The job's name in the log. */
  readonly job: string
  readonly rows: readonly Row[]
  readonly log: ErrorLog
}

/**
 * Runs `work` for each row. A row that fails is logged with its id and retried by the next run. Throws only if the
 * database is unavailable, since every further row would fail as well. Returns the ids of the rows that failed.
 */
export async function forEachRow<Row extends { readonly id: string }>(
  { job, rows, log }: Batch<Row>,
  work: (row: Row) => Promise<unknown>,
): Promise<string[]> {
  const failed: string[] = []
  for (const row of rows) {
    try {
      await work(row)
    } catch (error) {
      if (isConnectionError(error)) throw error
      failed.push(row.id)
      log.error({ job, record: row.id, err: error }, 'job row failed')
    }
  }
  return failed
}
