/** Passwords as sent by the portal, and by an attacker. */
import { CompactEncrypt, importJWK, type CryptoKey, type JWK } from 'jose'
import type { TestServer } from './factories.ts'

export interface EncryptionContext {
  /** Seconds since 1970; default: the server's now. */
  readonly iat?: number
  readonly alg?: string
  readonly enc?: string
  readonly kid?: string
  /** The complete payload, instead of password and iat. */
  readonly payload?: string
}

/** Returns a password encrypted with the server's published key. */
export async function encryptedPassword(
  server: TestServer,
  password: string,
  how: EncryptionContext = {},
): Promise<string> {
  const jwk: JWK = server.dependencies.keys.password.current.publicJwk
  const alg = how.alg ?? 'RSA-OAEP-256'
  const { alg: _, use: __, ...bare } = jwk
  const key = (await importJWK({ ...bare }, alg)) as CryptoKey
  const iat = how.iat ?? Math.floor(server.clock.now().getTime() / 1000)
  const payload = how.payload ?? JSON.stringify({ password, iat })
  return new CompactEncrypt(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg, enc: how.enc ?? 'A256GCM', kid: how.kid ?? jwk.kid ?? '' })
    .encrypt(key)
}
