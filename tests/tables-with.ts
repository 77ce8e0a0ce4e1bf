/** Finds where in the database a text is still stored. */
import { raw, row, rows, sql } from '#server/db/sql.ts'
import type { FactoryTarget } from './factories.ts'

/** Returns every table that contains one of the texts, as text or as bytes. */
export async function tablesContaining(
  { dependencies: { pool } }: FactoryTarget,
  ...texts: readonly string[]
): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    pool,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const patterns = texts.flatMap((text) => [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`])
  const found: string[] = []
  for (const { name } of tables) {
    const hit = await row(
      pool,
      sql`select 1 from ${raw(name)} t where to_jsonb(t)::text ilike any (${patterns}::text[]) limit 1`,
    )
    if (hit) found.push(name)
  }
  return found.toSorted()
}
