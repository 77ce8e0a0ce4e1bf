/** Emails the confirmation link of a registration, or a note to a known address. Both take the same time. */
import { resendSeconds } from '#rules/constants.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isEmailAllowed } from '../../auth/email-rate-limit.ts'
import { createLink } from '../../auth/one-time-links.ts'
import type { Registration } from './queries.ts'

const hourSeconds = 3600
/** The maximum difference between clocks of several servers. */
const clockSlackSeconds = 60

/** Emails the link or the note and starts the cool-down. Earlier links become invalid. */
export async function sendConfirmation(
  tx: Transaction,
  dependencies: Dependencies,
  registration: Pick<Registration, 'id' | 'email' | 'decoy' | 'language'>,
  now: Date,
): Promise<void> {
  const { id: registrationId, email, decoy, language } = registration
  const { confirmationHours: hours } = await dependencies.settings.get('security')
  const { mailsPerHour } = await dependencies.settings.get('rateLimits')
  const link = await createLink(
    tx,
    dependencies.keys,
    { purpose: 'confirm', owner: { registrationId }, lifeSeconds: hours * hourSeconds },
    now,
  )
  if (await isEmailAllowed(tx, email, mailsPerHour, now)) {
    const kind = decoy ? 'known-address' : 'confirm-email'
    const facts = decoy ? {} : { link, hours }
    await sendMail(tx, now, { kind, to: email, language, facts, subject: 'registration', record: registrationId })
  }
  await run(tx)`update registrations set mail_sent_at = ${now} where id = ${registrationId}`
}

/** Returns the seconds until another mail can be requested. */
export function secondsUntilResend(mailSentAt: Date | null, now: Date): number {
  if (!mailSentAt) return 0
  const seconds = Math.ceil(resendSeconds - (now.getTime() - mailSentAt.getTime()) / 1000)
  // More than the whole cool-down is left: the clock was set back since (requirements 33.10).
  return seconds > resendSeconds + clockSlackSeconds ? 0 : Math.max(0, seconds)
}

/** Throws `resend-wait` during the cool-down of the last mail. */
export function assertResendAllowed(mailSentAt: Date | null, now: Date): void {
  const seconds = secondsUntilResend(mailSentAt, now)
  if (seconds > 0) throw new Problem('resend-wait', { values: { seconds }, retryAfterSeconds: seconds })
}
