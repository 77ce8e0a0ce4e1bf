/** The first step of a staff sign-in: the same error in the same time for everyone without access. */
import type { officeLogin } from '#contract/office/session.ts'
import { transaction } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { recordFailedAttempt } from '../../auth/failed-attempts.ts'
import { isCorrectPassword } from '../../auth/password-hash.ts'
import { rehashPassword } from '../../auth/rehash-password.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { recordAttemptSuccess, beginAttempt } from '../../auth/sign-in-limits.ts'
import { beginTicket } from './begin-ticket.ts'
import { staffByEmail } from './queries.ts'

/** Returns a ticket. Client credentials are not valid here (requirements 26.19). */
export const logIn: Handler<typeof officeLogin> = async (dependencies, context) => {
  const { email } = context.body
  const attempt = { app: 'office', email, address: context.address }
  await beginAttempt(dependencies, attempt, await dependencies.settings.get('rateLimits'), context.now)
  const password = await decryptPassword(dependencies, context.body.password, context.now, 'password-unreadable')
  const staff = await staffByEmail(dependencies.pool, email)
  const right = await isCorrectPassword(staff?.passwordHash ?? null, password)
  if (!staff || !right || staff.state === 'deactivated') {
    dependencies.log.warn(
      { reference: context.auditContext.reference, address: context.address },
      'staff sign-in failed',
    )
    if (staff) recordFailedAttempt(dependencies, context, { kind: 'staff', id: staff.id }, 'logInFailed')
    throw new Problem('staff-email-or-password')
  }
  await recordAttemptSuccess(dependencies.pool, attempt)
  const passwordHash = await rehashPassword(dependencies, 'staff', staff, password)
  return transaction(dependencies.pool, (tx) => beginTicket(tx, dependencies, context, { ...staff, passwordHash }))
}
