/** The list of clients. */
import type { searchClients as endpoint } from '#contract/office/clients.ts'
import { sql } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { pageOf, type Columns } from '../../office/listing.ts'
import { clientBriefs } from '../../office/records.ts'
import { clientListing, openItems } from './queries.ts'

interface FoundRow {
  id: string
  registeredAt: Date | null
  waiting: number
}

const foundColumns: Columns<FoundRow> = sql`c.id, c.registered_at as "registeredAt",
  (select count(*)::int ${openItems}) as waiting`

/** Returns a page of clients. */
export const searchClients: Handler<typeof endpoint> = async (dependencies, context) => {
  const { rows, next } = await pageOf(
    dependencies,
    await clientListing(dependencies, context),
    foundColumns,
    context.query,
  )
  const ids = rows.map(({ id }) => id)
  const clientOf = await clientBriefs(dependencies, ids)
  return {
    rows: rows.flatMap(({ id, registeredAt, waiting }) => {
      const client = clientOf(id)
      return client ? [{ client, registeredAt, waiting }] : []
    }),
    next,
  }
}
