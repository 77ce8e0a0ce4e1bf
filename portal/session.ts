/** The portal's session: its token in localStorage, decoded into the user that the screens know. */
import { useMemo, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { browserSession, claimsOf, hasExpired } from '#ui/session.ts'

/** What a logout forgets besides the token: registration progress and upload flags (specification section 4). */
export const progressKeys = {
  registration: 'portal.registration',
  uploads: 'portal.uploads',
  returnTo: 'portal.return',
} as const

export const session = browserSession(localStorage, 'portal.token', Object.values(progressKeys))

/** Where a request stands whose confirm step is open, in sessionStorage. */
export const keptRequests = 'portal.kept.'

// Drafts and results of money requests name accounts, banks and amounts: they end with a logout (attack F4). A session
// that merely ran out keeps them for the client to go on with.
session.subscribe(() => {
  if (session.token() === null && session.endReason() === 'logout') forgetRequests()
})

function forgetRequests(): void {
  for (const name of Object.keys(sessionStorage)) {
    const isOurs = name.startsWith('portal.') && name !== progressKeys.returnTo
    if (isOurs && !isUnderWay(name)) sessionStorage.removeItem(name)
  }
}

/** Sent, and not answered: under its key it happens once, so the key outlives the session. */
function isUnderWay(name: string): boolean {
  return name.startsWith(keptRequests) && sessionStorage.getItem(name)?.includes('"sent":true') === true
}

/** The claims of the token (mechanics, section 5). A registration's own token names less, and is still registering. */
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

/** The client of a token that has not expired, or null. */
export function clientOf(token: string | null, now: Date): Client | null {
  if (hasExpired(token, now)) return null
  const claims = clientClaims.safeParse(claimsOf(token))
  return claims.success ? claims.data : null
}

/** Who is signed in, as the token says; null for a visitor. Drawn anew when the token changes, in this tab or another. */
export function useClient(): Client | null {
  const token = useSyncExternalStore(session.subscribe, session.token)
  return useMemo(() => clientOf(token, new Date()), [token])
}
