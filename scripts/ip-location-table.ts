/** Writes tables of IP locations in MaxMind DB format 2.0, for the demo and the tests. */
import { isIPv6 } from 'node:net'

type Value = string | number | bigint | { readonly [field: string]: Value }
/** The search tree: each bit of an address leads to a node, or to the place of a record among the data. */
type Node = Map<number, Node | number>

const metadataMarker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const recordBits = 24
const separator = Buffer.alloc(16)
const bitsOfIpv4InIpv6 = 96

interface TableOptions {
  readonly builtAt: Date
  /** 4 for a table that contains no IPv6. */
  readonly ipVersion?: 4 | 6
}

/** Returns the file of a table of records by network, such as `192.0.2.0/24`; no network may be part of another. */
export function ipLocationTable(
  networks: Readonly<Record<string, Value>>,
  { builtAt, ipVersion = 6 }: TableOptions,
): Buffer {
  const root: Node = new Map()
  const nodes = [root]
  const data: Buffer[] = []
  let dataBytes = 0
  for (const [network, record] of Object.entries(networks)) {
    const bits = bitsOf(network, ipVersion)
    let node = root
    for (const bit of bits.slice(0, -1)) {
      let next = node.get(bit)
      if (!(next instanceof Map)) {
        next = new Map()
        nodes.push(next)
        node.set(bit, next)
      }
      node = next
    }
    node.set(bits.at(-1) ?? 0, dataBytes)
    const encoded = encode(record)
    data.push(encoded)
    dataBytes += encoded.length
  }
  const places = new Map(nodes.map((node, place) => [node, place]))
  const tree = nodes.flatMap((node) =>
    [0, 1].map((bit) => {
      const next = node.get(bit)
      const record = Buffer.alloc(recordBits / 8)
      // The number of nodes itself means that there is no record.
      const target = typeof next === 'number' ? nodes.length + separator.length + next : places.get(next ?? new Map())
      record.writeUIntBE(target ?? nodes.length, 0, record.length)
      return record
    }),
  )
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: BigInt(Math.floor(builtAt.getTime() / 1000)),
    database_type: 'Country',
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: recordBits,
  })
  return Buffer.concat([...tree, separator, ...data, metadataMarker, metadata])
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', prefix] = network.split('/')
  const isSix = isIPv6(address)
  const parts = isSix ? groupsOf(address) : address.split('.').map(Number)
  const bitsOfPart = isSix ? 16 : 8
  const bits = parts.flatMap((part) =>
    Array.from({ length: bitsOfPart }, (_, place) => (part >> (bitsOfPart - 1 - place)) & 1),
  )
  const before = ipVersion === 6 && !isSix ? Array.from({ length: bitsOfIpv4InIpv6 }, () => 0) : []
  return [...before, ...bits.slice(0, Number(prefix))]
}

function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

const types = { text: 2, uint32: 6, map: 7 } as const
/** Types above 7 are written in a byte of their own, less 7: uint64 is type 9. */
const uint64Control = Buffer.from([8, 2])

function encode(value: Value): Buffer {
  if (typeof value === 'bigint') {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(value)
    return Buffer.concat([uint64Control, bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(types.uint32, bytes.length), bytes])
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(types.text, bytes.length), bytes])
  }
  const fields = Object.entries(value)
  return Buffer.concat([
    control(types.map, fields.length),
    ...fields.flatMap(([name, field]) => [encode(name), encode(field)]),
  ])
}

/** The first byte of a value, with a second one for sizes from 29 on. */
function control(type: number, size: number): Buffer {
  const sizeInOneByte = 29
  return size < sizeInOneByte
    ? Buffer.from([(type << 5) | size])
    : Buffer.from([(type << 5) | sizeInOneByte, size - sizeInOneByte])
}
