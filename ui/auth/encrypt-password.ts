/**
 * Passwords are encrypted in the browser before they are sent (requirements 4.11): a compact JWE to the
 * server's published key, with the time it was made. The encryption is fetched when a password field gets the focus.
 */
import { passwordKey } from '#contract/users-session.ts'
import { call, noAnswer } from '../api/call.ts'
import type { encryptJwe } from './jwe.ts'

let jwe: Promise<{ encryptJwe: typeof encryptJwe }> | null = null

/** Fetches the code of the encryption; a password field calls it on focus. */
export function prepareEncryption(): void {
  jwe ??= import('./jwe.ts')
  jwe.catch(() => {
    jwe = null
  })
}

/**
 * The password as it is sent; throws a Failure where key or code do not come. Where the browser offers no encryption
 * (http elsewhere than localhost) it stays as typed, and the server's setting decides.
 */
export async function encryptPassword(password: string): Promise<string> {
  if (!globalThis.crypto?.subtle) return password
  prepareEncryption()
  const code = (jwe ?? import('./jwe.ts')).catch(() => {
    throw noAnswer()
  })
  const [encryption, { key }] = await Promise.all([code, call(passwordKey, {})])
  return encryption.encryptJwe(password, key)
}
