import { raw, row, sql } from '#server/db/sql.ts'
import type { FactoryTarget } from './factories.ts'

/** Returns the version of a record, which a decision on it sends. */
export async function versionOf(server: FactoryTarget, table: string, id: string): Promise<number> {
  const found = await row<{ version: number }>(
    server.dependencies.pool,
    sql`select version from ${raw(table)} where id = ${id}`,
  )
  return found?.version ?? 1
}
