/** Certificates of the firm's own authorities, trusted in addition to those that Node trusts, never instead of them. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const minVersion = 'TLSv1.2' as const

/** Returns `pem` together with Node's own certificates. `pem` alone as `ca` would replace them (Node's manual, tls). */
export function trustedCertificates(pem: string): string[] {
  return [...getCACertificates('default'), pem]
}

/** Returns the TLS options of an integration. Create them once: each context reads some 150 certificates. */
export function tlsOptions(pem: string | undefined): { minVersion: typeof minVersion; secureContext?: SecureContext } {
  if (pem === undefined) return { minVersion }
  return { minVersion, secureContext: createSecureContext({ minVersion, ca: trustedCertificates(pem) }) }
}
