/**
 * A ZIP that is made while it is sent: of all that is in it one file at a time lies in memory, and between two slices of
 * one others have their turn (requirements 33.30).
 */
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
  /** Pictures and PDFs are packed already: once more costs time and saves nothing. */
  readonly isPacked: boolean
}

const sliceBytes = 256 * 1024
const packingLevel = 6

/** Returns a text as a compressed entry. */
export function textEntry(name: string, text: string): ZipEntry {
  return { name, bytes: Buffer.from(text), isPacked: false }
}

/** Returns the stream of a ZIP of these entries, which are asked for one after another. */
export function zipOf(entries: AsyncIterable<ZipEntry>, at: Date): Readable {
  return Readable.from(zipped(entries, at), { objectMode: false })
}

async function* zipped(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Uint8Array> {
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
