/**
 * Searches a PDF for active content: scripts and launched programs (ASVS 5.2.2). A reader follows the file's own tables
 * to objects anywhere, even inside a comment or a stream. So everything that may be the start of an object is read, and
 * what cannot be read with certainty counts as active.
 */
import { inflateSync } from 'node:zlib'

const actionPattern = /\/(JavaScript|JS|Launch|ImportData|SubmitForm|RichMedia|XFA)(?![A-Za-z0-9])/
const inflatedBytesMax = 16 * 1024 * 1024
/** Nested objects are read again; a file made only of them is not read to its end. */
const readingsMax = 4
const readingsLeast = 1_000_000

/** Returns whether the file contains an action, in plain or compressed objects. */
export function containsAction(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  const known = new Set<number>()
  let signsLeft = readingsLeast + readingsMax * text.length
  let inflatedLeft = inflatedBytesMax
  for (const start of objectStarts(text)) {
    if (known.has(start)) continue
    const object = readObject(text, start, known)
    signsLeft -= object.end - start
    if (signsLeft < 0 || [...object.names].some((name) => actionPattern.test(`/${name}`))) return true
    if (object.data === null || !isObjectStream(object.names)) continue
    const inner = inflateStream(bytes, text, object, inflatedLeft)
    if (inner === null) return true
    inflatedLeft -= inner.length
    if (actionPattern.test(withoutEscapes(inner))) return true
  }
  return false
}

/** Decodes escapes in names: /J#61vaScript is /JavaScript. */
function withoutEscapes(text: string): string {
  return text.replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

/** Yields where the contents of objects may begin: after each `12 0 obj` and each `trailer`. */
function* objectStarts(text: string): Generator<number> {
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 1)) {
    if (followsNumber(text, at)) yield at + 'obj'.length
  }
  for (let at = text.indexOf('trailer'); at >= 0; at = text.indexOf('trailer', at + 1)) yield at + 'trailer'.length
}

/**
 * Returns whether a number, or the end of a comment's line, and space precede the position: `0 obj`, but not `endobj`.
 */
function followsNumber(text: string, at: number): boolean {
  let before = at - 1
  let newLine = false
  while (before >= 0 && isBlank(text.charCodeAt(before))) {
    newLine ||= text[before] === '\n' || text[before] === '\r'
    before -= 1
  }
  return before < at - 1 && (newLine || /\d/.test(text[before] ?? ''))
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 12 || code === 0
}

interface ReadObject {
  /** The names in it, without escapes. */
  readonly names: ReadonlySet<string>
  readonly end: number
  /** Where the bytes of its stream begin, or null if it has none. */
  readonly data: number | null
}

const blanks = /[\0\t\n\f\r ]+|%[^\r\n]*/y
const word = /[^\0\t\n\f\r ()<>[\]{}/%]*/y
const hexText = /<[^>]*/y

/** Reads up to the object's end, its stream or the file's end; adds the objects that begin on the way to `known`. */
function readObject(text: string, start: number, known: Set<number>): ReadObject {
  const names = new Set<string>()
  let at = start
  let depth = 0
  let closed = false
  const wordFrom = (from: number) => {
    word.lastIndex = from
    return word.exec(text)?.[0] ?? ''
  }
  while (at < text.length) {
    const sign = text[at]
    blanks.lastIndex = at
    if (blanks.test(text)) {
      at = blanks.lastIndex
      continue
    }
    const endsDictionary = text.startsWith('>>', at)
    if (sign === '(') at = endOfText(text, at)
    else if (sign === '/') {
      const name = wordFrom(at + 1)
      names.add(withoutEscapes(name))
      at += 1 + name.length
    } else if (text.startsWith('<<', at) || sign === '[' || sign === '{') {
      depth += 1
      at += sign === '<' ? 2 : 1
    } else if (endsDictionary || sign === ']' || sign === '}') {
      depth = Math.max(0, depth - 1)
      at += endsDictionary ? 2 : 1
    } else if (sign === '<') {
      hexText.lastIndex = at
      hexText.test(text)
      at = hexText.lastIndex + 1
    } else {
      const found = wordFrom(at)
      at += Math.max(1, found.length)
      if (found === 'obj') known.add(at)
      if (depth === 0 && found === 'endobj') return { names, end: at, data: null }
      if (depth === 0 && closed && found === 'stream') return { names, end: at, data: streamStart(text, at) }
    }
    closed = endsDictionary
  }
  return { names, end: text.length, data: null }
}

/** Returns the position after the bracket that closes the text: inner brackets are paired or escaped by a backslash. */
function endOfText(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '\\') at += 1
    else if (sign === '(') depth += 1
    else if (sign === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

function streamStart(text: string, after: number): number {
  if (text.startsWith('\r\n', after)) return after + 2
  return text[after] === '\n' || text[after] === '\r' ? after + 1 : after
}

/** Returns whether it is an object stream, which declares the number of its objects and the offset of the first one. */
function isObjectStream(names: ReadonlySet<string>): boolean {
  return names.has('ObjStm') || (names.has('First') && names.has('N'))
}

/** Returns the decompressed object stream; null if it is too large or uses a compression that we do not support. */
function inflateStream(bytes: Buffer, text: string, object: ReadObject, most: number): string | null {
  if (object.data === null || ['DecodeParms', 'DP', 'FDecodeParms'].some((name) => object.names.has(name))) return null
  const end = text.indexOf('endstream', object.data)
  if (end < 0 || most <= 0) return null
  try {
    return inflateSync(bytes.subarray(object.data, end), { maxOutputLength: most }).toString('latin1')
  } catch {
    return null
  }
}
