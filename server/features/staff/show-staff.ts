/** Returns all staff with pending changes of roles, and for each refused action the reason. */
import type {
  getStaffChange,
  getStaffMember,
  listStaff,
  listStaffChanges,
  StaffMember,
} from '#contract/office/staff.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { can } from '#rules/permissions.ts'
import { checkTwoAdministrators, staffChangeMachine, staffMachine } from '#rules/staff.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, problemText, requireFound, problemsOf } from '../../http/problem.ts'
import { firmDay } from '../../office/absences.ts'
import { pausedReports } from '../../office/report-access.ts'
import { recordFieldsOf, availableActionsOf } from '../../office/records.ts'
import { timelineOf } from '../../office/timeline.ts'
import { refusalOf } from './decide-change.ts'
import {
  changeById,
  changesOf,
  countAdministrators,
  memberById,
  pendingOf,
  staffOf,
  type ChangeRow,
  type StaffRow,
} from './queries.ts'
import { proposalActions } from '#rules/actors.ts'

export const showStaff: Handler<typeof listStaff> = async (dependencies, context) => {
  const { rows: found, next } = await staffOf(dependencies, context.query, context.now)
  const activeAdministrators = await countAdministrators(dependencies.pool)
  const pending = new Map(
    (await changesOf(dependencies.pool, { open: true })).map((change) => [change.staffId, change]),
  )
  const paused = await pausedReports(dependencies)
  return {
    rows: found.map((member) => ({
      ...staffMemberResponse(context, member, pending.get(member.id), activeAdministrators),
      pausedReports: paused.get(member.id) ?? [],
    })),
    next,
    activeAdministrators,
  }
}

export const showMember: Handler<typeof getStaffMember> = async (dependencies, context) => {
  const today = await firmDay(dependencies, context.now)
  const member = requireFound(await memberById(dependencies.pool, context.params.id, context.now, today))
  const [pending] = await changesOf(dependencies.pool, { open: true, staffIds: [member.id] })
  const paused = await pausedReports(dependencies, member.id)
  return {
    staff: {
      ...staffMemberResponse(context, member, pending, await countAdministrators(dependencies.pool)),
      pausedReports: paused.get(member.id) ?? [],
    },
    timeline: await timelineOf(dependencies.pool, [staffMachine.name], member.id, context.language),
  }
}

function staffMemberResponse(
  context: RequestContext,
  member: StaffRow,
  pending: ChangeRow | undefined,
  administrators: number,
): Omit<StaffMember, 'pausedReports'> {
  const { invitedById, invitedByName, language: _language, ...fields } = member
  return {
    ...fields,
    self: member.id === requireStaff(context).staffId,
    invitedBy: invitedById !== null && invitedByName !== null ? { id: invitedById, name: invitedByName } : null,
    pending: pendingOf(pending),
    verbs: actionsOfMember(context, member, pending, administrators),
  }
}

/** Returns the actions of the state machine for staff, and three others. */
function actionsOfMember(
  context: RequestContext,
  member: StaffRow,
  pending: ChangeRow | undefined,
  administrators: number,
): StaffMember['verbs'] {
  const own = member.id === requireStaff(context).staffId
  const isLast = member.state === 'active' && member.roles.includes('administrator') && administrators < 2
  const uninvited = member.state === 'deactivated' ? checkTwoAdministrators(administrators) : null
  const again = pending && member.state !== 'active' ? 'change-waits' : uninvited
  const refusals = {
    deactivate: own ? new Problem('own-account') : isLast ? new Problem('last-administrator') : null,
    inviteAgain: again && new Problem(again),
  }
  const ofMachine = availableActionsOf(context, { machine: staffMachine, state: member.state, refusals }).filter(
    ({ verb: action }) => action !== 'enrol',
  )
  const action = (action: 'changeRoles' | 'resetFactor' | 'setAbsence', code: ProblemCode | null) => {
    const refused = can(action, requireStaff(context).roles) ? code : 'wrong-role'
    return {
      verb: action,
      refusal: refused && { code: refused, text: problemText(refused, context.language, { state: member.state }) },
    }
  }
  const ended = member.state === 'deactivated' ? 'wrong-state' : null
  return [
    ...ofMachine,
    action(
      'changeRoles',
      own ? 'own-roles' : (ended ?? (pending ? 'change-waits' : checkTwoAdministrators(administrators))),
    ),
    action('resetFactor', own ? 'own-account' : ended),
    action('setAbsence', member.state === 'active' ? null : 'wrong-state'),
  ]
}

export const showChanges: Handler<typeof listStaffChanges> = async (dependencies, _call) => {
  const found = await changesOf(dependencies.pool)
  return { rows: found.map(factsOf) }
}

function factsOf(change: ChangeRow) {
  return {
    ...change,
    by: { id: change.askedBy, name: change.askedByName },
    at: change.askedAt,
    staff: { id: change.staffId, name: change.staffName },
  }
}

export const showChange: Handler<typeof getStaffChange> = async (dependencies, context) => {
  const change = requireFound(await changeById(dependencies.pool, context.params.id))
  const { staffId } = requireStaff(context)
  const refusals = problemsOf(proposalActions, (action) => refusalOf(action, change, staffId))
  return {
    change: {
      ...factsOf(change),
      ...(await recordFieldsOf(context, dependencies, {
        ...change,
        createdAt: change.askedAt,
        reason: null,
        machine: staffChangeMachine,
        refusals,
      })),
      why: change.reason,
    },
  }
}
