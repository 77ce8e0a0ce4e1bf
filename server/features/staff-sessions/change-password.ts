/** A staff member's new password: the current one is asked for, and the other sessions end. */
import type { officeChangePassword } from '#contract/office/session.ts'
import { signInFailureSeconds, signInFailuresPerPair } from '#rules/constants.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { clear, limit } from '../../http/rate-limits.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import type { Parts } from '../../dependencies.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { hashPassword, isPassword } from '../../auth/password-hash.ts'
import { readPassword } from '../../auth/decrypt-password.ts'
import { lockedStaff, staffById } from './queries.ts'

/** Answers a fresh token of this session. */
export async function changePassword(
  parts: Parts,
  call: Call<typeof officeChangePassword>,
): Promise<{ token: string }> {
  const { staffId, sessionId, name, email } = staffOf(call)
  const tries = { name: 'office-prove', who: staffId, windowSeconds: signInFailureSeconds }
  await limit(parts.pool, tries, signInFailuresPerPair, call.now)
  const current = await readPassword(parts, call.body.currentPassword, call.now, 'password-garbled', 'currentPassword')
  const staff = await staffById(parts.pool, staffId)
  if (!(await isPassword(staff?.passwordHash ?? null, current)))
    throw new Problem('password-incorrect', { field: 'currentPassword' })
  await clear(parts.pool, tries)
  const password = await readPassword(parts, call.body.password, call.now)
  await checkNewPassword(parts, password, [name, ...name.split(' '), email], 'staff')
  const hash = await hashPassword(password)
  await transaction(parts.pool, async (tx) => {
    // What was proved opens nothing once the password is another one.
    if ((await lockedStaff(tx, staffId))?.passwordHash !== staff?.passwordHash)
      throw new Problem('password-incorrect', { field: 'currentPassword' })
    await run(tx, sql`update staff set password_hash = ${hash}, version = version + 1 where id = ${staffId}`)
    await endSessionsOf(tx, { staffId }, call.now, sessionId)
    await record(tx, call.act, { kind: 'staff', verb: 'changePassword', record: staffId })
  })
  return { token: await signToken(parts.keys, 'office', sessionId, { id: staffId }, call.now) }
}
