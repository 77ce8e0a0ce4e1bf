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
  summary: 'Records when the caller is away, in place of the current or coming absence. Changes no permission.',
  access: staffRoles,
  body: days,
  problems: dayProblems,
})
export const endMyAbsence = endpoint('endMyAbsence', `POST ${root}/absence/end`, {
  summary: 'Ends or removes the caller’s absence.',
  access: staffRoles,
  body: end,
  problems,
})
export const setAbsence = endpoint('setAbsence', `POST ${root}/staff/:id/absence`, {
  summary: 'Records when an active person is away, in place of the current or coming absence.',
  access: permissions.setAbsence,
  params: paramsOf<'staff'>(),
  body: days,
  problems: ['wrong-state', ...dayProblems],
})
export const endAbsence = endpoint('endAbsence', `POST ${root}/staff/:id/absence/end`, {
  summary: 'Ends or removes a person’s absence.',
  access: permissions.setAbsence,
  params: paramsOf<'staff'>(),
  body: end,
  problems: ['wrong-state', ...problems],
})
