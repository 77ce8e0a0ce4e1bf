/** A change of roles waits for a second administrator (product-decisions section 2, mechanics section 3). */
import type { changeRoles as endpoint } from '#contract/office/staff.ts'
import type { StaffRole } from '#rules/actors.ts'
import { checkStaffChange, checkTwoAdministrators, staffChangeLife } from '#rules/staff.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { changesOf, countAdministrators, lockAdministrators, lockMember, type LockedMember } from './queries.ts'

interface Asked {
  readonly member: LockedMember
  readonly roles: readonly StaffRole[]
  readonly reason: string
}

/** Writes the change and opens its inbox item; answers its id. */
export async function askChange(
  tx: Transaction,
  parts: Parts,
  call: Pick<Call, 'caller' | 'act' | 'now'>,
  asked: Asked,
): Promise<string> {
  const { member, roles, reason } = asked
  const written = await row<{ id: string }>(
    tx,
    sql`insert into staff_changes (staff_id, roles, reason, asked_by, asked_at)
        values (${member.id}, ${[...roles]}::text[], ${reason}, ${staffOf(call).staffId}, ${call.now})
        on conflict (staff_id) where state = 'pending' do nothing returning id`,
  )
  if (!written) throw new Problem('change-waits')
  const { first } = staffChangeLife
  const kind = 'staff_change'
  const details = { staff: member.name, before: { roles: member.roles }, after: { roles } }
  await record(tx, call.act, { kind, verb: 'ask', record: written.id, to: first, reason, details })
  const due = await workDueAt(parts, kind, call.now)
  const summary = { staff: member.name, from: member.roles.join(', '), to: roles.join(', ') }
  await openWork(tx, kind, written.id, { state: first, dueAt: due, summary }, call.now)
  return written.id
}

/** Proposes other roles for somebody else. */
export async function changeRoles(parts: Parts, call: Call<typeof endpoint>): Promise<{ changeId: string }> {
  const staff = staffOf(call)
  const roles = [...new Set(call.body.roles)]
  return transaction(parts.pool, async (tx) => {
    const member = await lockMember(tx, call.params.id)
    if (!member) throw new Problem('not-found')
    const administrators = await lockAdministrators(tx)
    refuse(
      checkStaffChange({
        own: member.id === staff.staffId,
        roles,
        wasAdministrator: member.state === 'active' && member.roles.includes('administrator'),
        otherActiveAdministrators: administrators.filter((id) => id !== member.id).length,
      }),
    )
    if (member.state === 'deactivated') throw new Problem('wrong-state', { values: { state: member.state } })
    refuse(checkTwoAdministrators(await countAdministrators(tx)))
    if (member.version !== call.body.version) throw new Problem('stale-page')
    const [waiting] = await changesOf(tx, { open: true, staffIds: [member.id] })
    if (waiting) throw new Problem('change-waits')
    if (roles.toSorted().join() === member.roles.toSorted().join()) throw new Problem('setting-unchanged')
    return { changeId: await askChange(tx, parts, call, { member, roles, reason: call.body.reason }) }
  })
}
