/**
 * The first step of a staff sign-in, with the same rejection in the same time for everybody without access, and a
 * confirmation of identity within a session.
 */
import type { officeLogin, officeConfirmStepUp as endpoint, officeGetStepUpStatus } from '#contract/office/session.ts'
import { transaction } from '../../db/sql.ts'
import { type Handler, requireStaff } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { recordFailedAttempt } from '../../auth/failed-attempts.ts'
import { isPassword } from '../../auth/password-hash.ts'
import { rehashPassword } from '../../auth/rehash-password.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { attemptSucceeded, beginAttempt } from '../../auth/sign-in-limits.ts'
import { beginTicket } from './begin-ticket.ts'
import { staffByEmail, lockedStaff } from './queries.ts'
import { signInFailureSeconds, signInFailuresPerPair } from '#rules/constants.ts'
import { recordEvent } from '../../db/events.ts'
import { stepUpStatus } from '../../http/step-up.ts'
import { clear, limit } from '../../http/rate-limits.ts'
import { recordStepUp } from '../../http/sessions.ts'
import { checkCode } from '../../auth/second-factor.ts'

/** Returns a ticket. Client credentials are not valid here (requirements 26.19). */
export const logIn: Handler<typeof officeLogin> = async (dependencies, context) => {
  const { email } = context.body
  const attempt = { door: 'office', email, address: context.address }
  await beginAttempt(dependencies, attempt, await dependencies.settings.get('rateLimits'), context.now)
  const password = await decryptPassword(dependencies, context.body.password, context.now, 'password-unreadable')
  const staff = await staffByEmail(dependencies.pool, email)
  const right = await isPassword(staff?.passwordHash ?? null, password)
  if (!staff || !right || staff.state === 'deactivated') {
    dependencies.log.warn(
      { reference: context.auditContext.reference, address: context.address },
      'a staff sign-in failed',
    )
    if (staff) recordFailedAttempt(dependencies, context, { kind: 'staff', id: staff.id }, 'logInFailed')
    throw new Problem('staff-email-or-password')
  }
  await attemptSucceeded(dependencies.pool, attempt)
  const passwordHash = await rehashPassword(dependencies, 'staff', staff, password)
  return transaction(dependencies.pool, (tx) => beginTicket(tx, dependencies, context, { ...staff, passwordHash }))
}

/** Returns whether the payout file will require a confirmation. */
export const showStepUpStatus: Handler<typeof officeGetStepUpStatus> = async (dependencies, context) => {
  const staff = requireStaff(context)
  return stepUpStatus(dependencies, staff, staff.provedAt)
}

/**
 * Confirms the identity. Wrong codes have a count of their own, which a correct password does not reset, and end
 * nothing.
 */
export const confirmStepUp: Handler<typeof endpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const { staffId, sessionId } = staff
  const { code } = context.body
  if (code === undefined) throw new Problem('required', { field: 'code' })
  const tries = { name: 'office-prove-code', who: staffId, windowSeconds: signInFailureSeconds }
  await limit(dependencies.pool, tries, signInFailuresPerPair, context.now)
  const proved = await transaction(dependencies.pool, async (tx) => {
    const standing = await lockedStaff(tx, staffId)
    const owner = { table: 'staff', id: staffId } as const
    if (!(await checkCode(tx, dependencies, owner, standing?.factorSecret ?? null, code, context.now))) return false
    await recordStepUp(tx, sessionId, context.now)
    await recordEvent(tx, context.auditContext, { kind: 'staff', action: 'proveAgain', record: staffId })
    return true
  })
  if (!proved) {
    recordFailedAttempt(dependencies, context, { kind: 'staff', id: staffId }, 'proofFailed')
    throw new Problem('code-wrong')
  }
  await clear(dependencies.pool, tries)
  return stepUpStatus(dependencies, staff, context.now)
}
