/** The client's documents, read and changed by the wizard and /documents. */
import { useQueryClient } from '@tanstack/react-query'
import { getDocuments } from '#contract/documents.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type DocumentKind, documentKinds, type Documents } from '#rules/documents.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'

export type ClientDocuments = ResponseOf<typeof getDocuments>
export type DocumentRecord = NonNullable<ClientDocuments['documents'][DocumentKind]>

/** How often decisions are polled while documents are reviewed, in ms (requirements 2.21). */
const decisionPollMs = 20_000

export function useClientDocuments(clientId: string) {
  return useEndpoint(getDocuments, { id: clientId }, { pollMs: decisionPollMs, staleMs: 0 })
}

/** Returns a function that writes a saved document into the cache before it is reloaded. */
export function useCacheDocument(clientId: string): (kind: DocumentKind, document: DocumentRecord) => void {
  const queries = useQueryClient()
  return (kind, document) => {
    queries.setQueryData<ClientDocuments>(
      [getDocuments.name, { id: clientId }],
      (before) => before && { ...before, documents: { ...before.documents, [kind]: document } },
    )
  }
}

/** Returns why a document is requested again, or null: staff rejected it, or it cannot be sent as saved. */
export function resubmissionReason(record: DocumentRecord | undefined): string | null {
  if (record?.status === 'rejected') return record.reason ?? record.reasonFront ?? record.reasonBack ?? ''
  return record?.blockedReason ?? null
}

/** Returns whether a source of wealth was requested and has not been sent. */
export function isSourceOfWealthDue({
  sourceOfWealthAsked,
  documents: { source_of_wealth: proof },
}: ClientDocuments): boolean {
  return sourceOfWealthAsked && (!proof || resubmissionReason(proof) !== null)
}

/**
 * Returns whether the client has nothing to upload: identity and address are approved, and nothing was requested since.
 */
export function isComplete(data: ClientDocuments): boolean {
  const { identityApproved, addressApproved, documents } = data
  const again = Object.values(documents).some((one) => one.status === 'expired' || resubmissionReason(one) !== null)
  return identityApproved && addressApproved && !again && !isSourceOfWealthDue(data)
}

/** Returns kinds and states, and which documents cannot be sent, in the form that the rules need. */
export function documentStates(documents: ClientDocuments['documents']): Documents {
  return documentKinds.flatMap((kind) => {
    const record = documents[kind]
    return record ? [{ kind, state: record.status, isBlocked: record.blockedReason !== null }] : []
  })
}
