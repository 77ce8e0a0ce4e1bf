/** The queue of clients whose documents compliance decides on. */
import type { listDocumentCases } from '#contract/office/documents.ts'
import type { ClientId } from '#rules/ids.ts'
import { rows, sql } from '../../db/sql.ts'
import type { Handler } from '../../http/request-context.ts'
import { pageOf, type Columns } from '../../office/listing.ts'
import { clientBriefs, staffNames } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { documentListing, type DocumentRow } from './queries.ts'

interface CaseRow {
  id: string
  sentAt: Date | null
  dueAt: Date | null
  assignee: string | null
}

const caseColumns: Columns<CaseRow> = sql`c.id, c.documents_sent_at as "sentAt", w.due_at as "dueAt", w.assignee`

export const listCases: Handler<typeof listDocumentCases> = async (dependencies, { query }) => {
  const { rows: page, next } = await pageOf(dependencies, documentListing, caseColumns, query)
  const ids = page.map(({ id }) => id)
  const clientOf = await clientBriefs(dependencies, ids)
  const by = await staffNames(dependencies.pool, page, ({ assignee }) => [assignee])
  const documents = await documentsOfClients(dependencies, ids)
  return {
    rows: page.flatMap(({ id, sentAt: sent, dueAt, assignee }) => {
      const client = clientOf(id)
      if (!client) return []
      return {
        client,
        documents: documents
          .filter((document) => document.clientId === id)
          .map(({ clientId: _clientId, ...document }) => document),
        sentAt: sent,
        dueAt,
        assignee: by(assignee),
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
