/** Changes of roles and invitations require a second administrator's approval (requirements 21.3, 24.153). */
import type { changeRoles as endpoint } from '#contract/office/staff.ts'
import type { StaffRole } from '#rules/actors.ts'
import { checkStaffChange, checkTwoAdministrators, staffChangeMachine } from '#rules/staff.ts'
import type { StaffChangeId } from '#rules/ids.ts'
import { row, transaction, type Transaction } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound, throwIfProblem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { changesOf, countAdministrators, lockAdministrators, lockMember, type LockedMember } from './queries.ts'

interface RequestedChange {
  readonly member: LockedMember
  readonly roles: readonly StaffRole[]
  readonly reason: string
  /** The person has no access yet, and the approval sends the link. */
  readonly isInvitation?: boolean
}

/** Writes the change and opens its work item; returns its id. */
export async function requestChange(
  tx: Transaction,
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'auditContext' | 'now'>,
  asked: RequestedChange,
): Promise<string> {
  const { member, roles, reason, isInvitation = false } = asked
  const written = await row<{ id: StaffChangeId }>(
    tx,
  )`insert into staff_changes (staff_id, roles, reason, asked_by, asked_at)
      values (${member.id}, ${[...roles]}::text[], ${reason}, ${requireStaff(context).staffId}, ${context.now})
      on conflict (staff_id) where state = 'pending' do nothing returning id`
  if (!written) throw new Problem('change-waits')
  const dueAt = await workItemDueAt(dependencies, 'staff_change', context.now)
  await recordCreation(tx, staffChangeMachine, context.auditContext, { id: written.id }, 'ask', {
    reason,
    details: { staff: member.name, before: { roles: isInvitation ? [] : member.roles }, after: { roles } },
    workItem: {
      dueAt,
      summary: {
        staff: member.name,
        ...(isInvitation ? { email: member.email } : { from: member.roles.join(', ') }),
        to: roles.join(', '),
      },
    },
  })
  return written.id
}

/** Proposes other roles for another person. */
export const changeRoles: Handler<typeof endpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const roles = [...new Set(context.body.roles)]
  return transaction(dependencies.pool, async (tx) => {
    const administrators = await lockAdministrators(tx)
    const member = requireFound(await lockMember(tx, context.params.id))
    throwIfProblem(
      checkStaffChange({
        own: member.id === staff.staffId,
        roles,
        wasAdministrator: member.state === 'active' && member.roles.includes('administrator'),
        otherActiveAdministrators: administrators.filter((id) => id !== member.id).length,
      }),
    )
    if (member.state === 'deactivated') throw new Problem('wrong-state', { values: { state: member.state } })
    throwIfProblem(checkTwoAdministrators(await countAdministrators(tx)))
    if (member.version !== context.body.version) throw new Problem('stale-page')
    const [waiting] = await changesOf(tx, { open: true, staffIds: [member.id] })
    if (waiting) throw new Problem('change-waits')
    if (roles.toSorted().join() === member.roles.toSorted().join()) throw new Problem('setting-unchanged')
    return { changeId: await requestChange(tx, dependencies, context, { member, roles, reason: context.body.reason }) }
  })
}
