/** Overrides of one check in March 2024, a period in which no other test overrides: one each second, the newest last. */
import { run, sql, type Connection } from '#server/db/sql.ts'

export const monthOfOverrides = { from: '2024-03-01', to: '2024-03-31' }

/** Inserts so many overrides by one person, with the reasons "Reason 1", "Reason 2" and so on. */
export async function insertOverrides(connection: Connection, staff: { id: string }, count: number): Promise<void> {
  await run(
    connection,
    sql`insert into check_overrides (kind, record, check_name, digest, reason, by_staff, at)
      select 'withdrawal', uuidv7(), 'account-holder', ''::bytea, 'Reason ' || n, ${staff.id}, '2024-03-05T10:00Z'::timestamptz + n * interval '1 second'
        from generate_series(1, ${count}::int) n`,
  )
}
