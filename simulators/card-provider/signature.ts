/** GCS v1HMAC: verifies calls and signs webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const dateSlackMs = 300_000

export interface Keys {
  readonly apiKey: string
  readonly apiSecret: string
  readonly webhookKey: string
  readonly webhookSecret: string
}

/** Returns whether the call is signed by the merchant's key and not older than five minutes. */
export function isSigned(request: IncomingMessage, keys: Keys): boolean {
  const match = /^GCS v1HMAC:([^:]+):([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? '')
  const date = request.headers.date ?? ''
  if (match === null || match[1] !== keys.apiKey) return false
  if (!(Math.abs(Date.now() - Date.parse(date)) <= dateSlackMs)) return false
  const own = Object.entries(request.headers)
    .filter(([name]) => name.startsWith('x-gcs-'))
    .map(([name, value]) => `${name}:${String(value).replace(/\s+/g, ' ').trim()}\n`)
    .sort()
  const contentType = request.method === 'GET' ? '' : (request.headers['content-type'] ?? '')
  const text = `${request.method ?? ''}\n${contentType}\n${date}\n${own.join('')}${request.url ?? ''}\n`
  const expected = createHmac('sha256', keys.apiSecret).update(text).digest()
  const given = Buffer.from(match[2] ?? '', 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export function webhookSignature(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('base64')
}
