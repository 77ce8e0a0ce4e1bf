/** Overrides that are inserted without a request whose checks block. */
import { run, sql, type Connection } from '#server/db/sql.ts'

/** A period without overrides of other tests: `insertOverrides` inserts one per second, the newest last. */
export const monthOfOverrides = { from: '2024-03-01', to: '2024-03-31' }

/** Inserts this number of overrides by one person, with the reasons "Reason 1", "Reason 2" and so on. */
export async function insertOverrides(connection: Connection, staff: { id: string }, count: number): Promise<void> {
  await run(
    connection,
    sql`insert into check_overrides (kind, record, check_name, digest, reason, by_staff, at)
      select 'withdrawal', uuidv7(), 'account-holder', ''::bytea, 'Reason ' || n, ${staff.id}, '2024-03-05T10:00Z'::timestamptz + n * interval '1 second'
        from generate_series(1, ${count}::int) n`,
  )
}

/** Inserts the override of a block of one record by a person. */
export async function overrideBlock(connection: Connection, staff: { id: string }, kind: string, record: string) {
  await run(
    connection,
    sql`insert into check_overrides (kind, record, check_name, digest, reason, by_staff, at)
      values (${kind}, ${record}, 'account-holder', ''::bytea, 'Contract seen.', ${staff.id}, now())`,
  )
}
