/** An invitation's link: whom it is for, and the first password. Opening it changes nothing (mail scanners open links). */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { acceptInvitation as acceptEndpoint, openInvitation as openEndpoint } from '#contract/office/session.ts'
import { record } from '../../db/events.ts'
import { run, sql, type Connection } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { networkOf } from '../../http/network.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Parts } from '../../dependencies.ts'
import { checkNewPassword } from '../../auth/new-password.ts'
import { checkLink, findLink, peekLink, useLink } from '../../auth/one-time-links.ts'
import { hashPassword } from '../../auth/password-hash.ts'
import { readPassword } from '../../auth/decrypt-password.ts'
import { beginTicket, type Ticket } from './begin-ticket.ts'
import { staffById, type SigningInStaff } from './queries.ts'

const linksPerHour = 60

/** Name, address and roles of the invited person, and how long a password has to be. */
export async function openInvitation(
  parts: Parts,
  call: Call<typeof openEndpoint>,
): Promise<AnswerOf<typeof openEndpoint>> {
  const { name, email, roles } = await invited(parts, call, call.body.id)
  const { staffPasswordLengthMin } = await parts.settings.get('security')
  return { name, email, roles, passwordLengthMin: staffPasswordLengthMin }
}

/** Sets the first password under the link, which is used up by it, and goes on to the second factor. */
export async function acceptInvitation(parts: Parts, call: Call<typeof acceptEndpoint>): Promise<Ticket> {
  const { id } = call.body
  const staff = await invited(parts, call, id)
  const password = await readPassword(parts, call.body.password, call.now)
  await checkNewPassword(parts, password, [staff.name, ...staff.name.split(' '), staff.email], 'staff')
  const hash = await hashPassword(password)
  return transaction(parts.pool, async (tx) => {
    const link = await findLink(tx, id, ['invitation'])
    refuse(checkLink(link, call.now))
    if (!link) throw new Problem('link-unknown')
    await useLink(tx, link.id, call.now)
    await run(tx, sql`update staff set password_hash = ${hash}, version = version + 1 where id = ${staff.id}`)
    const acting = { kind: 'staff', id: staff.id, roles: staff.roles } as const
    await record(tx, { ...call.act, acting }, { kind: 'staff', verb: 'acceptInvitation', record: staff.id })
    return beginTicket(tx, parts, call, { ...staff, passwordHash: hash })
  })
}

async function invited(parts: Parts, call: Pick<Call, 'address' | 'now'>, oneTimeId: string): Promise<SigningInStaff> {
  const bucket = { name: 'office-link', who: networkOf(call.address), windowSeconds: 3600 }
  await limit(parts.pool, bucket, linksPerHour, call.now)
  return invitedBy(parts.pool, oneTimeId, call.now)
}

async function invitedBy(connection: Connection, oneTimeId: string, now: Date): Promise<SigningInStaff> {
  const link = await peekLink(connection, oneTimeId, ['invitation'])
  refuse(checkLink(link, now))
  const staff = link?.staffId ? await staffById(connection, link.staffId) : null
  if (!staff || staff.state !== 'invited') throw new Problem('link-unknown')
  return staff
}
