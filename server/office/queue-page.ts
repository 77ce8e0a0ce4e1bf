/** A queue of requests for staff. */
import type { Sql } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { pageOf, type ListQuery, type Listing } from './listing.ts'
import { rowHeads, type Listed } from './lists.ts'

/**
 * Returns one page of a queue: the fields of every row (contract/office/decisions.ts, rowFields), followed by those of
 * its kind.
 */
export async function queuePage<Request extends Listed, Query extends ListQuery, Facts extends { createdAt: Date }>(
  dependencies: Dependencies,
  kind: string,
  list: Listing<Query>,
  columns: Sql,
  { query, now }: { readonly query: Query; readonly now: Date },
  factsOf: (request: Request) => Facts,
) {
  const { rows, next } = await pageOf<Request, Query>(dependencies, list, columns, query)
  const head = await rowHeads(dependencies, kind, rows, now)
  const shown = rows.map((request) => {
    const facts = factsOf(request)
    return { ...head(request, facts.createdAt), ...facts }
  })
  return { rows: shown, next }
}
