/**
 * An invitation's link: the invited person and the first password. Opening it changes nothing, because mail scanners
 * open links.
 */
import type { acceptInvitation as acceptEndpoint, openInvitation as openEndpoint } from '#contract/office/session.ts'
import { recordEvent } from '../../db/events.ts'
import { run, type Connection, transaction } from '../../db/sql.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { networkOf } from '../../http/network.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { checkLink, findLink, peekLink, consumeLink } from '../../auth/one-time-links.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { beginTicket } from './begin-ticket.ts'
import { staffById, type SigningInStaff } from './queries.ts'

const linksPerHour = 60

/** Returns name, address and roles of the invited person, and the minimum length of a password. */
export const openInvitation: Handler<typeof openEndpoint> = async (dependencies, context) => {
  const { name, email, roles } = await limitedInvitation(dependencies, context, context.body.id)
  const { staffPasswordLengthMin } = await dependencies.settings.get('security')
  return { name, email, roles, passwordLengthMin: staffPasswordLengthMin }
}

/** Sets the first password and invalidates the link; continues with the second factor. */
export const acceptInvitation: Handler<typeof acceptEndpoint> = async (dependencies, context) => {
  const { id } = context.body
  const staff = await limitedInvitation(dependencies, context, id)
  const password = await decryptPassword(dependencies, context.body.password, context.now)
  await checkNewPassword(dependencies, password, [staff.name, ...staff.name.split(' '), staff.email], 'staff')
  const hash = await hashPassword(password)
  return transaction(dependencies.pool, async (tx) => {
    const link = await findLink(tx, id, ['invitation'])
    throwIfProblem(checkLink(link, context.now))
    if (!link) throw new Problem('link-unknown')
    await consumeLink(tx, link.id, context.now)
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

async function limitedInvitation(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'address' | 'now'>,
  oneTimeId: string,
): Promise<SigningInStaff> {
  const bucket = perHour('office-link', networkOf(context.address))
  await enforceLimit(dependencies.pool, bucket, linksPerHour, context.now)
  return requireStaffByInvitation(dependencies.pool, oneTimeId, context.now)
}

async function requireStaffByInvitation(connection: Connection, oneTimeId: string, now: Date): Promise<SigningInStaff> {
  const link = await peekLink(connection, oneTimeId, ['invitation'])
  throwIfProblem(checkLink(link, now))
  const staff = link?.staffId ? await staffById(connection, link.staffId) : null
  if (!staff || staff.state !== 'invited') throw new Problem('link-unknown')
  return staff
}
