/** Everybody on the staff, and the changes of roles; each verb with the sentence why it is refused. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type {
  getStaffChange,
  getStaffMember,
  listStaff,
  listStaffChanges,
  StaffMember,
} from '#contract/office/staff.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { mayDo } from '#rules/permissions.ts'
import { checkTwoAdministrators, staffChangeLife, staffLife } from '#rules/staff.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, sentence } from '../../http/problem.ts'
import { recordFieldsOf, timelineOf, verbsOf } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { refusalOf } from './decide-change.ts'
import {
  changeById,
  changesOf,
  countAdministrators,
  everybody,
  memberById,
  pendingOf,
  type ChangeRow,
  type StaffRow,
} from './queries.ts'

export async function showStaff(parts: Parts, call: Call<typeof listStaff>): Promise<AnswerOf<typeof listStaff>> {
  const found = await everybody(parts.pool, call.now)
  const activeAdministrators = await countAdministrators(parts.pool)
  const pending = new Map((await changesOf(parts.pool, { open: true })).map((change) => [change.staffId, change]))
  return {
    rows: found.map((member) => shown(call, member, pending.get(member.id), activeAdministrators)),
    activeAdministrators,
  }
}

export async function showMember(
  parts: Parts,
  call: Call<typeof getStaffMember>,
): Promise<AnswerOf<typeof getStaffMember>> {
  const member = await memberById(parts.pool, call.params.id, call.now)
  if (!member) throw new Problem('not-found')
  const [pending] = await changesOf(parts.pool, { open: true, staffIds: [member.id] })
  return {
    staff: shown(call, member, pending, await countAdministrators(parts.pool)),
    timeline: await timelineOf(parts.pool, [staffLife.name], member.id, call.language),
  }
}

function shown(call: Call, member: StaffRow, pending: ChangeRow | undefined, administrators: number): StaffMember {
  const { invitedById, invitedByName, language: _language, ...fields } = member
  return {
    ...fields,
    self: member.id === staffOf(call).staffId,
    invitedBy: invitedById !== null && invitedByName !== null ? { id: invitedById, name: invitedByName } : null,
    pending: pendingOf(pending),
    verbs: verbsOfMember(call, member, pending, administrators),
  }
}

/** The life's verbs for staff, and the two deeds beside it. */
function verbsOfMember(
  call: Call,
  member: StaffRow,
  pending: ChangeRow | undefined,
  administrators: number,
): StaffMember['verbs'] {
  const own = member.id === staffOf(call).staffId
  const isLast = member.state === 'active' && member.roles.includes('administrator') && administrators < 2
  const refusals = {
    deactivate: own ? new Problem('own-account') : isLast ? new Problem('last-administrator') : null,
    inviteAgain: pending && member.state === 'invited' ? new Problem('change-waits') : null,
  }
  const ofLife = verbsOf(call, { life: staffLife, state: member.state, refusals }).filter(
    ({ verb }) => verb !== 'enrol',
  )
  const deed = (verb: 'changeRoles' | 'resetFactor', code: ProblemCode | null) => {
    const refused = mayDo(verb, staffOf(call).roles) ? code : 'wrong-role'
    return {
      verb,
      refusal: refused && { code: refused, text: sentence(refused, call.language, { state: member.state }) },
    }
  }
  const ended = member.state === 'deactivated' ? 'wrong-state' : null
  return [
    ...ofLife,
    deed(
      'changeRoles',
      own ? 'own-roles' : (ended ?? (pending ? 'change-waits' : checkTwoAdministrators(administrators))),
    ),
    deed('resetFactor', own ? 'own-account' : ended),
  ]
}

export async function showChanges(
  parts: Parts,
  _call: Call<typeof listStaffChanges>,
): Promise<AnswerOf<typeof listStaffChanges>> {
  const found = await changesOf(parts.pool)
  return {
    rows: found.map((change) => ({
      id: change.id,
      version: change.version,
      from: change.from,
      to: change.to,
      by: { id: change.askedBy, name: change.askedByName },
      at: change.askedAt,
      reason: change.reason,
      staff: { id: change.staffId, name: change.staffName },
      state: change.state,
    })),
  }
}

export async function showChange(
  parts: Parts,
  call: Call<typeof getStaffChange>,
): Promise<AnswerOf<typeof getStaffChange>> {
  const change = await changeById(parts.pool, call.params.id)
  if (!change) throw new Problem('not-found')
  const staff = staffOf(call)
  const refusals = Object.fromEntries(
    (['approve', 'reject', 'cancel'] as const).map((verb) => {
      const code = refusalOf(verb, change, staff)
      return [verb, code && new Problem(code)]
    }),
  )
  const { id, version, state, from, to, reason: why } = change
  return {
    change: {
      ...(await recordFieldsOf(call, parts.pool, {
        kind: staffChangeLife.name,
        id,
        version,
        createdAt: change.askedAt,
        decidedAt: change.decidedAt,
        decidedBy: change.decidedBy,
        reason: null,
        life: staffChangeLife,
        state,
        refusals,
      })),
      checks: [],
      staff: { id: change.staffId, name: change.staffName },
      state,
      from,
      to,
      why,
      by: { id: change.askedBy, name: change.askedByName },
    },
  }
}
