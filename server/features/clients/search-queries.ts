/** A page of clients as the list shows it. */
import type { searchClients } from '#contract/office/clients.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import { sql } from '../../db/sql.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { pageOf } from '../../office/listing.ts'
import { clientBriefs } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { clientListing, openItems } from './queries.ts'

interface FoundRow {
  id: string
  registeredAt: Date | null
  approvedAt: Date | null
  waiting: number
}

const foundColumns = sql`c.id, c.registered_at as "registeredAt", c.approved_at as "approvedAt",
  (select count(*)::int ${openItems}) as waiting`

/** A page of clients. */
export async function searchedClients(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof searchClients>, 'query' | 'caller'>,
) {
  const { rows, next } = await pageOf<FoundRow, QueryOf<typeof searchClients>>(
    dependencies,
    await clientListing(dependencies, context),
    foundColumns,
    context.query,
  )
  const clients = await clientBriefs(
    dependencies,
    dependencies.pool,
    rows.map(({ id }) => id),
  )
  return {
    rows: rows.flatMap(({ id, registeredAt, approvedAt, waiting }) => {
      const client = clients.get(id)
      return client ? [{ client, registeredAt, approvedAt, waiting }] : []
    }),
    next,
  }
}
