/** For races in tests: detects when a connection waits for a lock that the test holds. */
import { expect } from 'vitest'
import { row, sql, type Connection } from '#server/db/sql.ts'

/** Resolves once this number of connections to the database of `connection` wait for another's lock. */
export async function lockWaits(connection: Connection, count = 1): Promise<void> {
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
