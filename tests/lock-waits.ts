/** For races in tests: detects when a connection waits for a lock that the test holds. */
import { expect } from 'vitest'
import { row, run, sql, transaction, type Connection } from '#server/db/sql.ts'
import type { Dependencies } from '#server/dependencies.ts'

/** Resolves once this number of connections to the database of `connection` wait for another's lock. */
export async function waitForBlockedConnections(connection: Connection, count = 1): Promise<void> {
  await expect
    .poll(async () => {
      const found = await row<{ waiting: number }>(
        connection,
        sql`select count(*)::int as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return found?.waiting
    })
    .toBe(count)
}

/**
 * Sends requests while nothing can be reserved, and resolves once this number of them wait: by then each has read what
 * is available, unless it waits for another one to end.
 */
export async function withReservationsLocked(
  { pool, jobs }: Pick<Dependencies, 'pool' | 'jobs'>,
  send: () => void,
  count: number,
): Promise<void> {
  await transaction(jobs, async (tx) => {
    await run(tx, sql`lock table reservations in share mode`)
    send()
    await waitForBlockedConnections(pool, count)
  })
}
