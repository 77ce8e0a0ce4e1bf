/** The documents of the client, as the wizard and /documents read and change them. */
import { useQueryClient } from '@tanstack/react-query'
import { getDocuments } from '#contract/documents.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type DocumentKind, documentKinds } from '#rules/document-kinds.ts'
import type { Documents } from '#rules/documents.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'

export type ClientDocuments = ResponseOf<typeof getDocuments>
export type DocumentRecord = NonNullable<ClientDocuments['documents'][DocumentKind]>

/** While documents are checked, a decision shows itself (requirements 2.21). */
const decisionPollMs = 20_000

export function useClientDocuments(clientId: string) {
  return useEndpoint(getDocuments, { id: clientId }, { pollMs: decisionPollMs, staleMs: 0 })
}

/** Writes a saved document where it is read, before it is read again. */
export function useKeepDocument(clientId: string): (kind: DocumentKind, document: DocumentRecord) => void {
  const queries = useQueryClient()
  return (kind, document) => {
    queries.setQueryData<ClientDocuments>(
      [getDocuments.name, { id: clientId }],
      (before) => before && { ...before, documents: { ...before.documents, [kind]: document } },
    )
  }
}

/** Returns why a document is asked for once more, or null: staff refused it, or it cannot be sent as it was saved. */
export function askedAgainFor(record: DocumentRecord | undefined): string | null {
  if (record?.status === 'rejected') return record.reason ?? record.reasonFront ?? record.reasonBack ?? ''
  return record?.blockedReason ?? null
}

/** Kinds and states, and what cannot be sent as it stands, as the rules take them. */
export function listed(documents: ClientDocuments['documents']): Documents {
  return documentKinds.flatMap((kind) => {
    const record = documents[kind]
    return record ? [{ kind, state: record.status, isBlocked: record.blockedReason !== null }] : []
  })
}
