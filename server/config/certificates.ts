/** Certificates of authorities of the firm's own: trusted besides those that Node trusts, never in their place. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const minVersion = 'TLSv1.2' as const

/** `pem` and what Node trusts without it. Given alone as `ca`, it would replace Node's (Node's manual, tls). */
export function trustedCertificates(pem: string): string[] {
  return [...getCACertificates('default'), pem]
}

/** The TLS options of an integration, made once: some 150 certificates are read for each context. */
export function tlsOptions(pem: string | undefined): { minVersion: typeof minVersion; secureContext?: SecureContext } {
  if (pem === undefined) return { minVersion }
  return { minVersion, secureContext: createSecureContext({ minVersion, ca: trustedCertificates(pem) }) }
}
