/**
 * A second administrator decides on a change of roles or an invitation, but neither its proposer nor the person
 * concerned.
 */
import type { approveStaffChange, cancelStaffChange, rejectStaffChange } from '#contract/office/staff.ts'
import { checkProposalDecider, type ProposalAction } from '#rules/actors.ts'
import type { StaffId } from '#rules/ids.ts'
import { checkStaffChange, staffChangeMachine, staffMachine } from '#rules/staff.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { requireFound, throwIfProblem } from '../../http/problem.ts'
import { decisionReason } from '../../office/decide.ts'
import { takeDecision } from '../../office/records.ts'
import { decidableKinds } from '../../office/work-item-access.ts'
import type { Dependencies } from '../../dependencies.ts'
import { unassignItems } from '../inbox/queries.ts'
import { sendInvitation } from './invite-staff.ts'
import { changeById, lockAdministrators, lockMember, type ChangeRow, type LockedMember } from './queries.ts'

type Decision = typeof approveStaffChange | typeof rejectStaffChange | typeof cancelStaffChange

/** Returns why this person may not take this action, in any state of the change; null if permitted. */
export function refusalOf(action: ProposalAction, change: Pick<ChangeRow, 'askedBy' | 'staffId'>, staffId: StaffId) {
  const refusal = checkProposalDecider(action, change.askedBy === staffId)
  return refusal ?? (action !== 'cancel' && change.staffId === staffId ? 'own-roles' : null)
}

export const decideChange =
  (action: ProposalAction): Handler<Decision> =>
  async (dependencies, context) => {
    const staff = requireStaff(context)
    const change = requireFound(await changeById(dependencies.pool, context.params.id))
    throwIfProblem(refusalOf(action, change, staff.staffId))
    return takeDecision(dependencies, context, staffChangeMachine.name, change.id, async (tx) => {
      // Before the transition refers to one of them: two decisions would otherwise wait for each other.
      const administrators = await lockAdministrators(tx)
      const member = requireFound(await lockMember(tx, change.staffId))
      const after = await applyTransition(tx, staffChangeMachine, context.auditContext, change, action, {
        version: context.body.version,
        reason: decisionReason(context.body),
        set: {
          decided_by: staff.staffId,
          decided_at: context.now,
          from_roles: rolesBefore(change, member),
        },
        details: { staff: member.name, before: { roles: rolesBefore(change, member) }, after: { roles: change.to } },
        workItem: null,
      })
      if (action === 'approve') await applyRoles(tx, dependencies, context, { change, member, administrators })
      else await closeUninvited(tx, context, change, member)
      await notifyChange(tx, staffMachine.name, member.id)
      return after
    })
  }

/** Returns the roles that the person has before the change: none if it is an invitation. */
function rolesBefore({ invites }: ChangeRow, { roles }: LockedMember) {
  return invites === null ? roles : []
}

/**
 * Applies the new roles from the person's next request on, and unassigns what the person can no longer decide. A person
 * without access receives the invitation now.
 */
async function applyRoles(
  tx: Transaction,
  dependencies: Dependencies,
  context: RequestContext<Decision>,
  { change, member, administrators }: { change: ChangeRow; member: LockedMember; administrators: readonly string[] },
): Promise<void> {
  throwIfProblem(
    checkStaffChange({
      own: false,
      roles: change.to,
      wasAdministrator: member.state === 'active' && member.roles.includes('administrator'),
      otherActiveAdministrators: administrators.filter((id) => id !== member.id).length,
    }),
  )
  await run(tx)`update staff set roles = ${change.to}::text[], version = version + 1 where id = ${member.id}`
  await unassignItems(tx, member.id, decidableKinds(change.to))
  const details = { before: { roles: rolesBefore(change, member) }, after: { roles: change.to } }
  await recordEvent(tx, context.auditContext, {
    kind: staffMachine.name,
    action: 'changeRoles',
    record: member.id,
    details,
  })
  if (change.invites !== null && member.state === 'invited') {
    await sendInvitation(tx, dependencies, { ...member, roles: change.to }, context.auditContext)
  }
}

/** Closes the record of a person whose invitation was rejected or cancelled. */
async function closeUninvited(
  tx: Transaction,
  context: RequestContext<Decision>,
  { invites }: ChangeRow,
  member: LockedMember,
): Promise<void> {
  if (invites === null || member.state !== 'invited') return
  await applyTransition(tx, staffMachine, context.auditContext, member, 'deactivate')
}
