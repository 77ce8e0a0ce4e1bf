/** The options of a connection to the PostgreSQL address of the environment. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { trustedCertificates } from '../config/certificates.ts'

/**
 * Returns the options for pg. If the address has a `sslrootcert`, pg would trust only that file: it is added to the
 * authorities that Node trusts (ADR 202).
 */
export function connectionTo(url: string): pg.ClientConfig {
  if (!url.includes('sslrootcert=')) return { connectionString: url }
  const address = new URL(url)
  const taken = (name: string): string | null => {
    const value = address.searchParams.get(name)
    address.searchParams.delete(name)
    return value
  }
  const mode = address.searchParams.get('sslmode')
  if (mode === 'disable' || mode === 'no-verify') return { connectionString: url }
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => {
    const file = taken(name)
    return file === null ? null : readFileSync(file, 'utf8')
  })
  taken('sslmode')
  const ssl = { ...(ca && { ca: trustedCertificates(ca) }), ...(cert && { cert }), ...(key && { key }) }
  return { connectionString: address.href, ssl }
}
