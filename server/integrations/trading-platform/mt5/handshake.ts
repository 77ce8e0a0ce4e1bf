/**
 * The MT5 Web API's sign-in. MD5 is the vendor's protocol (webapi_rest_authentication) and only used here; the call
 * runs inside TLS (security: deviation at v5.0.0-11.4.1).
 */
import { createHash } from 'node:crypto'

/** Returns MD5(MD5(the password in UTF-16LE) + "WebAPI"). */
export function passwordHash(password: string): Buffer {
  const first = createHash('md5').update(Buffer.from(password, 'utf16le')).digest()
  return createHash('md5').update(first).update('WebAPI').digest()
}

/**
 * Returns the response, in hex, to a challenge of 16 random bytes in hex: the server's or, to verify the server, our
 * own.
 */
export function challengeAnswer(hash: Buffer, random: string): string {
  return createHash('md5').update(hash).update(Buffer.from(random, 'hex')).digest('hex')
}
