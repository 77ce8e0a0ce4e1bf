/**
 * One reading of a body (ASVS 1.1.1, attack E5): UTF-8 without a mark or a broken sequence, no key twice in one object,
 * none that reaches a prototype. What another reader could understand otherwise is refused.
 */
import type { FastifyInstance } from 'fastify'
import { Problem } from './problem.ts'

/** Makes JSON the one kind of body that calls take, read strictly; uploads and webhooks bring readers of their own. */
export function readJsonStrictly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const text = textOf(bytes)
    if (text === null) return done(new Problem('malformed'))
    return parse(request, text, (error, body) => {
      if (!error && hasKeyTwice(text)) done(new Problem('malformed'))
      else done(error, body)
    })
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const byteOrderMark = '\uFEFF'

function textOf(bytes: Buffer): string | null {
  try {
    const text = utf8.decode(bytes)
    return text.startsWith(byteOrderMark) ? null : text
  } catch {
    return null
  }
}

/** Whether an object of a text, which is known to be JSON, names one key twice. */
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

/** Behind the closing mark of the text that begins here. */
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
