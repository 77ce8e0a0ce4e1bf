/** GCS v1HMAC, the signature of Worldline Connect's API calls and webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto'

interface Signed {
  method: string
  contentType: string
  date: string
  /** Only headers whose name starts with x-gcs- are signed. */
  headers: Readonly<Record<string, string>>
  path: string
}

/** Returns the signed text: each part on its own line, with a line end after the last one as well. */
export function signedText(request: Signed): string {
  const headers = Object.entries(request.headers)
    .map(([name, value]) => [name.toLowerCase(), value.replace(/\s+/g, ' ').trim()] as const)
    .filter(([name]) => name.startsWith('x-gcs-'))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}:${value}\n`)
  return `${request.method}\n${request.contentType}\n${request.date}\n${headers.join('')}${request.path}\n`
}

/** Returns the Authorization header of a call: HMAC-SHA256 over `signedText`, in base64. */
export function authorization(key: string, secret: string, request: Signed): string {
  const signature = createHmac('sha256', secret).update(signedText(request)).digest('base64')
  return `GCS v1HMAC:${key}:${signature}`
}

/** Returns whether `signature` is the signature of exactly these bytes. */
export function isSignatureOf(signature: string, secret: string, raw: Buffer): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(raw).digest('base64'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
