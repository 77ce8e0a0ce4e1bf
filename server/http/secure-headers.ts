/** The headers of every response, including problems and files (ASVS V3). */
import type { Dependencies } from '../dependencies.ts'

// The only style that react-aria adds; a test computes the hash again.
const reactAriaStyleHash = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** Returns the Content Security Policy of both apps: own scripts and styles, nothing else. */
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

/** Policy of JSON and of a page's files: they are not documents and load nothing. */
export const policyOfData = "default-src 'none'; frame-ancestors 'none'"

/** Returns the headers of every response, whatever its kind. */
export function securityHeadersOf(config: Pick<Dependencies['config'], 'portalUrl'>): Record<string, string> {
  const overTls = config.portalUrl.startsWith('https:')
  return {
    'content-security-policy': contentSecurityPolicy(),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
    'cache-control': 'no-store',
    ...(overTls ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
