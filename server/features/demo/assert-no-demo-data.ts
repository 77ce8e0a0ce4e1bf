/** Keeps production away from the demo's data: everyone in it has a password and a second factor that are public. */
import { BadConfig } from '../../config/read-variable.ts'
import { row, type Connection } from '../../db/sql.ts'

/** Only the demo's staff have addresses in this domain: the top-level domain is reserved (RFC 2606). */
export const demoStaffPattern = '%@calder-row.example'

/** Throws a sentence if the database contains the demo's staff. */
export async function assertNoDemoData(connection: Connection): Promise<void> {
  const found = await row<{ email: string }>(connection)`
    select email::text as email from staff where email like ${demoStaffPattern} order by created_at, id limit 1`
  if (found)
    throw new BadConfig(
      `The database in DATABASE_URL contains the demo's data, such as ${found.email}. The passwords of its people are public, so production does not start. The data cannot be removed: create an empty database, and set DATABASE_URL to it.`,
    )
}
