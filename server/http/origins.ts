/**
 * Two origins, two sites: if portal and back office have different addresses, each answers 404 to the other's pages and
 * calls, so that a script in one cannot reach the other (requirements 4.26; ASVS 3.5.4). With one address for both, as
 * in the demo, nothing is checked.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { listCountries } from '#contract/countries.ts'
import { settings } from '#contract/settings.ts'
import { passwordKey } from '#contract/users-session.ts'
import type { Dependencies } from '../dependencies.ts'
import { Problem, requireFound } from './problem.ts'

type Site = 'portal' | 'office'

const sharedPaths = /^\/(healthz|readyz|brand(-:hash)?\.css)$/
/** Endpoints that both apps read without a token, such as those of the sign-in. */
const sharedEndpoints: readonly string[] = [settings.path, passwordKey.path, listCountries.path]
/** Files behind a signed link: the portal shows them to their owner, the back office with a record. */
const sharedFilesPath = '/public/files/'

/** Adds the check. The proxy must forward the Host header unchanged. */
export function separateOrigins(server: FastifyInstance, { config }: Pick<Dependencies, 'config'>): void {
  const { demo, portalUrl, officeUrl } = config
  server.addHook('onRequest', async (request, reply) => {
    if (hasRequiredHost(request.raw)) return
    reply.header('connection', 'close')
    throw new Problem('malformed')
  })
  if (portalUrl === officeUrl) return
  server.addHook('onRequest', async (request) => {
    // The path of the matched route: an address may have escapes such as %62, or be absolute, and reach the same route.
    const path = request.routeOptions.url ?? request.url.split('?')[0] ?? ''
    if (sharedPaths.test(path) || (demo && isDemoPath(path))) return
    const asked = requireFound(siteOf(request.headers.host, { portalUrl, officeUrl }))
    if (path.startsWith(sharedFilesPath) || sharedEndpoints.includes(path)) return
    if (siteOfPath(path) !== asked) throw new Problem('not-found')
  })
}

/** Returns the site of a Host header, or null for another name. */
export function siteOf(
  host: string | undefined,
  { portalUrl, officeUrl }: { portalUrl: string; officeUrl: string },
): Site | null {
  const isAt = (url: string) => {
    const address = `${new URL(url).protocol}//${host ?? ''}`
    return host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(address) && new URL(address).origin === url
  }
  if (isAt(portalUrl)) return 'portal'
  return isAt(officeUrl) ? 'office' : null
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether a Host header names this machine, at any port, or one of the two sites. */
export function isOwnHost(host: string | undefined, sites: { portalUrl: string; officeUrl: string }): boolean {
  if (siteOf(host, sites) !== null) return true
  const address = `http://${host ?? ''}`
  return (
    host !== undefined &&
    /^[\w.:[\]-]+$/.test(host) &&
    URL.canParse(address) &&
    loopbackNames.includes(new URL(address).hostname)
  )
}

/** Returns whether a path belongs to the demo page, which has its own check (features/demo). */
function isDemoPath(path: string): boolean {
  return path === '/demo' || path.startsWith('/demo/')
}

/**
 * Returns whether a request has the Host header that its version requires: HTTP 1.1 needs it (RFC 9112 section 3.2),
 * 1.0 does not.
 */
function hasRequiredHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = countHostHeaders(rawHeaders)
  return httpVersion === '1.0' ? hosts < 2 : httpVersion === '1.1' && hosts === 1
}

/**
 * Returns the number of Host headers of a request. Node keeps the first of several, and a proxy may have used the last
 * (ASVS 4.2.1).
 */
function countHostHeaders(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'host').length
}

function siteOfPath(path: string): Site {
  return path === '/office' || path.startsWith('/office/') || path.startsWith('/api/backoffice/') ? 'office' : 'portal'
}
