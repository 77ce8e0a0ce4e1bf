/** Signs calls to the MT4 gateway (docs/mt4-gateway.md). */
import { createHash, createHmac } from 'node:crypto'

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
