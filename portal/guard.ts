/** Who may be where: requirements 2.10. The server refuses on its own; this only leads the way. */
import { portalPaths } from '#contract/portal-paths.ts'
import type { Client } from './session.ts'

/**
 * `visitor`: pages for those who are not signed in; a client is led on. `anyone`: links of mails. `client`: any signed-in
 * client that the page's address allows. `payment`: the returns of a payment, which ask to log in and then go on.
 */
export type Access = 'visitor' | 'register' | 'anyone' | 'client' | 'payment'

/** Where this person has to be instead of `path`, or null to stay. */
export function redirectFor(client: Client | null, path: string, access: Access): string | null {
  if (access === 'anyone') return null
  if (!client) return access === 'visitor' || access === 'register' ? null : portalPaths.home
  if (client.continueRegistration) return access === 'register' ? null : portalPaths.register
  if (access === 'visitor' || access === 'register') return startOf(client)
  if (client.status === 'approved') return null
  if (path.includes('document')) return null
  if (client.gcenApiKYCPass) return path === portalPaths.tradingAccounts ? null : portalPaths.tradingAccounts
  return portalPaths.uploadDocuments
}

/**
 * Whether an address is gone on with after the login: the return of a payment keeps its REF (requirements
 * 2.4), and the link of a mail its record.
 */
export function isAwaited(access: Access, search: string): boolean {
  const asked = new URLSearchParams(search)
  return access === 'payment' || (access === 'client' && (asked.has('record') || asked.has('enquiry')))
}

/** The first page of a client who has just signed in. */
function startOf(client: Client): string {
  if (client.continueRegistration) return portalPaths.register
  return client.status === 'approved' || client.gcenApiKYCPass
    ? portalPaths.tradingAccounts
    : portalPaths.uploadDocuments
}
