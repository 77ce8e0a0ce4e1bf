/** The headers of every answer, also of refusals and files: security-checklist, Browser (V3). */
import type { FastifyInstance } from 'fastify'
import type { Parts } from '../parts.ts'

// The one style that react-aria adds; a test computes the hash again.
const reactAriaStyleHash = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** Content Security Policy of the two apps: own scripts, own styles, nothing else. */
export function contentSecurityPolicy(): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${reactAriaStyleHash}`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "frame-src 'self' blob:",
    "manifest-src 'self'",
  ].join('; ')
}

/** Adds the headers to every answer of the server. */
export function secureHeaders(server: FastifyInstance, parts: Pick<Parts, 'config'>): void {
  const policy = contentSecurityPolicy()
  const overTls = parts.config.portalUrl.startsWith('https:')
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', policy)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    reply.header('x-frame-options', 'DENY')
    reply.header('cross-origin-opener-policy', 'same-origin')
    reply.header('cross-origin-resource-policy', 'same-origin')
    reply.header('permissions-policy', 'camera=(self), geolocation=(), microphone=(), payment=()')
    reply.header('cache-control', 'no-store')
    if (overTls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  })
}
