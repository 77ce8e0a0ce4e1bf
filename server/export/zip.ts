/**
 * A ZIP that is created while it is sent: only one of its files is in memory at a time, and other work runs between two
 * slices of a file (requirements 33.30).
 */
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
  /** Images and PDFs are compressed already: compressing them again costs time and saves nothing. */
  readonly isPacked: boolean
}

const sliceBytes = 256 * 1024
const packingLevel = 6

/** Returns a text as a compressed entry. */
export function textEntry(name: string, text: string): ZipEntry {
  return { name, bytes: Buffer.from(text), isPacked: false }
}

/** Returns the stream of a ZIP of these entries, which are requested one after another. */
export function zipOf(entries: AsyncIterable<ZipEntry>, at: Date): Readable {
  return Readable.from(zipChunks(entries, at), { objectMode: false })
}

async function* zipChunks(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = []
  const taken = () => {
    const chunks = made
    made = []
    return chunks
  }
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    made.push(chunk)
  })
  for await (const { name, bytes, isPacked } of entries) {
    const file = isPacked ? new ZipPassThrough(name) : new ZipDeflate(name, { level: packingLevel })
    file.mtime = at
    zip.add(file)
    for (let start = 0; start === 0 || start < bytes.length; start += sliceBytes) {
      file.push(bytes.subarray(start, start + sliceBytes), start + sliceBytes >= bytes.length)
      yield* taken()
      await nextTurn()
    }
  }
  zip.end()
  yield* taken()
}
