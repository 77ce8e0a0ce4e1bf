/** Networks of IP addresses. */
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Returns an address without its zone; IPv4 inside IPv6 (`::ffff:192.0.2.7`) as IPv4. */
export function normalizeAddress(address: string): string {
  const [plain = ''] = address.split('%')
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain
}

const addressGroups = 8
const networkGroups = 4

/**
 * Returns the unit that limits by address count: the address itself, or for IPv6 its 64-bit network. A customer's line
 * has one IPv4 address, and 2^64 IPv6 addresses.
 */
export function networkOf(address: string): string {
  const plain = normalizeAddress(address)
  if (!isIPv6(plain)) return plain
  const [before = [], after = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array.from({ length: Math.max(0, addressGroups - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, networkGroups)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
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
  // Behind a NAT64 gateway the same networks have IPv6 addresses.
  privateRanges.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
for (const [network, prefix] of [
  // Unspecified, this machine, and IPv4 in the two former notations, which no provider uses.
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
  const inner = normalizeAddress(address)
  const family = isIP(inner)
  if (family === 0) return true
  return privateRanges.check(inner, family === 4 ? 'ipv4' : 'ipv6')
}
