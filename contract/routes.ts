/**
 * All routes of both apps: the server responds with 404 to other paths, and the apps choose their screens by them. A
 * route is matched exactly, case-sensitively, without a trailing slash (requirements 2.3).
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

/** Below /office. */
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

/** Paths without a screen of their own that redirect to one: the default platform, the back office's start page. */
const leadingOn = { portal: ['/platforms'], office: ['', '/'] } as const

/** Returns whether a path of the portal, or of the back office (then without /office), has a screen. */
export function isRouteOf(app: 'portal' | 'office', path: string): boolean {
  const routes: readonly string[] = app === 'portal' ? portalRoutes : officeRoutes
  const leads: readonly string[] = leadingOn[app]
  return leads.includes(path) || routes.some((route) => matchRoute(route, path) !== null)
}

/** Pages before the login, or opened by a link in an email or after a payment. */
const beforeSignIn: readonly string[] = [
  ...portalRoutes.slice(0, portalRoutes.indexOf('/trading-accounts')),
  ...['', '/', '/sign-in', '/welcome/:id'].map((path) => `/office${path}`),
]

/** Returns whether the page at a path, with /office for the back office, requires a login. */
export function isBehindSignIn(address: string): boolean {
  return !beforeSignIn.some((route) => matchRoute(route, address) !== null)
}

/**
 * Returns the parts of a route, for our own matching and for wouter. A rest parameter `*` keeps its match undecoded,
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

/** Returns the parameters of a path, still percent-encoded, or null if the route does not match. */
export function matchRoute(route: string, path: string): Record<string, string> | null {
  const { pattern, keys } = parseRoute(route)
  const caught = pattern.exec(path)
  return caught && Object.fromEntries(keys.map((key, index) => [key, caught[index + 1] ?? '']))
}
