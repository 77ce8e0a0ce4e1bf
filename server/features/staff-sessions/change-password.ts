/** Changes a staff member's password: the current one is required, the other sessions end, and an email is sent. */
import type { officeChangePassword } from '#contract/office/session.ts'
import { confirmationFailuresMax, signInFailureSeconds } from '#rules/constants.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clearBucket, enforceLimit } from '../../http/rate-limits.ts'
import { replaceSessionsOf } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { hashPassword, isCorrectPassword } from '../../auth/password-hash.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { lockedStaff, staffById } from './queries.ts'

/** Returns a new token of this session. */
export const changePassword: Handler<typeof officeChangePassword> = async (dependencies, context) => {
  const { staffId, sessionId, name, email } = requireStaff(context)
  const tries = { name: 'office-prove', who: staffId, windowSeconds: signInFailureSeconds }
  await enforceLimit(dependencies.pool, tries, confirmationFailuresMax, context.now)
  const current = await decryptPassword(
    dependencies,
    context.body.currentPassword,
    context.now,
    'password-garbled',
    'currentPassword',
  )
  const staff = await staffById(dependencies.pool, staffId)
  if (!(await isCorrectPassword(staff?.passwordHash ?? null, current)))
    throw new Problem('password-incorrect', { field: 'currentPassword' })
  await clearBucket(dependencies.pool, tries)
  const password = await decryptPassword(dependencies, context.body.password, context.now)
  await checkNewPassword(dependencies, password, [name, ...name.split(' '), email], 'staff')
  const hash = await hashPassword(password)
  const continued = await transaction(dependencies.pool, async (tx) => {
    // Throws if the password was changed since it was verified.
    const locked = await lockedStaff(tx, staffId)
    if (!locked || locked.passwordHash !== staff?.passwordHash)
      throw new Problem('password-incorrect', { field: 'currentPassword' })
    await run(tx)`update staff set password_hash = ${hash}, version = version + 1 where id = ${staffId}`
    const replaced = await replaceSessionsOf(tx, { staffId }, sessionId, context.now)
    await recordEvent(tx, context.auditContext, { kind: 'staff', action: 'changePassword', record: staffId })
    const { device, address } = context
    await sendMail(tx, context.now, {
      kind: 'staff-password-changed',
      to: email,
      language: locked.language,
      facts: { at: unixSeconds(context.now), device, address },
    })
    await notifyChange(tx, 'staff', staffId)
    return replaced
  })
  return { token: await signToken(dependencies.keys, 'office', continued, { id: staffId }, context.now) }
}
