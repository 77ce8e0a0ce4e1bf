/** Absences of staff: each person's own, and those that an administrator records for others (ADR 292). */
import * as z from 'zod/mini'
import { staffRoles } from '#rules/actors.ts'
import { permissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, isoDate } from '../fields.ts'
import { paramsOf, root } from './briefs.ts'

/** The absence that the page showed: if another has been recorded since, nothing is changed. */
const before = z.nullable(z.object({ from: isoDate, until: isoDate }))
const days = body({ from: isoDate, until: isoDate, before })
const end = body({ before })
const problems = ['setting-unchanged', 'stale-page'] as const
const dayProblems = ['date-invalid', 'absence-past', 'absence-order', 'absence-far', ...problems] as const

export const setMyAbsence = endpoint('setMyAbsence', `POST ${root}/absence`, {
  summary: 'Records the caller’s absence, replacing a current or future one. Permissions do not change.',
  access: staffRoles,
  body: days,
  problems: dayProblems,
})
export const endMyAbsence = endpoint('endMyAbsence', `POST ${root}/absence/end`, {
  summary: 'Ends the caller’s current absence or deletes the future one.',
  access: staffRoles,
  body: end,
  problems,
})
export const setAbsence = endpoint('setAbsence', `POST ${root}/staff/:id/absence`, {
  summary: 'Records the absence of an active staff member, replacing a current or future one.',
  access: permissions.setAbsence,
  params: paramsOf<'staff'>(),
  body: days,
  problems: ['wrong-state', ...dayProblems],
})
export const endAbsence = endpoint('endAbsence', `POST ${root}/staff/:id/absence/end`, {
  summary: 'Ends a staff member’s current absence or deletes the future one.',
  access: permissions.setAbsence,
  params: paramsOf<'staff'>(),
  body: end,
  problems: ['wrong-state', ...problems],
})
