/**
 * The first step's result: a ticket valid only for the second step and, if 2FA is not set up, a new secret for it. The
 * second step cannot be skipped (requirements 1.10).
 */
import { ticketSeconds } from '#rules/constants.ts'
import { run, type Transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { beginSession } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createTotpSecret } from '../../auth/totp.ts'
import { lockedStaff, type SigningInStaff } from './queries.ts'

interface Ticket {
  readonly ticket: string
  readonly enrolment: { secret: string; uri: string } | null
}

/**
 * Creates a ticket after a correct password or invitation. Throws `staff-email-or-password` if the password was changed
 * since it was verified.
 */
export async function beginTicket(
  tx: Transaction,
  dependencies: Dependencies,
  context: Pick<RequestContext, 'now' | 'device' | 'address'>,
  staff: Pick<SigningInStaff, 'id' | 'email' | 'passwordHash'>,
): Promise<Ticket> {
  const { now, device, address } = context
  const life = { idleSeconds: ticketSeconds, lifeSeconds: ticketSeconds }
  const sessionId = await beginSession(
    tx,
    { audience: 'office-ticket', staffId: staff.id, ...life, device, address, proved: false },
    now,
  )
  const enrolment = await enrolmentOf(tx, dependencies, staff)
  return { ticket: await signToken(dependencies.keys, 'office-ticket', sessionId, {}, now), enrolment }
}

/** Returns a new secret while none is confirmed; it replaces that of an earlier ticket. */
async function enrolmentOf(
  tx: Transaction,
  dependencies: Dependencies,
  staff: Pick<SigningInStaff, 'id' | 'email' | 'passwordHash'>,
): Promise<Ticket['enrolment']> {
  const current = await lockedStaff(tx, staff.id)
  if (current?.passwordHash !== staff.passwordHash) throw new Problem('staff-email-or-password')
  if (!current || current.enrolled) return null
  const { name } = await dependencies.settings.get('firm')
  const { sealed, secret, uri } = createTotpSecret(
    dependencies.keys,
    { table: 'staff', id: staff.id },
    staff.email,
    name,
  )
  await run(tx)`update staff set factor_secret = ${sealed} where id = ${staff.id} and factor_confirmed_at is null`
  return { secret, uri }
}
