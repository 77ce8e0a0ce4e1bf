/** The first step of a staff sign-in: the same refusal in the same time for everybody who is not let in. */
import type { officeLogin } from '#contract/office/session.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { noteFailedTry } from '../../auth/failed-attempts.ts'
import { isPassword } from '../../auth/password-hash.ts'
import { renewHash } from '../../auth/rehash-password.ts'
import { readPassword } from '../../auth/decrypt-password.ts'
import { attemptSucceeded, beginAttempt } from '../../auth/sign-in-limits.ts'
import { beginTicket, type Ticket } from './begin-ticket.ts'
import { staffByEmail } from './queries.ts'

/** A ticket; a client's right password opens nothing here (quality-bar A19). */
export async function logIn(parts: Parts, call: Call<typeof officeLogin>): Promise<Ticket> {
  const { email } = call.body
  const attempt = { door: 'office', email, address: call.address }
  await beginAttempt(parts, attempt, await parts.settings.get('rateLimits'), call.now)
  const password = await readPassword(parts, call.body.password, call.now, 'password-unreadable')
  const staff = await staffByEmail(parts.pool, email)
  const right = await isPassword(staff?.passwordHash ?? null, password)
  if (!staff || !right || staff.state === 'deactivated') {
    parts.log.warn({ reference: call.act.reference, address: call.address }, 'a staff sign-in failed')
    if (staff) noteFailedTry(parts, call, { kind: 'staff', id: staff.id }, 'logInFailed')
    throw new Problem('staff-email-or-password')
  }
  await attemptSucceeded(parts.pool, attempt)
  const passwordHash = await renewHash(parts, 'staff', staff, password)
  return transaction(parts.pool, (tx) => beginTicket(tx, parts, call, { ...staff, passwordHash }))
}
