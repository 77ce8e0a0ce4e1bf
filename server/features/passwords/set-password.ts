/** Sets a new password by a link: valid once, ends every session, keeps 2FA on (requirements 26.15). */
import type { newPassword } from '#contract/passwords.ts'
import { signInFailureSeconds } from '#rules/constants.ts'
import { transaction } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { networkOf } from '../../http/network.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enforceLimit } from '../../http/rate-limits.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { auditContextOf } from '../../auth/client-sessions.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { checkLink, findLink, peekLink, consumeLink, type Link } from '../../auth/one-time-links.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { ownerById, type PasswordOwner } from './queries.ts'
import { writePassword } from './write-password.ts'

const triesOfAddress = 60

/** Sets the password of a link's owner. A rejected password leaves the link valid. */
export const setPassword: Handler<typeof newPassword> = async (dependencies, context) => {
  const { body, now } = context
  await enforceLimit(
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
    if (link) await consumeLink(tx, link.id, now)
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
