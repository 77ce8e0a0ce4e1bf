/** Records of files without bytes: the result of restoring backups of different times (requirements 33.25). */
import { rows, sql, type Connection } from '../db/sql.ts'
import type { FileStore } from '../integrations/file-store/file-store.ts'

/** Returns the ids of files without bytes, oldest first, except those that the scanner rejected. */
export async function missingFiles(connection: Connection, store: FileStore): Promise<string[]> {
  // The records first: a file that is added meanwhile has its bytes before its record.
  const recorded = await rows<{ id: string }>(
    connection,
    sql`select id from files where state <> 'infected' order by created_at, id`,
  )
  const there = new Set((await store.list()).filter(({ isHalf }) => !isHalf).map(({ name }) => name))
  return recorded.map(({ id }) => id).filter((id) => !there.has(id))
}
