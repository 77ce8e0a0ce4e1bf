/**
 * A staff member's password: the first one by an invitation's link, whose opening changes nothing because mail scanners
 * open links, and later ones.
 */
import type {
  officeChangePassword,
  acceptInvitation as acceptEndpoint,
  openInvitation as openEndpoint,
} from '#contract/office/session.ts'
import { signInFailureSeconds, signInFailuresPerPair } from '#rules/constants.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction, type Connection } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { clear, limit, perHour } from '../../http/rate-limits.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { hashPassword, isPassword } from '../../auth/password-hash.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { lockedStaff, staffById, type SigningInStaff } from './queries.ts'
import { networkOf } from '../../http/network.ts'
import type { Dependencies } from '../../dependencies.ts'
import { checkLink, findLink, peekLink, useLink } from '../../auth/one-time-links.ts'
import { beginTicket } from './begin-ticket.ts'

/** Returns a new token of this session. */
export const changePassword: Handler<typeof officeChangePassword> = async (dependencies, context) => {
  const { staffId, sessionId, name, email } = requireStaff(context)
  const tries = { name: 'office-prove', who: staffId, windowSeconds: signInFailureSeconds }
  await limit(dependencies.pool, tries, signInFailuresPerPair, context.now)
  const current = await decryptPassword(
    dependencies,
    context.body.currentPassword,
    context.now,
    'password-garbled',
    'currentPassword',
  )
  const staff = await staffById(dependencies.pool, staffId)
  if (!(await isPassword(staff?.passwordHash ?? null, current)))
    throw new Problem('password-incorrect', { field: 'currentPassword' })
  await clear(dependencies.pool, tries)
  const password = await decryptPassword(dependencies, context.body.password, context.now)
  await checkNewPassword(dependencies, password, [name, ...name.split(' '), email], 'staff')
  const hash = await hashPassword(password)
  await transaction(dependencies.pool, async (tx) => {
    // Throws if the password was changed since it was verified.
    if ((await lockedStaff(tx, staffId))?.passwordHash !== staff?.passwordHash)
      throw new Problem('password-incorrect', { field: 'currentPassword' })
    await run(tx)`update staff set password_hash = ${hash}, version = version + 1 where id = ${staffId}`
    await endSessionsOf(tx, { staffId }, context.now, sessionId)
    await recordEvent(tx, context.auditContext, { kind: 'staff', action: 'changePassword', record: staffId })
    await notifyChange(tx, 'staff', staffId)
  })
  return { token: await signToken(dependencies.keys, 'office', sessionId, { id: staffId }, context.now) }
}

const linksPerHour = 60

/** Returns name, address and roles of the invited person, and the minimum length of a password. */
export const openInvitation: Handler<typeof openEndpoint> = async (dependencies, context) => {
  const { name, email, roles } = await invited(dependencies, context, context.body.id)
  const { staffPasswordLengthMin } = await dependencies.settings.get('security')
  return { name, email, roles, passwordLengthMin: staffPasswordLengthMin }
}

/** Sets the first password and invalidates the link; continues with the second factor. */
export const acceptInvitation: Handler<typeof acceptEndpoint> = async (dependencies, context) => {
  const { id } = context.body
  const staff = await invited(dependencies, context, id)
  const password = await decryptPassword(dependencies, context.body.password, context.now)
  await checkNewPassword(dependencies, password, [staff.name, ...staff.name.split(' '), staff.email], 'staff')
  const hash = await hashPassword(password)
  return transaction(dependencies.pool, async (tx) => {
    const link = await findLink(tx, id, ['invitation'])
    throwIfProblem(checkLink(link, context.now))
    if (!link) throw new Problem('link-unknown')
    await useLink(tx, link.id, context.now)
    await run(tx)`update staff set password_hash = ${hash}, version = version + 1 where id = ${staff.id}`
    const acting = { kind: 'staff', id: staff.id, roles: staff.roles } as const
    await recordEvent(
      tx,
      { ...context.auditContext, identity: acting },
      { kind: 'staff', action: 'acceptInvitation', record: staff.id },
    )
    return beginTicket(tx, dependencies, context, { ...staff, passwordHash: hash })
  })
}

async function invited(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'address' | 'now'>,
  oneTimeId: string,
): Promise<SigningInStaff> {
  const bucket = perHour('office-link', networkOf(context.address))
  await limit(dependencies.pool, bucket, linksPerHour, context.now)
  return invitedBy(dependencies.pool, oneTimeId, context.now)
}

async function invitedBy(connection: Connection, oneTimeId: string, now: Date): Promise<SigningInStaff> {
  const link = await peekLink(connection, oneTimeId, ['invitation'])
  throwIfProblem(checkLink(link, now))
  const staff = link?.staffId ? await staffById(connection, link.staffId) : null
  if (!staff || staff.state !== 'invited') throw new Problem('link-unknown')
  return staff
}
