/** The audit log's seals, for tests that check them. */
import { appendToChain } from '#server/db/audit-chain.ts'
import { row, sql } from '#server/db/sql.ts'
import type { TestServer } from './factories.ts'
import { until } from './until.ts'

/**
 * Seals every committed event. The sealer leaves out events younger than the oldest transaction of the whole cluster,
 * which other tests share.
 */
export async function chainAllEvents({ dependencies }: TestServer): Promise<void> {
  await until(async () => {
    await appendToChain(dependencies.jobs)
    const left = await row<{ events: bigint }>(
      dependencies.pool,
      sql`select count(*) as events from events e where not exists (select from event_seals s where s.event_id = e.id)`,
    )
    return left?.events === 0n
  })
}
