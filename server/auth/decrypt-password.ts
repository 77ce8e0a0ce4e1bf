/**
 * Reads a password as it was sent: a compact JWE of the browser, or plain text if the firm's setting allows it
 * (requirements 4.11). A ciphertext is valid once and for five minutes.
 */
import { createHash } from 'node:crypto'
import { compactDecrypt, errors } from 'jose'
import { encryptedPasswordSeconds } from '#rules/constants.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { run } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { headerOf } from '../http/tokens.ts'
import { jsonObject } from '../integrations/http-client.ts'
import type { Dependencies } from '../dependencies.ts'

type DecryptDependencies = Pick<Dependencies, 'keys' | 'pool' | 'settings'>

/**
 * Returns the password in plain text. Throws `unreadable` for a ciphertext of another key, algorithm or time, or one
 * that was used before: one problem for all, so that it reveals nothing. Throws `password-plain` if plain passwords are
 * not accepted.
 */
export async function decryptPassword(
  dependencies: DecryptDependencies,
  sent: string,
  now: Date,
  unreadable: ProblemCode = 'password-garbled',
  field = 'password',
): Promise<string> {
  if (!isEncrypted(sent)) {
    const { plainPasswords } = await dependencies.settings.get('security')
    if (!plainPasswords) throw new Problem('password-plain', { field })
    return sent
  }
  const opened = await decryptJwe(dependencies, sent)
  if (!opened || Math.abs(opened.iat - now.getTime() / 1000) > encryptedPasswordSeconds)
    throw new Problem(unreadable, { field })
  const until = new Date((opened.iat + encryptedPasswordSeconds + 1) * 1000)
  const first = await run(dependencies.pool)`
    insert into used_ciphertexts (hash, until) values (${ciphertextHash(sent)}, ${until}) on conflict do nothing`
  if (first === 0) throw new Problem(unreadable, { field })
  return opened.password
}

/** Returns whether a text is a compact JWE: five parts and a header that names an algorithm. */
function isEncrypted(sent: string): boolean {
  return sent.split('.').length === 5 && typeof headerOf(sent)?.['alg'] === 'string'
}

async function decryptJwe(
  { keys }: Pick<DecryptDependencies, 'keys'>,
  sent: string,
): Promise<{ password: string; iat: number } | null> {
  const { kid, zip } = headerOf(sent) ?? {}
  const key = (typeof kid === 'string' ? keys.password.byId(kid) : null) ?? keys.password.current
  try {
    const { plaintext } = await compactDecrypt(sent, key.key, {
      keyManagementAlgorithms: ['RSA-OAEP-256'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    if (zip !== undefined || kid !== key.kid) return null
    return parsePasswordPayload(plaintext)
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    return null
  }
}

/** Returns the payload that requirements 4.11 defines, or null if the text is something else. */
function parsePasswordPayload(plaintext: Uint8Array): { password: string; iat: number } | null {
  const payload = jsonObject(Buffer.from(plaintext))
  const { password, iat } = payload ?? {}
  return typeof password === 'string' && typeof iat === 'number' && Number.isFinite(iat) ? { password, iat } : null
}

/**
 * Returns the hash of the ciphertext's bytes. Spare bits of base64url could change the text without changing the
 * bytes.
 */
function ciphertextHash(sent: string): Buffer {
  const hash = createHash('sha256')
  for (const part of sent.split('.')) {
    const bytes = Buffer.from(part, 'base64url')
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest()
}
