/**
 * Every route of both apps: the server answers 404 for an address that is none, the apps draw their screens by them.
 * A route is read exactly, case-sensitively, without a trailing slash (requirements 2.3).
 */

export const portalRoutes = [
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/password-reset',
  '/resetpassword/:id',
  '/email/confirm/*',
  '/ideal',
  '/gcen-payments',
  '/trading-accounts',
  '/trading-accounts/:platform/:number',
  '/deposit-funds',
  '/deposit-funds/account/:account',
  '/deposit-funds/success',
  '/deposit-funds/failed',
  '/withdraw-funds',
  '/withdraw-funds/success',
  '/withdraw-funds/failed',
  '/internal-transfer',
  '/bank-details',
  '/transactions-history',
  '/platforms/mt4',
  '/platforms/mt5',
  '/profile',
  '/documents',
  '/document/:documentType',
  '/upload-documents',
  '/professional-client-status',
] as const

/** Inside /office. */
export const officeRoutes = [
  '/sign-in',
  '/welcome/:id',
  '/overview',
  '/inbox',
  '/inbox/:id',
  '/documents',
  '/documents/:id',
  '/clients',
  '/clients/:id',
  '/clients/:id/access-request',
  '/accounts/:platform/:number',
  '/account-requests',
  '/account-requests/:id',
  '/leverage',
  '/leverage/:id',
  '/bank-details',
  '/bank-details/:id',
  '/professional',
  '/professional/:id',
  '/enquiries',
  '/enquiries/:id',
  '/profile-changes',
  '/profile-changes/:id',
  '/deposits',
  '/deposits/:id',
  '/withdrawals',
  '/withdrawals/:id',
  '/payout-batches',
  '/payout-batches/:id',
  '/transfers',
  '/transfers/:id',
  '/corrections',
  '/corrections/:id',
  '/client-money',
  '/client-money/:id',
  '/reconciliation',
  '/recovery',
  '/recovery/:id',
  '/imports',
  '/audit',
  '/reports',
  '/settings',
  '/settings/:section',
  '/staff',
  '/failed-jobs',
  '/my-security',
] as const

/** Addresses without a screen of their own that lead to one: the default platform, the office's start. */
const leadingOn = { portal: ['/platforms'], office: ['', '/'] } as const

/** Returns whether a screen is at a path of the portal, or of the office (the path then without /office). */
export function isRouteOf(app: 'portal' | 'office', path: string): boolean {
  const routes: readonly string[] = app === 'portal' ? portalRoutes : officeRoutes
  const leads: readonly string[] = leadingOn[app]
  return leads.includes(path) || routes.some((route) => matchRoute(route, path) !== null)
}

/** Pages of those who are not signed in, or that a link of a mail or of a payment opens. */
const beforeSignIn: readonly string[] = [
  ...portalRoutes.slice(0, portalRoutes.indexOf('/trading-accounts')),
  ...['', '/', '/sign-in', '/welcome/:id'].map((path) => `/office${path}`),
]

/** Returns whether the page at an address, with /office for the office's, is one of those who are signed in. */
export function isBehindSignIn(address: string): boolean {
  return !beforeSignIn.some((route) => matchRoute(route, address) !== null)
}

/**
 * Returns the parts of a route, for our own matching and for wouter. A rest segment `*` keeps its match undecoded,
 * because confirmation ids may contain slashes.
 */
export function parseRoute(route: string): { pattern: RegExp; keys: string[] } {
  const keys: string[] = []
  const source = route
    .split('/')
    .map((segment) => {
      if (segment === '*') {
        keys.push('rest')
        return '(.+)'
      }
      if (segment.startsWith(':')) {
        keys.push(segment.slice(1))
        return '([^/]+)'
      }
      return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('/')
  return { pattern: new RegExp(`^${source}$`), keys }
}

/** Returns the values that a route catches in a path, still percent-encoded, or null where it does not match. */
export function matchRoute(route: string, path: string): Record<string, string> | null {
  const { pattern, keys } = parseRoute(route)
  const caught = pattern.exec(path)
  return caught && Object.fromEntries(keys.map((key, index) => [key, caught[index + 1] ?? '']))
}
