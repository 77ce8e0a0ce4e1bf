/**
 * Sets a new password by a link or within a session. Requests for a link are recorded alike for every address and handled
 * by a job, so that neither the response nor its time reveals whether the address is known (requirements 4.2, 26.15).
 */
import type { newPassword, resetPassword, changePassword as endpoint } from '#contract/passwords.ts'
import { signInFailureSeconds } from '#rules/constants.ts'
import { transaction, run, type Transaction } from '../../db/sql.ts'
import { type Handler, type RequestContext, requireClient } from '../../http/request-context.ts'
import { networkOf } from '../../http/network.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { limit, count, perHour } from '../../http/rate-limits.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { auditContextOf } from '../../auth/client-sessions.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { checkLink, findLink, peekLink, useLink, type Link } from '../../auth/one-time-links.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { ownerById, type PasswordOwner } from './queries.ts'
import { writePassword } from './write-password.ts'
import { msg } from '#contract/message.ts'
import { randomUUID } from 'node:crypto'
import { enqueue } from '../../jobs/operations.ts'
import { translate } from '../../i18n/translate.ts'
import { verifyPassword } from '../../auth/verify-password.ts'
import { tokenFor } from '../../auth/user.ts'

const triesOfAddress = 60

/** Sets the password of a link's owner. A rejected password leaves the link valid. */
export const setPassword: Handler<typeof newPassword> = async (dependencies, context) => {
  const { body, now } = context
  await limit(
    dependencies.pool,
    { name: 'new-password', who: networkOf(context.address), windowSeconds: signInFailureSeconds },
    triesOfAddress,
    now,
  )
  const owner = await ownerOf(dependencies, await peekLink(dependencies.pool, body.id, ['reset']), now)
  const password = await decryptPassword(dependencies, body.password, now)
  await checkNewPassword(dependencies, password, [owner.name, owner.surname, owner.email])
  const hash = await hashPassword(password)
  await transaction(dependencies.pool, async (tx) => {
    const link = await findLink(tx, body.id, ['reset'])
    throwIfProblem(checkLink(link, now))
    if (link) await useLink(tx, link.id, now)
    const action = owner.passwordHash === null ? 'setPassword' : 'resetPassword'
    await writePassword(tx, owner, hash, action, auditContextOf(owner.id, context), context)
    await endSessionsOf(tx, { clientId: owner.id }, now)
  })
  return {}
}

async function ownerOf(dependencies: Dependencies, link: Link | null, now: Date): Promise<PasswordOwner> {
  throwIfProblem(checkLink(link, now))
  const owner = link?.clientId ? await ownerById(dependencies.pool, link.clientId) : null
  if (!owner) throw new Problem('link-unknown')
  return owner
}

/** Several people may share one network address. */
const usersByEmail = 10

const words = msg`Please check your email.`

/** Records the request, unless there were too many. The response is the same either way. */
export const requestPasswordReset: Handler<typeof resetPassword> = async (dependencies, context) => {
  const { email } = context.body
  if (await isWithinLimits(dependencies, email, context)) {
    await transaction(dependencies.pool, (tx) =>
      enqueue(tx, context.now, {
        kind: 'password-reset',
        ref: `reset-${randomUUID()}`,
        target: 'password-reset',
        payload: { email },
      }),
    )
  }
  return { msg: translate(words, context.language) }
}

/**
 * Returns whether the request is within the limits. Requests above an address's limit count for no account, whatever
 * they name.
 */
async function isWithinLimits(
  dependencies: Dependencies,
  email: string,
  { address, now }: Pick<RequestContext, 'address' | 'now'>,
): Promise<boolean> {
  const { resetsPerHour } = await dependencies.settings.get('rateLimits')
  const from = perHour('resets-address', networkOf(address))
  if ((await count(dependencies.pool, from, now)).count > resetsPerHour * usersByEmail) return false
  const ofAccount = perHour('resets', email)
  return (await count(dependencies.pool, ofAccount, now)).count <= resetsPerHour
}

/** Each one computes three hashes and sends an email. */
const changesPerHour = 10

/** Changes the password and returns the session's new token. */
export const changePassword: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId, sessionId } = requireClient(context)
  const { body, now } = context
  await limit(dependencies.pool, perHour('change-password', clientId), changesPerHour, now)
  const owner = await ownerById(dependencies.pool, clientId)
  if (!owner) throw new Problem('session-ended')
  await verifyPassword(dependencies, clientId, body.currentPassword, now)
  const password = await decryptPassword(dependencies, body.password, now)
  await checkNewPassword(dependencies, password, [owner.name, owner.surname, owner.email])
  const hash = await hashPassword(password)
  return transaction(dependencies.pool, async (tx) => {
    await lockVerified(tx, owner)
    await writePassword(tx, owner, hash, 'changePassword', context.auditContext, context)
    await endSessionsOf(tx, { clientId }, now, sessionId)
    return { token: await tokenFor(dependencies, tx, { clientId, sessionId }, now) }
  })
}

/** Locks the row and throws if the password has changed since it was verified. */
async function lockVerified(tx: Transaction, { id, passwordHash }: PasswordOwner): Promise<void> {
  const held = await run(tx)`
    select 1 from clients where id = ${id} and password_hash = ${passwordHash} for no key update`
  if (held === 0) throw new Problem('password-incorrect')
}
