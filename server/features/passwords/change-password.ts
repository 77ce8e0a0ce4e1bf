/** A new password within a session: that session continues with a new token, the others end (requirements 4.21). */
import type { changePassword as endpoint } from '#contract/passwords.ts'
import { run, transaction, type Transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { replaceSessionsOf } from '../../http/sessions.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { verifyPassword } from '../../auth/verify-password.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { signUserToken } from '../../auth/user.ts'
import { ownerById, type PasswordOwner } from './queries.ts'
import { writePassword } from './write-password.ts'

/** Each one computes three hashes and sends an email. */
const changesPerHour = 10

/** Changes the password and returns the session's new token. */
export const changePassword: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId, sessionId } = requireClient(context)
  const { body, now } = context
  await enforceLimit(dependencies.pool, perHour('change-password', clientId), changesPerHour, now)
  const owner = await ownerById(dependencies.pool, clientId)
  if (!owner) throw new Problem('session-ended')
  await verifyPassword(dependencies, clientId, body.currentPassword, now)
  const password = await decryptPassword(dependencies, body.password, now)
  await checkNewPassword(dependencies, password, [owner.name, owner.surname, owner.email])
  const hash = await hashPassword(password)
  return transaction(dependencies.pool, async (tx) => {
    await lockVerified(tx, owner)
    await writePassword(tx, owner, hash, 'changePassword', context.auditContext, context)
    const continued = await replaceSessionsOf(tx, { clientId }, sessionId, now)
    return { token: await signUserToken(dependencies, tx, { clientId, sessionId: continued }, now) }
  })
}

/** Locks the row and throws if the password has changed since it was verified. */
async function lockVerified(tx: Transaction, { id, passwordHash }: PasswordOwner): Promise<void> {
  const held = await run(tx)`
    select 1 from clients where id = ${id} and password_hash = ${passwordHash} for no key update`
  if (held === 0) throw new Problem('password-incorrect')
}
