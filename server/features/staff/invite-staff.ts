/**
 * Invitations. Each requires a second administrator's approval, because a person could otherwise invite a second self
 * and approve what that self decided (requirements 21.3, 24.153, ADR 345). The link is sent after the approval.
 */
import type { inviteStaff as inviteEndpoint, inviteStaffAgain as againEndpoint } from '#contract/office/staff.ts'
import type { StaffRole } from '#rules/actors.ts'
import { checkTwoAdministrators, staffMachine } from '#rules/staff.ts'
import type { StaffId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem, requireFound, throwIfProblem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { decidedAnswer } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createLink } from '../../auth/one-time-links.ts'
import { requestChange } from './request-change.ts'
import { changesOf, countAdministrators, lockAdministrators, lockMember, type LockedMember } from './queries.ts'

export const inviteStaff: Handler<typeof inviteEndpoint> = async (dependencies, context) => {
  const { name, email, language, reason } = context.body
  const roles = [...new Set(context.body.roles)]
  checkRoles(roles)
  const { staffId } = requireStaff(context)
  return transaction(dependencies.pool, async (tx) => {
    throwIfProblem(checkTwoAdministrators(await countAdministrators(tx)))
    const made = await row<{ id: StaffId }>(tx)`insert into staff (email, name, roles, language, invited_by, created_at)
        values (${email}, ${name}, ${roles}::text[], ${language}, ${staffId}, ${context.now})
        on conflict (email) do nothing returning id`
    if (!made) throw new Problem('staff-known', { field: 'email' })
    await recordEvent(tx, context.auditContext, {
      kind: staffMachine.name,
      action: 'invite',
      record: made.id,
      to: staffMachine.first,
      reason,
      details: { after: { name, email, roles } },
    })
    const member: LockedMember = { id: made.id, name, email, roles, state: 'invited', version: 1, language }
    await requestChange(tx, dependencies, context, { member, roles, reason, isInvitation: true })
    return { id: made.id }
  })
}

/** Throws if these roles cannot be combined. */
function checkRoles(roles: readonly StaffRole[]): void {
  if (roles.includes('auditor') && roles.length > 1) throw new Problem('auditor-alone', { field: 'roles' })
}

/** Emails the link and returns its row's id; invalidates earlier links of the person. */
export async function sendInvitation(
  tx: Transaction,
  dependencies: Pick<Dependencies, 'settings' | 'keys'>,
  member: LockedMember,
  auditContext: AuditContext,
): Promise<string> {
  const { invitationHours } = await dependencies.settings.get('security')
  const link = await createLink(
    tx,
    dependencies.keys,
    { purpose: 'invitation', owner: { staffId: member.id }, lifeSeconds: invitationHours * 3600 },
    auditContext.now,
  )
  const by = auditContext.identity.kind === 'staff' ? await nameOf(tx, auditContext.identity.id) : null
  const facts = { link, hours: invitationHours, by }
  await sendMail(tx, auditContext.now, {
    kind: 'staff-invitation',
    to: member.email,
    language: member.language,
    facts,
    subject: staffMachine.name,
    record: member.id,
  })
  return link
}

async function nameOf(tx: Transaction, staffId: StaffId): Promise<string | null> {
  const found = await row<{ name: string }>(tx)`select name from staff where id = ${staffId}`
  return found?.name ?? null
}

/**
 * Sends a new link to a person whose invitation was approved. A deactivated person starts again, with a new password
 * and factor, once a second administrator has approved it.
 */
export const inviteStaffAgain: Handler<typeof againEndpoint> = async (dependencies, context) => {
  return transaction(dependencies.pool, async (tx) => {
    await lockAdministrators(tx)
    const member = requireFound(await lockMember(tx, context.params.id))
    const [waiting] = await changesOf(tx, { open: true, staffIds: [member.id] })
    if (waiting && member.state === 'invited') throw new Problem('change-waits')
    const again = member.state === 'deactivated'
    if (again) throwIfProblem(checkTwoAdministrators(await countAdministrators(tx)))
    const after = await applyTransition(tx, staffMachine, context.auditContext, member, 'inviteAgain', {
      version: context.body.version,
      reason: context.body.note,
      set: { password_hash: null, factor_secret: null, factor_confirmed_at: null },
    })
    await run(tx)`delete from recovery_codes where staff_id = ${member.id}`
    await endSessionsOf(tx, { staffId: member.id }, context.now)
    if (again)
      await requestChange(tx, dependencies, context, {
        member,
        roles: member.roles,
        reason: context.body.note || 'invited again',
        isInvitation: true,
      })
    else await sendInvitation(tx, dependencies, { ...member, state: 'invited' }, context.auditContext)
    return decidedAnswer(tx, dependencies, context, staffMachine.name, member.id, after)
  })
}
