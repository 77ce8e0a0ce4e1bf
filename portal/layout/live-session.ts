import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { currentUser } from '#contract/users-session.ts'
import { call } from '#ui/call.ts'
import { useLiveSession } from '#ui/live-session.ts'
import type { Client } from '../session.ts'

/** Where a client waits for the approvals: of the documents, then of the account (mechanics, section 8). */
const waitingPages: readonly string[] = [portalPaths.uploadDocuments, portalPaths.tradingAccounts]
const waitingPollMs = 20_000

/** The client's claims follow the server: an approval opens the portal without logging in again. */
export function useLiveClient(client: Client | null, path: string): void {
  const queries = useQueryClient()
  const ask = useCallback((background: boolean) => void askCurrentUser(queries, background), [queries])
  const waiting = waitingPages.includes(path) && client?.status === 'pending'
  useLiveSession({ signedIn: client !== null, ask, pollMs: waiting ? waitingPollMs : undefined })
}

async function askCurrentUser(queries: QueryClient, background: boolean): Promise<void> {
  try {
    queries.setQueryData([currentUser.name, {}], await call(currentUser, {}, { background }))
  } catch {
    // A refused session has already ended by itself; without an answer the next look asks again.
  }
}
