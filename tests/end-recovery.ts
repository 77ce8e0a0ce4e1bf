/** For a test that opened recovery, so that the other tests of its file are not affected. */
import { run, sql } from '#server/db/sql.ts'
import { staffTokenFor, type MadeStaff, type TestServer } from './factories.ts'

/**
 * Closes the open recovery as of so long ago that it does not explain anything found now, and signs in staff again,
 * whose sessions ended with it.
 */
export async function endRecovery(server: TestServer, staff: readonly MadeStaff[]): Promise<void> {
  const { pool } = server.dependencies
  const now = server.clock.now()
  await run(
    pool,
    sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}
        where closed_at is null`,
  )
  await run(
    pool,
    sql`update recovery set closed_at = closed_at - interval '31 days' where closed_at > ${now}::timestamptz - interval '31 days'`,
  )
  await run(pool, sql`delete from work_items where kind = 'recovery'`)
  for (const one of staff) Object.assign(one, await staffTokenFor(server, one))
}
