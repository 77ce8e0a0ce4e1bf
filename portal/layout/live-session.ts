import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { currentUser } from '#contract/users-session.ts'
import { call } from '#ui/api/call.ts'
import { useLiveSession } from '#ui/auth/live-session.ts'
import { claimsOf } from '#ui/auth/session.ts'
import { type Client, session } from '../session.ts'

/** Where a client waits for the approvals: of the documents, then of the account (requirements 2.21). */
const waitingPages: readonly string[] = [portalPaths.uploadDocuments, portalPaths.tradingAccounts]
const waitingPollMs = 20_000
/** What a token of this age says is what the server says. */
const freshMs = 30_000

/**
 * The client's claims follow the server: an approval opens the portal without logging in again. Answers whether the claims
 * are being read for a page that was just opened: until then the client is not led away from it.
 */
export function useLiveClient(client: Client | null, path: string): boolean {
  const queries = useQueryClient()
  const ask = useCallback((background: boolean) => void askCurrentUser(queries, background), [queries])
  const signedIn = client !== null
  const [isReading, setReading] = useState(() => signedIn && isOlderThan(session.token(), freshMs))
  // An approval is seen at once, by the link of its own mail too: a page that is opened asks what the token may not know.
  useEffect(() => {
    if (!signedIn || !isOlderThan(session.token(), freshMs)) return
    void askCurrentUser(queries, true).then(() => setReading(false))
  }, [signedIn, queries])
  const waiting = waitingPages.includes(path) && client?.status === 'pending'
  useLiveSession({ signedIn, ask, pollMs: waiting ? waitingPollMs : undefined })
  return isReading
}

function isOlderThan(token: string | null, ms: number): boolean {
  const { iat } = (claimsOf(token) ?? {}) as { iat?: number }
  return iat === undefined || Date.now() - iat * 1000 > ms
}

async function askCurrentUser(queries: QueryClient, background: boolean): Promise<void> {
  try {
    queries.setQueryData([currentUser.name, {}], await call(currentUser, {}, { background }))
  } catch {
    // A refused session has already ended on its own; without an answer the next look asks again.
  }
}
