/**
 * Invitations. The administrator's role waits for a second administrator, and so does the link: until then nobody can
 * come in with it (mechanics section 3).
 */
import type { inviteStaff as inviteEndpoint, inviteStaffAgain as againEndpoint } from '#contract/office/staff.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { StaffRole } from '#rules/actors.ts'
import { checkTwoAdministrators, staffLife } from '#rules/staff.ts'
import { advance } from '../../db/transition.ts'
import { record, type Act } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { decidedAnswer } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { makeLink } from '../../auth/one-time-links.ts'
import { askChange } from './request-change.ts'
import { changesOf, countAdministrators, lockMember, type LockedMember } from './queries.ts'

export async function inviteStaff(parts: Parts, call: Call<typeof inviteEndpoint>): Promise<{ id: string }> {
  const { name, email, language, reason } = call.body
  const roles = [...new Set(call.body.roles)]
  checkRoles(roles)
  const { staffId } = staffOf(call)
  return transaction(parts.pool, async (tx) => {
    if (roles.includes('administrator')) refuse(checkTwoAdministrators(await countAdministrators(tx)))
    const made = await row<{ id: string }>(
      tx,
      sql`insert into staff (email, name, roles, language, invited_by, created_at)
          values (${email}, ${name}, ${roles}::text[], ${language}, ${staffId}, ${call.now})
          on conflict (email) do nothing returning id`,
    )
    if (!made) throw new Problem('staff-known', { field: 'email' })
    await record(tx, call.act, {
      kind: staffLife.name,
      verb: 'invite',
      record: made.id,
      to: staffLife.first,
      reason,
      details: { after: { name, email, roles } },
    })
    const member: LockedMember = { id: made.id, name, email, roles, state: 'invited', version: 1, language }
    if (roles.includes('administrator')) await askChange(tx, parts, call, { member, roles, reason })
    else await sendInvitation(tx, parts, member, call.act)
    return { id: made.id }
  })
}

/** A list of roles that can stand together. */
function checkRoles(roles: readonly StaffRole[]): void {
  if (roles.includes('auditor') && roles.length > 1) throw new Problem('auditor-alone', { field: 'roles' })
}

/** Mails the link and answers its row's id; earlier links of the person stop working. */
export async function sendInvitation(
  tx: Transaction,
  parts: Pick<Parts, 'settings' | 'keys'>,
  member: LockedMember,
  act: Act,
): Promise<string> {
  const { invitationHours } = await parts.settings.get('security')
  const link = await makeLink(
    tx,
    parts.keys,
    { purpose: 'invitation', owner: { staffId: member.id }, lifeSeconds: invitationHours * 3600 },
    act.now,
  )
  const by = act.acting.kind === 'staff' ? await nameOf(tx, act.acting.id) : null
  const facts = { link, hours: invitationHours, by }
  await sendMail(
    tx,
    {
      kind: 'staff-invitation',
      to: member.email,
      language: member.language,
      facts,
      subject: staffLife.name,
      record: member.id,
    },
    act.now,
  )
  return link
}

async function nameOf(tx: Transaction, staffId: string): Promise<string | null> {
  const found = await row<{ name: string }>(tx, sql`select name from staff where id = ${staffId}`)
  return found?.name ?? null
}

/** A new link. Who was deactivated begins anew: no old password, no old factor, and four eyes for an administrator. */
export async function inviteStaffAgain(
  parts: Parts,
  call: Call<typeof againEndpoint>,
): Promise<AnswerOf<typeof againEndpoint>> {
  return transaction(parts.pool, async (tx) => {
    const member = await lockMember(tx, call.params.id)
    if (!member) throw new Problem('not-found')
    const [waiting] = await changesOf(tx, { open: true, staffIds: [member.id] })
    if (waiting && member.state === 'invited') throw new Problem('change-waits')
    const again = member.state === 'deactivated' && member.roles.includes('administrator')
    if (again) refuse(checkTwoAdministrators(await countAdministrators(tx)))
    const after = await advance(tx, staffLife, call.act, {
      id: member.id,
      verb: 'inviteAgain',
      version: call.body.version,
      ...(call.body.note ? { reason: call.body.note } : {}),
      set: { password_hash: null, factor_secret: null, factor_confirmed_at: null },
    })
    await run(tx, sql`delete from recovery_codes where staff_id = ${member.id}`)
    await endSessionsOf(tx, { staffId: member.id }, call.now)
    if (again)
      await askChange(tx, parts, call, { member, roles: member.roles, reason: call.body.note || 'invited again' })
    else await sendInvitation(tx, parts, { ...member, state: 'invited' }, call.act)
    return decidedAnswer(tx, call, staffLife.name, member.id, after)
  })
}
