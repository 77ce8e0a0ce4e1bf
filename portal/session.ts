/** The portal's session: its token in localStorage, decoded into the client that the screens use. */
import { useMemo, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { browserSession, claimsOf, hasExpired, isLogout } from '#ui/auth/session.ts'

/** Data that a logout deletes besides the token: registration progress and upload flags (requirements 4.9). */
export const progressKeys = {
  registration: 'portal.registration',
  uploads: 'portal.uploads',
  returnTo: 'portal.return',
} as const

export const session = browserSession(localStorage, 'portal.token', Object.values(progressKeys))

/** The claims of the token (requirements 4.4). A registration's own token has fewer claims and status `registering`. */
const clientClaims = z.object({
  id: z._default(z.string(), ''),
  email: z._default(z.string(), ''),
  name: z._default(z.string(), ''),
  surname: z._default(z.string(), ''),
  status: z._default(z.string(), 'registering'),
  clientStatus: z._default(z.string(), 'retail'),
  registered: z._default(z.boolean(), false),
  continueRegistration: z._default(z.boolean(), true),
  acceptedDeclaration: z._default(z.boolean(), false),
  gcenApiKYCPass: z._default(z.boolean(), false),
  gcenApiDocsSubmitted: z._default(z.boolean(), false),
  country: z._default(z.string(), ''),
})
export type Client = z.output<typeof clientClaims>

/** Returns the client of a token that has not expired, or null. */
export function clientOf(token: string | null, now: Date): Client | null {
  if (hasExpired(token, now)) return null
  const claims = clientClaims.safeParse(claimsOf(token))
  return claims.success ? claims.data : null
}

/**
 * Returns the client of the current token; null for a visitor. Renders again when the token changes, in this tab or
 * another.
 */
export function useClient(): Client | null {
  const token = useSyncExternalStore(session.subscribe, session.token)
  return useMemo(() => clientOf(token, new Date()), [token])
}

/** Returns the key prefix in sessionStorage of a client's requests with an open confirm step. */
export function storedRequestsPrefix(owner: string): string {
  return `portal.kept.${owner}.`
}

// Drafts and results of money requests contain accounts, bank details and amounts: only the client's own Logout deletes
// them (requirements 4.24, 31.4). After a session has expired their owner can continue with them.
let lastOwner = clientOf(session.token(), new Date(0))?.id ?? ''
session.subscribe(() => {
  const reason = session.endReason()
  if (session.token() !== null) lastOwner = clientOf(session.token(), new Date(0))?.id ?? ''
  else if (isLogout(reason)) deleteStoredRequests(lastOwner, reason === 'elsewhere')
})

/**
 * `exceptSent`: requests that another tab's Logout did not ask about keep their key, under which they are carried out
 * once.
 */
function deleteStoredRequests(owner: string, exceptSent: boolean): void {
  const own = storedRequestsPrefix(owner)
  for (const name of Object.keys(sessionStorage)) {
    if (!name.startsWith('portal.') || name === progressKeys.returnTo) continue
    if (name.startsWith('portal.kept.') && !name.startsWith(own)) continue
    if (exceptSent && name.startsWith(own) && sessionStorage.getItem(name)?.includes('"sent":true')) continue
    sessionStorage.removeItem(name)
  }
}
