/** A second administrator decides on a change of roles: never who asked, never whom it concerns. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { approveStaffChange, cancelStaffChange, rejectStaffChange } from '#contract/office/staff.ts'
import { checkStaffChange, staffChangeLife, staffLife } from '#rules/staff.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { announce } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { StaffCaller } from '../../http/sessions.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { replaceLinks } from '../../auth/one-time-links.ts'
import { sendInvitation } from './invite-staff.ts'
import { changeById, lockAdministrators, lockMember, type ChangeRow, type LockedMember } from './queries.ts'

type Deciding = Call<typeof approveStaffChange | typeof rejectStaffChange | typeof cancelStaffChange>
type Answer = AnswerOf<typeof approveStaffChange>
type Verb = 'approve' | 'reject' | 'cancel'

/** Why this person may not do this verb on the change, whatever state it is in; null where he or she may. */
export function refusalOf(
  verb: Verb,
  change: Pick<ChangeRow, 'askedBy' | 'staffId'>,
  staff: Pick<StaffCaller, 'staffId'>,
) {
  const asked = change.askedBy === staff.staffId
  if (verb === 'cancel') return asked ? null : 'not-your-act'
  if (asked) return 'own-act'
  return change.staffId === staff.staffId ? 'own-roles' : null
}

export async function decideChange(parts: Parts, call: Deciding, verb: Verb, reason: string): Promise<Answer> {
  const staff = staffOf(call)
  const change = await changeById(parts.pool, call.params.id)
  if (!change) throw new Problem('not-found')
  refuse(refusalOf(verb, change, staff))
  return namingDecider(parts, staffChangeLife.name, change.id, () =>
    transaction(parts.pool, async (tx) => {
      const member = await lockMember(tx, change.staffId)
      if (!member) throw new Problem('not-found')
      const after = await advance(tx, staffChangeLife, call.act, {
        id: change.id,
        verb,
        version: call.body.version,
        ...(reason ? { reason } : {}),
        set: { decided_by: staff.staffId, decided_at: call.now, from_roles: member.roles },
        details: { staff: member.name, before: { roles: member.roles }, after: { roles: change.to } },
        work: null,
      })
      if (verb === 'approve') await putInForce(tx, parts, call, change, member)
      else await neverInvited(tx, call, member)
      await announce(tx, staffLife.name, member.id)
      return decidedAnswer(tx, call, staffChangeLife.name, change.id, after)
    }),
  )
}

/** The new roles hold at the person's next call. Whoever was not let in yet gets the invitation now. */
async function putInForce(
  tx: Transaction,
  parts: Parts,
  call: Deciding,
  change: ChangeRow,
  member: LockedMember,
): Promise<void> {
  const administrators = await lockAdministrators(tx)
  refuse(
    checkStaffChange({
      own: false,
      roles: change.to,
      wasAdministrator: member.state === 'active' && member.roles.includes('administrator'),
      otherActiveAdministrators: administrators.filter((id) => id !== member.id).length,
    }),
  )
  await run(tx, sql`update staff set roles = ${change.to}::text[], version = version + 1 where id = ${member.id}`)
  const details = { before: { roles: member.roles }, after: { roles: change.to } }
  await record(tx, call.act, { kind: staffLife.name, verb: 'changeRoles', record: member.id, details })
  if (member.state === 'invited' && !(await hasOpenLink(tx, member.id))) {
    await sendInvitation(tx, parts, { ...member, roles: change.to }, call.act)
  }
}

/** Somebody who waits for the first link is not coming: the row stays, closed. */
async function neverInvited(tx: Transaction, call: Deciding, member: LockedMember): Promise<void> {
  if (member.state !== 'invited' || (await hasOpenLink(tx, member.id)) || (await hasPassword(tx, member.id))) return
  await replaceLinks(tx, 'invitation', { staffId: member.id }, call.now)
  await advance(tx, staffLife, call.act, { id: member.id, verb: 'deactivate' })
}

async function hasOpenLink(tx: Transaction, staffId: string): Promise<boolean> {
  const found = await row<{ open: boolean }>(
    tx,
    sql`select exists (select from one_time_links where staff_id = ${staffId} and purpose = 'invitation'
          and used_at is null and replaced_at is null) as open`,
  )
  return found?.open ?? false
}

async function hasPassword(tx: Transaction, staffId: string): Promise<boolean> {
  const found = await row<{ has: boolean }>(
    tx,
    sql`select password_hash is not null as has from staff where id = ${staffId}`,
  )
  return found?.has ?? false
}
