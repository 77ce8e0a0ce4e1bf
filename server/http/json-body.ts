/**
 * Unambiguous parsing of a body (ASVS 1.1.1, requirements 30.5): UTF-8 without a byte order mark or an invalid
 * sequence, no duplicate key in an object, and no key that reaches a prototype. Anything that another parser could
 * understand differently is rejected.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** Makes JSON the only body type of calls, parsed strictly; uploads and webhooks have their own parsers. */
export function readJsonStrictly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const text = decodeText(bytes)
    if (text === null) return done(new Problem('malformed'))
    texts.set(request, text)
    return parse(request, text, (error, body) => {
      if (error || hasKeyTwice(text)) done(new Problem('malformed'))
      else done(null, mayBeInexact.test(text) ? JSON.parse(text, keepInexactNumber) : body)
    })
  })
}

const texts = new WeakMap<FastifyRequest, string>()

/** Returns the body of a request as it was sent; empty if there was none. */
export function textOfBody(request: FastifyRequest): string {
  return texts.get(request) ?? ''
}

/** Matches a text that may contain a number that parsing changes; words inside its strings may match too. */
const mayBeInexact = /\d[eE]|\.\d{3}|\d{16}/

/** Numbers that parsing keeps exactly: at most 15 digits and two decimal places. */
const exactNumber = /^-?\d{1,15}(?:\.\d{1,2})?$/

/** A number that JSON would round, or that is not written as a decimal: no field accepts it. */
class InexactNumber {
  readonly written: string

  constructor(written: string) {
    this.written = written
  }
}

/** Keeps a number as text if parsing would change it: 9.999999999999999999 is not 10.00, and 1e3 is not an amount. */
function keepInexactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && !exactNumber.test(source) ? new InexactNumber(source) : value
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const byteOrderMark = '\uFEFF'

function decodeText(bytes: Buffer): string | null {
  try {
    const text = utf8.decode(bytes)
    return text.startsWith(byteOrderMark) ? null : text
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

/** Returns whether an object in a text, which is known to be JSON, has one key twice. */
export function hasKeyTwice(json: string): boolean {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '{') open.push(new Set())
    else if (sign === '[') open.push(null)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === '"') {
      const end = endOfString(json, at)
      const keys = open.at(-1)
      if (keys && isKey(json, end)) {
        const key = JSON.parse(json.slice(at, end)) as string
        if (keys.has(key)) return true
        keys.add(key)
      }
      at = end - 1
    }
  }
  return false
}

/** Returns the position after the closing quotation mark of a string. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return json[at] === ':'
}
