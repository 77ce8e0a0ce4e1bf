/** Sends documents for approval, for the wizard and /documents. */
import { useQueryClient } from '@tanstack/react-query'
import { useLingui } from '@lingui/react/macro'
import { documentsApproval, getDocuments } from '#contract/documents.ts'
import { currentUser } from '#contract/users-session.ts'
import { documentKinds } from '#rules/documents.ts'
import { refreshEndpoints, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { useDocumentLabels } from './document-labels.tsx'

/**
 * A rejection is stored with the documents too: they are reloaded, so that each shows its own error. If nothing is left
 * to send, another tab or device has sent them (requirements 24.191).
 */
export function useSendDocuments(callbacks: { onDone?: () => void; onFailure?: (failure: ApiError) => void }) {
  const queries = useQueryClient()
  const refreshes = [getDocuments, currentUser]
  return useEndpointMutation(documentsApproval, {
    refreshes,
    onDone: () => callbacks.onDone?.(),
    onFailure: (failure) => {
      void refreshEndpoints(queries, refreshes)
      if (failure.code === 'nothing-to-send') callbacks.onDone?.()
      else callbacks.onFailure?.(failure)
    },
  })
}

/**
 * Returns why documents were not sent: a rejection with the document's name; a server error as in requirements 16.2.
 */
export function useSendError(): (thrown: unknown) => string {
  const { t } = useLingui()
  const words = useDocumentLabels()
  return (thrown) => {
    if (!(thrown instanceof ApiError) || thrown.status < 400 || thrown.status >= 500)
      return t`Something went wrong on our side. Please, contact support and we'll look into it.`
    const kind = documentKinds.find((one) => thrown.errors[one] !== undefined)
    return kind ? `${words[kind].name}: ${thrown.errors[kind]}` : thrown.error
  }
}
