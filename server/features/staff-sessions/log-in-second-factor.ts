/** The second step: a one-time code. The first correct code also confirms a newly set up factor. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { officeSecondFactor } from '#contract/office/session.ts'
import { confirmationFailuresMax, signInFailureSeconds } from '#rules/constants.ts'
import { staffMachine } from '#rules/staff.ts'
import type { StaffId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clearBucket, enforceLimit, type Bucket } from '../../http/rate-limits.ts'
import { beginSession, resolveCaller, endSession } from '../../http/sessions.ts'
import { signToken } from '../../http/tokens.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recordWrongCode } from '../../auth/failed-attempts.ts'
import { isNewCountry } from '../../auth/new-country.ts'
import { verifyFactorCode } from '../../auth/second-factor.ts'
import { countWrongCode, lockTicket } from '../../auth/sign-in-tickets.ts'
import { replaceRecoveryCodes } from '../../auth/totp.ts'
import { lockedStaff, type SigningInStaff } from './queries.ts'

type Answer = ResponseOf<typeof officeSecondFactor>
type EndpointContext = RequestContext<typeof officeSecondFactor>

/** Above this number the least recently used session ends. */
const sessionsMax = 5

/** Returns the token of a new session. Five wrong codes end the ticket; wrong codes are counted per person too. */
export async function logInSecondFactor(dependencies: Dependencies, context: EndpointContext): Promise<Answer> {
  const { now } = context
  const ticket = await resolveCaller(
    dependencies.pool,
    dependencies.keys,
    context.body.ticket,
    ['office-ticket'],
    now,
    true,
  )
  if (ticket?.kind !== 'ticket' || ticket.staffId === null) throw new Problem('ticket-ended')
  const { staffId, sessionId } = ticket
  const tries: Bucket = { name: 'office-factor', who: staffId, windowSeconds: signInFailureSeconds }
  await enforceLimit(dependencies.pool, tries, confirmationFailuresMax, now)
  const { staff, answer } = await transaction(dependencies.pool, async (tx) => {
    await lockTicket(tx, sessionId, now)
    const staff = await lockedStaff(tx, staffId)
    if (!staff || staff.state === 'deactivated') throw new Problem('ticket-ended')
    if (
      !(await verifyFactorCode(
        tx,
        dependencies,
        { table: 'staff', id: staffId },
        staff.factorSecret,
        context.body.code,
        now,
      ))
    ) {
      await countWrongCode(tx, sessionId, now)
      return { staff, answer: null }
    }
    await endSession(tx, sessionId, now)
    return { staff, answer: await signInStaff(tx, dependencies, staff, context) }
  })
  if (answer === null) {
    recordWrongCode(dependencies, context, { kind: 'staff', ...staff })
    throw new Problem('login-code-wrong')
  }
  await clearBucket(dependencies.pool, tries)
  return answer
}

/** Starts a session for a staff member and returns its token. A new device or country is reported by email. */
export async function signInStaff(
  tx: Transaction,
  dependencies: Dependencies,
  staff: SigningInStaff,
  arrival: Pick<EndpointContext, 'auditContext' | 'now' | 'device' | 'address'>,
): Promise<Answer> {
  const { now, device, address } = arrival
  const auditContext: AuditContext = {
    ...arrival.auditContext,
    identity: { kind: 'staff', id: staff.id, roles: staff.roles },
  }
  const recoveryCodes = staff.enrolled ? null : await confirmFactor(tx, auditContext, staff)
  const isNew = await isNewDevice(tx, staff.id, device)
  const isFromNewCountry = await isNewCountry(dependencies, tx, { staffId: staff.id }, address)
  const { staffIdleMinutes, staffLifeMinutes } = await dependencies.settings.get('security')
  const sessionId = await beginSession(
    tx,
    {
      audience: 'office',
      staffId: staff.id,
      idleSeconds: staffIdleMinutes * 60,
      lifeSeconds: staffLifeMinutes * 60,
      device,
      address,
      proved: true,
    },
    now,
  )
  await endOldest(tx, staff.id, now)
  await run(tx)`update staff set last_sign_in_at = ${now} where id = ${staff.id}`
  await recordEvent(tx, auditContext, { kind: 'staff', action: 'logIn', record: staff.id, details: { device } })
  if (isNew || isFromNewCountry) {
    const facts = { at: unixSeconds(now), device, address, isKnownDevice: !isNew }
    await sendMail(tx, now, { kind: 'staff-new-device', to: staff.email, language: staff.language, facts })
  }
  return { token: await signToken(dependencies.keys, 'office', sessionId, { id: staff.id }, now), recoveryCodes }
}

/** Confirms the factor: an invited person becomes active, and receives recovery codes once. */
async function confirmFactor(tx: Transaction, auditContext: AuditContext, staff: SigningInStaff): Promise<string[]> {
  await run(tx)`update staff set factor_confirmed_at = ${auditContext.now} where id = ${staff.id}`
  if (staff.state === 'invited') await applyTransition(tx, staffMachine, auditContext, staff, 'enrol')
  else await recordEvent(tx, auditContext, { kind: 'staff', action: 'setUpFactor', record: staff.id })
  return replaceRecoveryCodes(tx, { table: 'staff', id: staff.id })
}

/** Returns true if this person has had sessions before, but none with this browser; its version does not count. */
async function isNewDevice(tx: Transaction, staffId: StaffId, device: string): Promise<boolean> {
  const seen = await row<{ any: boolean; same: boolean }>(tx)`select count(*) > 0 as any,
        coalesce(bool_or(regexp_replace(device, '[0-9.]+', '', 'g') = regexp_replace(${device}, '[0-9.]+', '', 'g')), false)
          as same
      from sessions where staff_id = ${staffId} and audience = 'office'`
  return seen !== null && seen.any && !seen.same
}

async function endOldest(tx: Transaction, staffId: StaffId, now: Date): Promise<void> {
  await run(tx)`update sessions set ended_at = ${now} where id in (
        select id from sessions where staff_id = ${staffId} and audience = 'office' and ended_at is null
          and ends_at > ${now}
        order by last_seen_at desc, created_at desc offset ${sessionsMax})`
}
