/** A new password by the id of a link: counts once, ends every session, leaves a second factor on (quality-bar A15). */
import type { newPassword } from '#contract/passwords.ts'
import { signInFailureSeconds } from '#rules/constants.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { networkOf } from '../../http/network.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'
import { actOf } from '../../auth/client-sessions.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { checkLink, findLink, peekLink, useLink, type Link } from '../../auth/one-time-links.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { readPassword } from '../../auth/decrypt-password.ts'
import { ownerById, type PasswordOwner } from './queries.ts'
import { writePassword } from './write-password.ts'

const triesOfAddress = 60

/** Sets the password that a link stands for. A refused password leaves the link as it was. */
export async function setPassword(parts: Parts, call: Call<typeof newPassword>): Promise<Record<string, never>> {
  const { body, now } = call
  await limit(
    parts.pool,
    { name: 'new-password', who: networkOf(call.address), windowSeconds: signInFailureSeconds },
    triesOfAddress,
    now,
  )
  const owner = await ownerOf(parts, await peekLink(parts.pool, body.id, ['reset']), now)
  const password = await readPassword(parts, body.password, now)
  await checkNewPassword(parts, password, [owner.name, owner.surname, owner.email])
  const hash = await hashPassword(password)
  await transaction(parts.pool, async (tx) => {
    const link = await findLink(tx, body.id, ['reset'])
    refuse(checkLink(link, now))
    if (link) await useLink(tx, link.id, now)
    const verb = owner.passwordHash === null ? 'setPassword' : 'resetPassword'
    await writePassword(tx, owner, hash, verb, actOf(owner.id, call), call)
    await endSessionsOf(tx, { clientId: owner.id }, now)
  })
  return {}
}

async function ownerOf(parts: Parts, link: Link | null, now: Date): Promise<PasswordOwner> {
  refuse(checkLink(link, now))
  const owner = link?.clientId ? await ownerById(parts.pool, link.clientId) : null
  if (!owner) throw new Problem('link-unknown')
  return owner
}
