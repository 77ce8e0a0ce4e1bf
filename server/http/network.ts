/** What limits by address count together: a customer's line has one IPv4 address, and 2^64 IPv6 addresses. */
import { isIPv6 } from 'node:net'

const groupsAll = 8
const groupsOfNetwork = 4

/** Returns the address itself, or for IPv6 the network of 64 bits that it is in. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain
  const [before = [], after = []] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array.from({ length: Math.max(0, groupsAll - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, groupsOfNetwork)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
