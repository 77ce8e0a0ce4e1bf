/** Reports of a period: each with the previous period, as CSV, and by email as a link (requirements 24.10). */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { msg } from '../message.ts'
import { endpoint } from '../endpoint.ts'
import { choice, currency, isoDate, seconds } from '../fields.ts'
import { root, staffBrief } from './briefs.ts'
import { flows, target } from './overview.ts'

export const reportNames = ['funding', 'decision-times', 'conversion', 'overrides', 'approvals'] as const
export type ReportName = (typeof reportNames)[number]

export const reportLabels = {
  funding: msg`Deposits and withdrawals`,
  'decision-times': msg`Turnaround`,
  conversion: msg`Conversion`,
  overrides: msg`Overrides`,
  approvals: msg`Decisions by person`,
} as const satisfies Record<ReportName, unknown>

/** The periods by which deposits and withdrawals are summed; weeks begin on Monday. */
export const reportSteps = ['day', 'week', 'month'] as const
export type ReportStep = (typeof reportSteps)[number]

const period = z.strictObject({ from: isoDate, to: isoDate })
export type Period = z.output<typeof period>
const steppedPeriod = z.strictObject({ ...period.shape, by: z.optional(choice(reportSteps)) })
/** The period of the same length just before. */
const before = z.object({ from: z.string(), to: z.string() })

export const fundingReport = endpoint('fundingReport', `GET ${root}/reports/funding`, {
  summary:
    'Returns deposits and withdrawals in each currency, by day, week or month and by method, compared with the previous period.',
  access: readPermissions.reports,
  query: steppedPeriod,
  response: z.object({
    before,
    currencies: z.array(
      z.object({
        currency,
        /** Each begins on its `day`; days without payments are included. */
        steps: z.array(z.object({ day: z.string(), ...flows.shape })),
        /** `method` is its name in the reader's language, `kept` the stored one, by which lists filter. */
        methods: z.array(z.object({ method: z.string(), kept: z.string(), ...flows.shape })),
        sum: flows,
        before: flows,
      }),
    ),
  }),
  problems: ['date-invalid'],
})

const turnaround = {
  decided: z.int(),
  late: z.int(),
  /** From opening or reopening to decision, within 5 % and never above the longest; null without decisions. */
  medianSeconds: z.nullable(z.int()),
  ninetiethSeconds: z.nullable(z.int()),
}
export const decisionTimesReport = endpoint('decisionTimesReport', `GET ${root}/reports/decision-times`, {
  summary: 'Returns how long decisions took and how many were on time, by queue, compared with the previous period.',
  access: readPermissions.reports,
  query: period,
  response: z.object({
    before,
    rows: z.array(
      z.object({
        kind: z.string(),
        ...turnaround,
        /** 0 without decisions in the period itself. */
        longestSeconds: z.int(),
        target,
        before: z.object(turnaround),
      }),
    ),
  }),
  problems: ['date-invalid'],
})

export const funnelSteps = ['began', 'confirmed', 'completed', 'documents', 'approved', 'funded'] as const
export type FunnelStep = (typeof funnelSteps)[number]
/** The steps of clients: who has only begun is no client yet. */
export const clientSteps = ['confirmed', 'completed', 'documents', 'approved', 'funded'] as const
export const funnelLabels = {
  began: msg`Registration started`,
  confirmed: msg`Email confirmed`,
  completed: msg`Registration completed`,
  documents: msg`Documents submitted`,
  approved: msg`Client approved`,
  funded: msg`First deposit`,
} as const satisfies Record<FunnelStep, unknown>

export const conversionReport = endpoint('conversionReport', `GET ${root}/reports/conversion`, {
  summary:
    'Returns how many of the clients who started to register in the period have reached each step so far, compared with the previous period.',
  access: readPermissions.reports,
  query: period,
  response: z.object({
    before,
    rows: z.array(z.object({ step: choice(funnelSteps), clients: z.int(), before: z.int() })),
  }),
  problems: ['date-invalid'],
})

const decisions = { approved: z.int(), rejected: z.int(), other: z.int() }
export const approvalsReport = endpoint('approvalsReport', `GET ${root}/reports/approvals`, {
  summary:
    'Returns the decisions by person and type, compared with the previous period. Available to administrators and heads of queues if enabled in the settings.',
  access: readPermissions.reports,
  query: period,
  response: z.object({
    before: z._default(z.nullable(before), null),
    /** Of those who decided in either period. */
    rows: z.array(
      z.object({
        staff: staffBrief,
        kind: z.string(),
        ...decisions,
        /** Null from a server of the version before, which does not compare. */
        before: z._default(z.nullable(z.object(decisions)), null),
      }),
    ),
  }),
  problems: ['date-invalid', 'wrong-role'],
})
/** Maximum overrides on the page, the newest; `checks` counts all, and the file has all. */
export const overridesMax = 5000

export const overridesReport = endpoint('overridesReport', `GET ${root}/reports/overrides`, {
  summary:
    'Returns the overridden check blocks: who overrode them, on which request, and why; with totals by check, compared with the previous period.',
  access: readPermissions.reports,
  query: period,
  response: z.object({
    before: z._default(z.nullable(before), null),
    /** How often each block was overridden in either period, most often first. */
    checks: z._default(z.array(z.object({ check: z.string(), count: z.int(), before: z.int() })), []),
    rows: z.array(
      z.object({
        id: z.string(),
        at: seconds,
        staff: staffBrief,
        client: z.nullable(z.string()),
        kind: z.string(),
        record: z.string(),
        reference: z.nullable(z.string()),
        check: z.string(),
        reason: z.string(),
      }),
    ),
  }),
  problems: ['date-invalid'],
})
export const reportCsv = endpoint('reportCsv', `GET ${root}/reports/:report/csv`, {
  summary: 'Returns a report as CSV.',
  access: readPermissions.reports,
  params: z.object({ report: choice(reportNames) }),
  query: steppedPeriod,
  produces: 'text/csv',
  problems: ['date-invalid', 'wrong-role', 'export-too-long'],
})

export const listReports = endpoint('listReports', `GET ${root}/reports`, {
  summary: 'Returns the reports that the caller may read.',
  access: readPermissions.reports,
  response: z.object({ reports: z.array(choice(reportNames)) }),
})
