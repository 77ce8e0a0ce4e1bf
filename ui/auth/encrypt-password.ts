/**
 * Passwords are encrypted in the browser (requirements 4.11) as a compact JWE for the server's public key, with the
 * time of creation. The encryption code is loaded when a password field receives the focus.
 */
import { passwordKey } from '#contract/users-session.ts'
import { call, noResponseError } from '../api/call.ts'
import type { encryptJwe } from './jwe.ts'

let jwe: Promise<{ encryptJwe: typeof encryptJwe }> | null = null

/** Loads the encryption code; password fields call it on focus. */
export function prepareEncryption(): void {
  jwe ??= import('./jwe.ts')
  jwe.catch(() => {
    jwe = null
  })
}

/**
 * Returns the password as it is sent; throws an ApiError if key or code cannot be loaded. If the browser offers no
 * encryption (http other than localhost) it stays in plain text, and the server's setting decides.
 */
export async function encryptPassword(password: string): Promise<string> {
  if (!globalThis.crypto?.subtle) return password
  prepareEncryption()
  const code = (jwe ?? import('./jwe.ts')).catch(() => {
    throw noResponseError()
  })
  const [encryption, { key }] = await Promise.all([code, call(passwordKey, {})])
  return encryption.encryptJwe(password, key)
}
