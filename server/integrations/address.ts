/**
 * Restricts the addresses that adapters may connect to: those of the configuration, over TLS (ASVS 1.3.6, 12.3.1,
 * 13.2.4).
 */
import { lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

/** https, or http on this very machine (the simulators); throws a sentence for the operator otherwise. */
export function integrationUrl(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new Error(`${name} is no address: ${text}`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw new Error(`${name} carries a password; give it apart`)
  if (url.protocol === 'https:') return url
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return url
  throw new Error(`${name} must begin with https:// (plain http only on this machine): ${text}`)
}

/** True for a host name or address of this very machine: plain http may go there. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

const privateRanges = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv4')
  // Behind a NAT64 gateway the same networks have addresses of IPv6.
  privateRanges.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
for (const [network, prefix] of [
  // Unspecified, this machine, and IPv4 in the two old ways of writing it, which no provider is reached by.
  ['::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv6')
}

/** Returns whether an IP address is not part of the public internet; IPv4 inside IPv6 counts as IPv4. */
export function isPrivateAddress(address: string): boolean {
  const inner = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  const family = isIP(inner)
  if (family === 0) return true
  return privateRanges.check(inner, family === 4 ? 'ipv4' : 'ipv6')
}

/** Looks up hosts of the public internet. An address in a private network is rejected when connecting. */
export const publicLookup: LookupFunction = (hostname, options, answer) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return answer(error, '')
    const allowed = addresses.filter(({ address }) => !isPrivateAddress(address))
    const first = allowed[0]
    if (first === undefined) return answer(new Error(`${hostname} leads into a private network`), '')
    if (options.all === true) answer(null, allowed)
    else answer(null, first.address, first.family)
  })
}
