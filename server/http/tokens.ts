/** Bearer tokens: EdDSA, 30 minutes, one audience each (requirements 4.3, 4.4). */
import { decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Keys } from '../crypto/keys.ts'

export type Audience = 'portal' | 'office' | 'registering' | 'ticket' | 'office-ticket'

export const tokenLifeSeconds = 30 * 60
const clockSlackSeconds = 5

/** Signs a token for a session. `claims` are the user fields that the portal decodes. */
export async function signToken(
  keys: Keys,
  audience: Audience,
  sessionId: string,
  claims: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<string> {
  const issued = Math.floor(now.getTime() / 1000)
  return new SignJWT({ ...claims, sid: sessionId })
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.token.current.kid, typ: `${audience}+jwt` })
    .setAudience(audience)
    .setIssuedAt(issued)
    .setNotBefore(issued)
    .setExpirationTime(issued + tokenLifeSeconds)
    .sign(keys.token.current.key)
}

export interface VerifiedToken {
  readonly audience: Audience
  readonly sessionId: string
  readonly issuedAt: number
  /** The user fields that the token contains. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** A token with a verified signature, and the key that verified it. */
interface SignedToken {
  readonly kid: string
  readonly key: TokenKey
  readonly audience: Audience
  readonly payload: JWTPayload
}
type TokenKey = NonNullable<ReturnType<Keys['token']['byId']>>

/** A correct signature stays correct: each is verified once, its times and its key are checked every time. */
const verifiedTokens = new WeakMap<Keys, Map<string, SignedToken>>()
const verifiedTokensMax = 5_000

/** Returns the session of a token, or null for a token that is not ours, has expired, or is for none of `audiences`. */
export async function verifyToken(
  keys: Keys,
  token: string,
  audiences: readonly Audience[],
  now: Date,
): Promise<VerifiedToken | null> {
  const signed = await verifySignature(keys, token, audiences, now)
  if (!signed || !audiences.includes(signed.audience)) return null
  const { iat, exp, nbf } = signed.payload
  const sessionId = signed.payload['sid']
  if (typeof sessionId !== 'string' || iat === undefined || exp === undefined || nbf === undefined) return null
  const seconds = Math.floor(now.getTime() / 1000)
  if (exp <= seconds - clockSlackSeconds || nbf > seconds + clockSlackSeconds) return null
  if (exp - iat > tokenLifeSeconds || iat > seconds + clockSlackSeconds) return null
  return { audience: signed.audience, sessionId, issuedAt: iat, claims: signed.payload }
}

/**
 * Returns a token's claims, or null if no current key signed it for one of `audiences`. The caller checks the times of
 * a remembered token.
 */
async function verifySignature(
  keys: Keys,
  token: string,
  audiences: readonly Audience[],
  now: Date,
): Promise<SignedToken | null> {
  const remembered = verifiedTokens.get(keys) ?? new Map<string, SignedToken>()
  verifiedTokens.set(keys, remembered)
  const before = remembered.get(token)
  if (before && keys.token.byId(before.kid) === before.key) return before
  const header = headerOf(token)
  const audience = audiences.find((one) => header?.typ === `${one}+jwt`)
  const kid = header?.kid
  const key = typeof kid === 'string' ? keys.token.byId(kid) : null
  if (typeof kid !== 'string' || !key || !audience) return null
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: ['EdDSA'],
      audience,
      typ: `${audience}+jwt`,
      currentDate: now,
      clockTolerance: clockSlackSeconds,
      requiredClaims: ['exp', 'iat', 'nbf', 'sid', 'aud'],
    })
    const signed = { kid, key, audience, payload }
    remembered.set(token, signed)
    const oldest = remembered.keys().next().value
    if (remembered.size > verifiedTokensMax && oldest !== undefined) remembered.delete(oldest)
    return signed
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    return null
  }
}

/** Returns the protected header of a compact token, unverified, or null if it has none. */
export function headerOf(token: string): Readonly<Record<string, unknown>> | null {
  try {
    return decodeProtectedHeader(token)
  } catch (error) {
    // jose throws this for a header that cannot be decoded.
    if (!(error instanceof TypeError)) throw error
    return null
  }
}
