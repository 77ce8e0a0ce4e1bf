/**
 * Restricts the addresses that adapters may connect to: only those of the configuration, over TLS (ASVS 1.3.6, 12.3.1,
 * 13.2.4).
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress } from '../http/network.ts'

/**
 * Returns the URL of an integration: https, or http on this machine (the simulators). Throws a sentence for the
 * operator otherwise.
 */
export function integrationUrl(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new Error(`${name} is not a valid address: ${text}`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new Error(`${name} contains a user or password; set them in their own variables`)
  if (url.protocol === 'https:') return url
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return url
  throw new Error(`${name} must begin with https:// (plain http only on this machine): ${text}`)
}

/** Returns whether a host name or address is this machine's own, for which plain http is allowed. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Looks up hosts of the public internet. An address in a private network is rejected when connecting. */
export const publicLookup: LookupFunction = (hostname, options, answer) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return answer(error, '')
    const allowed = addresses.filter(({ address }) => !isPrivateAddress(address))
    const first = allowed[0]
    if (first === undefined) return answer(new Error(`${hostname} resolves to a private address`), '')
    if (options.all === true) answer(null, allowed)
    else answer(null, first.address, first.family)
  })
}
