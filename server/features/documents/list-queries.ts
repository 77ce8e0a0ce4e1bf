/** The queue of clients whose documents compliance decides on. */
import type { listDocumentCases } from '#contract/office/documents.ts'
import type { ClientId } from '#rules/ids.ts'
import { rows, sql } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { firmDay } from '../../office/absences.ts'
import { pageOf, type Columns } from '../../office/listing.ts'
import { rowItems } from '../../office/lists.ts'
import { clientBriefs } from '../../office/records.ts'
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
  const clientOf = await clientBriefs(dependencies, ids)
  const items = await rowItems(dependencies.pool, 'document', page, await firmDay(dependencies, now))
  const documents = await documentsOfClients(dependencies, ids)
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
  return rows<ListedDocument>(dependencies.pool)`select id, client_id as "clientId", kind, state from documents
      where client_id = any (${[...ids]}::uuid[]) order by created_at, id`
}
