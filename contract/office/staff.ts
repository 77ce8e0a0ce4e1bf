/** Staff: roles, invitations, second factors. No one can change their own; the last administrator cannot be removed. */
import * as z from 'zod/mini'
import { staffRoles } from '#rules/actors.ts'
import { languages } from '#rules/choices.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { reportFrequencies } from '#rules/report-periods.ts'
import { staffChangeMachine, staffMachine } from '#rules/staff.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, email, line, seconds } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { absence, listOf, page, paramsOf, root, staffBrief } from './briefs.ts'
import { event, note, reason, recordFields, action, version } from './decisions.ts'
import { reportNames } from './reports.ts'

const roles = z.array(choice(staffRoles)).check(z.minLength(1, 'required'), z.maxLength(5, 'invalid'))

const roleChange = z.object({
  id: z.string(),
  version: z.int(),
  from: z.array(choice(staffRoles)),
  to: z.array(choice(staffRoles)),
  /** The email address that the approval invites; null for a change of roles, and once decided. */
  invites: z._default(z.nullable(z.string()), null),
  by: staffBrief,
  at: seconds,
  reason: z.string(),
})

export const staffMember = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  email: z.string(),
  roles: z.array(choice(staffRoles)),
  state: choice(staffMachine.states),
  self: z.boolean(),
  secondFactor: z.boolean(),
  invitedBy: z.nullable(staffBrief),
  lastSignInAt: z.nullable(seconds),
  openSessions: z.int(),
  absence: z._default(z.nullable(absence), null),
  pending: z.nullable(roleChange),
  /**
   * Reports that the person has scheduled by email and may not read: none is mailed until another role or setting
   * permits it.
   */
  pausedReports: z.array(z.object({ report: choice(reportNames), frequency: choice(reportFrequencies) })),
  /** Each action (changeRoles, resetFactor, setAbsence, deactivate, inviteAgain) with the reason if it is refused. */
  verbs: z.array(action),
})
export type StaffMember = z.output<typeof staffMember>

export const listStaff = endpoint('listStaff', `GET ${root}/staff`, {
  summary: 'Returns staff members, filtered by status, role, or words in their name or email address.',
  access: readPermissions.staff,
  query: listOf(['name'], { state: z.optional(choice(staffMachine.states)), role: z.optional(choice(staffRoles)) }),
  response: page(staffMember, { activeAdministrators: z.int() }),
})
export const getStaffMember = endpoint('getStaffMember', `GET ${root}/staff/:id`, {
  summary: 'Returns one staff member with their latest events.',
  access: readPermissions.staff,
  params: paramsOf<'staff'>(),
  response: z.object({ staff: staffMember, timeline: z.array(event) }),
})
export const inviteStaff = endpoint('inviteStaff', `POST ${root}/staff`, {
  summary:
    'Proposes to invite a person, which needs approval by a second administrator. The approval sends an email with a link to set up password and 2FA.',
  access: permissions.inviteStaff,
  body: body({ name: line(100), email, roles, language: choice(languages), reason }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: ['staff-known', 'auditor-alone', 'second-administrator-missing', 'email-invalid', 'reason-required'],
})
export const changeRoles = endpoint('changeRoles', `POST ${root}/staff/:id/roles`, {
  summary: 'Proposes a change of roles, which needs approval by a second administrator.',
  access: permissions.changeRoles,
  params: paramsOf<'staff'>(),
  body: body({ roles, reason, version }),
  response: z.object({ changeId: z.string() }),
  problems: [
    'own-roles',
    'auditor-alone',
    'last-administrator',
    'second-administrator-missing',
    'change-waits',
    'setting-unchanged',
    'stale-page',
    'reason-required',
  ],
})
export const resetFactor = endpoint('resetFactor', `POST ${root}/staff/:id/reset-factor`, {
  summary: 'Resets a staff member’s 2FA and ends all their sessions. The next sign-in sets up 2FA again.',
  access: permissions.resetFactor,
  params: paramsOf<'staff'>(),
  body: body({ reason, version }),
  response: z.object({ version: z.int() }),
  problems: ['own-account', 'stale-page', 'reason-required'],
})
const staffDecision = decisionsOn('staff', staffMachine)

export const deactivateStaff = staffDecision('deactivateStaff', 'deactivate', {
  summary: 'Deactivates a staff member and ends all their sessions.',
  body: { reason },
  problems: ['own-account', 'last-administrator'],
})
export const inviteStaffAgain = staffDecision('inviteStaffAgain', 'inviteAgain', {
  segment: 'invite-again',
  summary:
    'Sends a new invitation; the earlier link stops working. For a deactivated person, a second administrator must approve it first.',
  body: { note },
  problems: ['change-waits', 'second-administrator-missing'],
})

export const listStaffChanges = endpoint('listStaffChanges', `GET ${root}/staff-changes`, {
  summary: 'Returns role changes and invitations that need approval by a second administrator.',
  access: readPermissions.staff,
  response: z.object({
    rows: z.array(z.object({ ...roleChange.shape, staff: staffBrief, state: choice(staffChangeMachine.states) })),
  }),
})
export const getStaffChange = endpoint('getStaffChange', `GET ${root}/staff-changes/:id`, {
  summary: 'Returns one change of roles, or one invitation, with the roles before and after it.',
  access: readPermissions.staff,
  params: paramsOf<'staff_change'>(),
  response: z.object({
    change: z.object({
      ...recordFields,
      staff: staffBrief,
      state: choice(staffChangeMachine.states),
      from: z.array(choice(staffRoles)),
      to: z.array(choice(staffRoles)),
      by: staffBrief,
      why: z.string(),
    }),
  }),
})
const changeDecision = decisionsOn('staff-changes', staffChangeMachine)

export const approveStaffChange = changeDecision('approveStaffChange', 'approve', {
  summary:
    'Approves and applies the change of roles, or sends the invitation. Neither the person who requested it nor the person concerned may approve it.',
  body: { note },
  problems: ['own-act', 'own-roles', 'last-administrator'],
})
export const rejectStaffChange = changeDecision('rejectStaffChange', 'reject', {
  summary: 'Rejects the change with a reason.',
  body: { reason },
  problems: ['own-act'],
})
export const cancelStaffChange = changeDecision('cancelStaffChange', 'cancel', {
  summary: 'Cancels a change that the caller requested.',
  body: { note },
  problems: ['not-your-act'],
})
