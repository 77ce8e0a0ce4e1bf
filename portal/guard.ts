/** Page access (requirements 2.10). The server checks permissions itself; this only redirects. */
import { portalPaths } from '#contract/portal-paths.ts'
import type { Client } from './session.ts'

/**
 * `visitor`: pages for people who are not logged in; a client is redirected. `anyone`: links in emails. `client`: any
 * logged-in client who may open the path. `payment`: returns of a payment, which request a login and then continue.
 */
export type Access = 'visitor' | 'register' | 'anyone' | 'client' | 'payment'

/** Returns where this person must go instead of `path`, or null to stay. */
export function redirectFor(client: Client | null, path: string, access: Access): string | null {
  if (access === 'anyone') return null
  if (!client) return access === 'visitor' || access === 'register' ? null : portalPaths.home
  if (client.continueRegistration) return access === 'register' ? null : portalPaths.register
  if (access === 'visitor' || access === 'register') return startPageOf(client)
  if (client.status === 'approved') return null
  if (path.includes('document')) return null
  if (client.gcenApiKYCPass) return path === portalPaths.tradingAccounts ? null : portalPaths.tradingAccounts
  return portalPaths.uploadDocuments
}

/** Pages that emails link to, besides the start page and single records. */
const linkedPages: readonly string[] = [
  portalPaths.bankDetails,
  portalPaths.professionalClientStatus,
  portalPaths.profile,
  portalPaths.demoAccounts,
]

/**
 * Returns whether an address is resumed after the login: the return of a payment keeps its REF (requirements 2.4), and
 * the link in an email its page, document, record or account (24.190).
 */
export function isResumedAfterLogin(access: Access, path: string, search: string): boolean {
  const asked = new URLSearchParams(search)
  const isNamed =
    asked.has('record') ||
    asked.has('enquiry') ||
    path.startsWith(`${portalPaths.tradingAccounts}/`) ||
    path.startsWith(portalPaths.document('')) ||
    linkedPages.includes(search ? `${path}?${search}` : path)
  return access === 'payment' || (access === 'client' && isNamed)
}

/** Returns the first page after a login. */
function startPageOf(client: Client): string {
  if (client.continueRegistration) return portalPaths.register
  return client.status === 'approved' || client.gcenApiKYCPass
    ? portalPaths.tradingAccounts
    : portalPaths.uploadDocuments
}
