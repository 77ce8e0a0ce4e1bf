/**
 * One reading of a body (ASVS 1.1.1, requirements 30.5): UTF-8 without a mark or a broken sequence, no key twice in one object,
 * none that reaches a prototype. What another reader could understand otherwise is refused.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** Makes JSON the one kind of body that calls take, read strictly; uploads and webhooks bring readers of their own. */
export function readJsonStrictly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const text = textOf(bytes)
    if (text === null) return done(new Problem('malformed'))
    texts.set(request, text)
    return parse(request, text, (error, body) => {
      if (error || hasKeyTwice(text)) done(new Problem('malformed'))
      else done(null, mayBeInexact.test(text) ? JSON.parse(text, asWritten) : body)
    })
  })
}

const texts = new WeakMap<FastifyRequest, string>()

/** Returns the body of a request as it was sent; nothing where there was none. */
export function textOfBody(request: FastifyRequest): string {
  return texts.get(request) ?? ''
}

/** Where a text may hold a number that is read as another than is written; words inside its strings may match too. */
const mayBeInexact = /\d[eE]|\.\d{3}|\d{16}/

/** What a number keeps when it is read: at most 15 digits and two places. */
const exactNumber = /^-?\d{1,15}(?:\.\d{1,2})?$/

/** A number that JSON would round, or that is not written as a decimal: no field takes it. */
class InexactNumber {
  readonly written: string

  constructor(written: string) {
    this.written = written
  }
}

/** Keeps a number as text if parsing would change it: 9.999999999999999999 is not 10.00, and 1e3 is no amount. */
function asWritten(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && !exactNumber.test(source) ? new InexactNumber(source) : value
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const byteOrderMark = '\uFEFF'

function textOf(bytes: Buffer): string | null {
  try {
    const text = utf8.decode(bytes)
    return text.startsWith(byteOrderMark) ? null : text
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

/** Returns whether an object of a text, which is known to be JSON, names one key twice. */
export function hasKeyTwice(json: string): boolean {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '{') open.push(new Set())
    else if (sign === '[') open.push(null)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === '"') {
      const end = endOfText(json, at)
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
function endOfText(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return json[at] === ':'
}
