/** Exif data as cameras and attackers write it: TIFF 6.0 with little-endian numbers, in the segment of a JPEG. */

interface Entry {
  readonly tag: number
  readonly type: number
  readonly count: number
  readonly value: number
}

const headBytes = 8
const entryBytes = 12

/** Returns one directory after the header, followed by `rest`; a value is a number or an offset into `rest`. */
export function makeTiff(entries: readonly Entry[], next: number, rest: Buffer): Buffer {
  const head = Buffer.from('II*\0\x08\0\0\0', 'latin1')
  const directory = Buffer.alloc(2 + entries.length * entryBytes + 4)
  directory.writeUInt16LE(entries.length, 0)
  entries.forEach(({ tag, type, count, value }, index) => {
    const at = 2 + index * entryBytes
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(count, at + 4)
    directory.writeUInt32LE(value, at + 8)
  })
  directory.writeUInt32LE(next, directory.length - 4)
  return Buffer.concat([head, directory, rest])
}

/** Returns the offset of `rest` after this number of entries. */
export const restOffset = (entries: number) => headBytes + 2 + entries * entryBytes + 4

const softwareTag = 0x0131

/** Returns Exif data that name the software that wrote the image, in any bytes. */
export function softwareExif(text: string | Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0])])
  return makeTiff([{ tag: softwareTag, type: 2, count: bytes.length, value: restOffset(1) }], 0, bytes)
}

/** Returns the JPEG with these data in its first segment. */
export function withExif(jpeg: Buffer, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), data])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, body, jpeg.subarray(2)])
}
