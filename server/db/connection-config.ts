/** How a connection to PostgreSQL is opened at the address that the environment gives. */
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { trustedCertificates } from '../config/certificates.ts'

/**
 * Returns what pg takes. Where the address names a `sslrootcert`, pg would trust that file alone: it is added to what Node
 * trusts (ADR 202).
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
