import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/** The code that an app shows in half a minute: taken now, and for longer than the one of now, however slow the page is. */
export function appCode(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepMs })
}
