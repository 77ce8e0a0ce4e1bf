/** Looks for what makes a PDF act by itself: scripts and launched programs (security-checklist V5: 5.2.2). */
import { inflateSync } from 'node:zlib'

const acting = /\/(JavaScript|JS|Launch|ImportData|SubmitForm|RichMedia|XFA)(?![A-Za-z0-9])/
const objectStream = /\/Type\s*\/ObjStm/
const inflatedBytesMax = 8 * 1024 * 1024
const dictionaryBytesMax = 2048

/** Whether the file names an action, in plain objects or in compressed ones. */
export function actsIn(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  return names(withoutStreams(text)) || objectStreamsOf(bytes, text).some(names)
}

/** Names may be written with #-escapes: /J#61vaScript is /JavaScript. */
function names(text: string): boolean {
  return acting.test(text.replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))))
}

/** Picture data can hold the letters "/JS" by chance: only what stands outside of streams counts. */
function withoutStreams(text: string): string {
  const kept: string[] = []
  let from = 0
  for (;;) {
    const begin = text.indexOf('stream', from)
    if (begin < 0) break
    kept.push(text.slice(from, begin))
    const end = text.indexOf('endstream', begin)
    if (end < 0) return [...kept, text.slice(begin)].join(' ')
    from = end + 'endstream'.length
  }
  return [...kept, text.slice(from)].join(' ')
}

function objectStreamsOf(bytes: Buffer, text: string): string[] {
  const found: string[] = []
  let from = 0
  for (;;) {
    const begin = text.indexOf('stream', from)
    if (begin < 0) return found
    const end = text.indexOf('endstream', begin)
    if (end < 0) return found
    const dictionary = text.slice(Math.max(from, begin - dictionaryBytesMax), begin)
    if (objectStream.test(dictionary)) found.push(inflated(bytes.subarray(dataFrom(text, begin), end)))
    from = end + 'endstream'.length
  }
}

function dataFrom(text: string, begin: number): number {
  const after = begin + 'stream'.length
  if (text.startsWith('\r\n', after)) return after + 2
  return text[after] === '\n' ? after + 1 : after
}

/** What cannot be inflated counts as acting: nothing that we cannot read is passed on. */
function inflated(data: Buffer): string {
  try {
    return inflateSync(data, { maxOutputLength: inflatedBytesMax }).toString('latin1')
  } catch {
    return '/JavaScript'
  }
}
