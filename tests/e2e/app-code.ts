import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/**
 * Returns the authenticator app's code of the next 30-second step: it is already accepted, and stays valid for longer
 * than the current one, so a slow page does not matter.
 */
export function appCode(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepMs })
}
