/** The queue of clients whose documents compliance decides on. */
import type { listDocumentCases } from '#contract/office/documents.ts'
import type { ClientId } from '#rules/ids.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { sql } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { pageOf, type Columns } from '../../office/listing.ts'
import { clientsAndItems } from '../../office/lists.ts'
import type { Dependencies } from '../../dependencies.ts'
import { documentListing, type DocumentRow } from './queries.ts'

interface CaseRow {
  id: string
  sentAt: Date | null
}

const caseColumns: Columns<CaseRow> = sql`c.id, c.documents_sent_at as "sentAt"`

export const listCases: Handler<typeof listDocumentCases> = async (dependencies, { query, now }) => {
  const { rows: page, next } = await pageOf(dependencies, documentListing, caseColumns, query)
  const ids = page.map(({ id }) => id)
  const [[clientOf, items], documents] = await Promise.all([
    clientsAndItems(dependencies, 'document', page, ({ id }) => id, now),
    documentsOfClients(dependencies, ids),
  ])
  return {
    rows: page.flatMap(({ id, sentAt: sent }) => {
      const client = clientOf(id)
      if (!client) return []
      return {
        client,
        documents: documents
          .filter((document) => document.clientId === id)
          .map(({ clientId: _clientId, ...document }) => document),
        sentAt: sent,
        dueAt: items.get(id)?.dueAt ?? null,
        assignee: items.get(id)?.assignee ?? null,
      }
    }),
    next,
  }
}

interface ListedDocument extends Pick<DocumentRow, 'id' | 'kind' | 'state'> {
  readonly clientId: ClientId
}

function documentsOfClients(dependencies: Dependencies, ids: readonly string[]): Promise<ListedDocument[]> {
  return pipelinedRows<ListedDocument>(
    dependencies.pool,
    sql`select id, client_id as "clientId", kind, state from documents
        where client_id = any (${[...ids]}::uuid[]) order by created_at, id`,
  )
}
