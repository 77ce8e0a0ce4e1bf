/** Confirms a staff member's identity by a code, before the payout file. */
import type { officeConfirmStepUp as endpoint, officeGetStepUpStatus } from '#contract/office/session.ts'
import { confirmationFailuresMax, signInFailureSeconds } from '#rules/constants.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { stepUpStatus } from '../../http/step-up.ts'
import { Problem } from '../../http/problem.ts'
import { clearBucket, enforceLimit } from '../../http/rate-limits.ts'
import { recordStepUp } from '../../http/sessions.ts'
import { recordFailedAttempt } from '../../auth/failed-attempts.ts'
import { verifyFactorCode } from '../../auth/second-factor.ts'
import { lockedStaff } from './queries.ts'

/** Returns whether the payout file will require a confirmation. */
export const showStepUpStatus: Handler<typeof officeGetStepUpStatus> = async (dependencies, context) => {
  const staff = requireStaff(context)
  return stepUpStatus(dependencies, staff, staff.provedAt)
}

/**
 * Confirms the identity. Wrong codes are counted separately; a correct password does not reset the count, and they do
 * not end the session.
 */
export const confirmStepUp: Handler<typeof endpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const { staffId, sessionId } = staff
  const { code } = context.body
  if (code === undefined) throw new Problem('required', { field: 'code' })
  const tries = { name: 'office-prove-code', who: staffId, windowSeconds: signInFailureSeconds }
  await enforceLimit(dependencies.pool, tries, confirmationFailuresMax, context.now)
  const proved = await transaction(dependencies.pool, async (tx) => {
    const current = await lockedStaff(tx, staffId)
    const owner = { table: 'staff', id: staffId } as const
    if (!(await verifyFactorCode(tx, dependencies, owner, current?.factorSecret ?? null, code, context.now)))
      return false
    await recordStepUp(tx, sessionId, context.now)
    await recordEvent(tx, context.auditContext, { kind: 'staff', action: 'proveAgain', record: staffId })
    return true
  })
  if (!proved) {
    recordFailedAttempt(dependencies, context, { kind: 'staff', id: staffId }, 'proofFailed')
    throw new Problem('code-wrong')
  }
  await clearBucket(dependencies.pool, tries)
  return stepUpStatus(dependencies, staff, context.now)
}
