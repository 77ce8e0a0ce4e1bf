import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/**
 * Returns the authenticator app's code of the next half minute: it is already accepted, and valid for longer than the
 * current one, however slow the page is.
 */
export function appCode(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepMs })
}
