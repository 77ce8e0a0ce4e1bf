import { CompactEncrypt, importJWK } from 'jose'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { passwordKey } from '#contract/users-session.ts'

/** Returns `{"password": "…", "iat": seconds}` as a compact JWE, RSA-OAEP-256 and A256GCM (requirements 4.11). */
export async function encryptJwe(password: string, key: ResponseOf<typeof passwordKey>['key']): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify({ password, iat: Math.floor(Date.now() / 1000) }))
  return new CompactEncrypt(payload)
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: key.kid })
    .encrypt(await importJWK(key, 'RSA-OAEP-256'))
}
