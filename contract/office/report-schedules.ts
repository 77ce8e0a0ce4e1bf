/**
 * Reports that a person receives by email: a link to the last complete period, without figures (requirements 24.10,
 * 24.56).
 */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { reportFrequencies, type ReportFrequency } from '#rules/report-periods.ts'
import { msg } from '../message.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, seconds } from '../fields.ts'
import { recordParams, root } from './briefs.ts'
import { reportNames, reportSteps } from './reports.ts'

export const reportFrequencyLabels = {
  weekly: msg`Weekly`,
  monthly: msg`Monthly`,
} as const satisfies Record<ReportFrequency, unknown>

/** How the link shows the report; `step` is that of deposits and withdrawals. */
const fields = {
  frequency: choice(reportFrequencies),
  step: choice(reportSteps),
  asTable: z.boolean('required'),
}

const reportSchedule = z.object({
  id: z.string(),
  report: choice(reportNames),
  frequency: choice(reportFrequencies),
  step: choice(reportSteps),
  asTable: z.boolean(),
  /** The last complete period. */
  from: z.string(),
  to: z.string(),
  nextAt: seconds,
  /** True while the person may not read the report: no email is sent. */
  paused: z.boolean(),
})
export type ReportSchedule = z.output<typeof reportSchedule>

/** Returns the query string of a report's page, which reads all of it (requirements 24.10). */
export function reportQuery(view: Pick<ReportSchedule, 'report' | 'from' | 'to' | 'step' | 'asTable'>): string {
  const { report, from, to, step, asTable } = view
  return String(new URLSearchParams({ report, from, to, by: step, ...(asTable && { show: 'table' }) }))
}

export const listReportSchedules = endpoint('listReportSchedules', `GET ${root}/report-schedules`, {
  summary: 'Returns the reports that the caller has scheduled by email.',
  access: readPermissions.reports,
  response: z.object({ schedules: z.array(reportSchedule) }),
})

export const scheduleReport = endpoint('scheduleReport', `POST ${root}/report-schedules`, {
  summary:
    'Schedules a report for the caller: a link is emailed on the morning after each week or month ends, starting with the current one.',
  access: readPermissions.reports,
  body: body({ report: choice(reportNames), ...fields }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: ['wrong-role', 'report-scheduled'],
})

export const changeReportSchedule = endpoint('changeReportSchedule', `POST ${root}/report-schedules/:id`, {
  summary: 'Updates the frequency and view of a report that the caller has scheduled.',
  access: readPermissions.reports,
  params: recordParams,
  body: body(fields),
  problems: ['report-scheduled'],
})

export const removeReportSchedule = endpoint('removeReportSchedule', `POST ${root}/report-schedules/:id/remove`, {
  summary: 'Deletes a report that the caller has scheduled.',
  access: readPermissions.reports,
  params: recordParams,
})
