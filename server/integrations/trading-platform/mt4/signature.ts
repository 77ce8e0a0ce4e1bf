/** Signs calls to the MT4 gateway (docs/mt4-gateway.md). */
import { createHash, createHmac } from 'node:crypto'
import type { HttpRequest } from '../../http-client.ts'

/** A call before it is signed; `key` is its Idempotency-Key. */
export interface UnsignedCall {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
  readonly key?: string
}

/** Returns a call with its signature, made now unless `seconds` since 1970 are given. */
export function signedRequest(
  { key, secret }: { readonly key: string; readonly secret: string },
  call: UnsignedCall,
  seconds = Math.floor(Date.now() / 1000),
): HttpRequest {
  const { method, path } = call
  const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body))
  const signed = { seconds: String(seconds), method, path, body: body ?? Buffer.alloc(0) }
  return {
    method,
    path,
    headers: {
      accept: 'application/json',
      'x-gateway-key': key,
      'x-gateway-time': signed.seconds,
      'x-gateway-signature': gatewaySignature(secret, signed),
      ...(call.key !== undefined && { 'idempotency-key': call.key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }
}

/**
 * Returns the hex HMAC-SHA256 over seconds, method, path with query, and the SHA-256 of the body in hex, concatenated.
 */
export function gatewaySignature(
  secret: string,
  call: { seconds: string; method: string; path: string; body: Buffer },
): string {
  const digest = createHash('sha256').update(call.body).digest('hex')
  return createHmac('sha256', secret).update(`${call.seconds}${call.method}${call.path}${digest}`).digest('hex')
}
