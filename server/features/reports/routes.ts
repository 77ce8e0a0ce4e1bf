/** Reports, their schedules, and every list as CSV. */
import { stringify } from 'csv-stringify/sync'
import * as office from '#contract/office/reports.ts'
import * as schedules from '#contract/office/report-schedules.ts'
import { exportList as exportListEndpoint } from '#contract/office/list-export.ts'
import { decimalOf } from '#rules/money.ts'
import { BinaryResponse, requireStaff, type RequestContext } from '../../http/handler.ts'
import { queuesByPerson, readableReports, type ReportReader } from '../../office/report-access.ts'
import { Problem } from '../../http/problem.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { methodNames } from '../../settings/method-names.ts'
import type { Dependencies } from '../../dependencies.ts'
import { safeCell } from '../../i18n/format.ts'
import { labelText } from '../../i18n/translate.ts'
import { changeReportSchedule, removeReportSchedule, scheduleReport } from './change-schedule.ts'
import { exportList, rowsMax } from './export-list.ts'
import { workItemKindLabel } from './export-labels.ts'
import { fundingBy, type Period } from './queries.ts'
import {
  showApprovals,
  showConversion,
  flowsOf,
  showFunding,
  showOverrides,
  periodOf,
  showTurnaround,
} from './show-reports.ts'
import { showSchedules } from './show-schedules.ts'

export function reportRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listReports, async (dependencies, context) => ({
    reports: await readableReports(dependencies, requireStaff(context)),
  }))
  registerEndpoint(office.fundingReport, async (dependencies, context) => {
    const methodName = await methodNames(dependencies, context.language)
    const { by = 'day' } = context.query
    return showFunding(dependencies, await periodOf(dependencies, context.query), by, methodName)
  })
  registerEndpoint(office.decisionTimesReport, async (dependencies, context) =>
    showTurnaround(dependencies, await periodOf(dependencies, context.query)),
  )
  registerEndpoint(office.conversionReport, async (dependencies, context) =>
    showConversion(dependencies, await periodOf(dependencies, context.query)),
  )
  registerEndpoint(office.approvalsReport, async (dependencies, context) =>
    approvalsFor(dependencies, requireStaff(context), await periodOf(dependencies, context.query)),
  )
  registerEndpoint(office.overridesReport, async (dependencies, context) =>
    showOverrides(dependencies, await periodOf(dependencies, context.query), context.language),
  )
  registerEndpoint(office.reportCsv, reportFile)
  registerEndpoint(schedules.listReportSchedules, showSchedules)
  registerEndpoint(schedules.scheduleReport, scheduleReport)
  registerEndpoint(schedules.changeReportSchedule, changeReportSchedule)
  registerEndpoint(schedules.removeReportSchedule, removeReportSchedule)
  registerEndpoint(exportListEndpoint, exportList)
}

/**
 * Throws `wrong-role` for people who are neither administrators nor the head of a queue, and if the settings hide it.
 */
async function approvalsFor(dependencies: Dependencies, reader: ReportReader, period: Period) {
  const queues = await queuesByPerson(dependencies, reader)
  if (queues.length === 0) throw new Problem('wrong-role')
  return showApprovals(dependencies, period, queues)
}

async function reportFile(
  dependencies: Dependencies,
  context: RequestContext<typeof office.reportCsv>,
): Promise<BinaryResponse> {
  const { report } = context.params
  const period = await periodOf(dependencies, context.query)
  const lines = await reportLines[report](dependencies, context, period)
  const csv = stringify(lines, { header: true, columns: [...headings[report]], bom: true })
  return new BinaryResponse(csv, `${report}-${context.query.from}-${context.query.to}.csv`)
}

const headings: Readonly<Record<office.ReportName, readonly string[]>> = {
  funding: [
    'day',
    'currency',
    'method',
    'deposits',
    'deposited',
    'refunded',
    'withdrawals',
    'withdrawn',
    'returned',
    'net',
  ],
  'decision-times': [
    'queue',
    'queue_text',
    'decided',
    'late',
    'median_seconds',
    'ninetieth_seconds',
    'longest_seconds',
    'target',
    'target_unit',
    'decided_before',
    'late_before',
    'median_seconds_before',
    'ninetieth_seconds_before',
  ],
  conversion: ['step', 'step_text', 'clients', 'clients_before'],
  approvals: [
    'person',
    'kind',
    'kind_text',
    'approved',
    'rejected',
    'other',
    'approved_before',
    'rejected_before',
    'other_before',
  ],
  overrides: [
    'time',
    'person',
    'client',
    'kind',
    'kind_text',
    'reference',
    'check',
    'reason',
    'overrides_of_check',
    'overrides_of_check_before',
  ],
}

type Lines = (
  dependencies: Dependencies,
  context: RequestContext<typeof office.reportCsv>,
  period: Period,
) => Promise<(string | number | null)[][]>

const reportLines: Readonly<Record<office.ReportName, Lines>> = {
  async funding(dependencies, { query, language }, period) {
    const found = await fundingBy(dependencies.pool, query.by ?? 'day', period)
    const methodName = await methodNames(dependencies, language)
    return found.map((one) => [
      one.day,
      one.currency,
      safeCell(methodName(one.method)),
      one.deposits,
      decimalOf(one.deposited),
      decimalOf(one.refunded),
      one.withdrawals,
      decimalOf(one.withdrawn),
      decimalOf(one.returned),
      decimalOf(flowsOf([one]).net),
    ])
  },
  async 'decision-times'(dependencies, { language }, period) {
    const { rows: found } = await showTurnaround(dependencies, period)
    return found.map((one) => [
      one.kind,
      workItemKindLabel(one.kind, language),
      one.decided,
      one.late,
      one.medianSeconds,
      one.ninetiethSeconds,
      one.decided > 0 ? one.longestSeconds : null,
      one.target?.number ?? 0,
      one.target?.unit ?? 'hours',
      one.before.decided,
      one.before.late,
      one.before.medianSeconds,
      one.before.ninetiethSeconds,
    ])
  },
  async conversion(dependencies, { language }, period) {
    const { rows: found } = await showConversion(dependencies, period)
    return found.map(({ step, clients, before }) => [
      step,
      labelText(office.funnelLabels, step, language),
      clients,
      before,
    ])
  },
  /**
   * Each override, including those that the page omits, with the counts of its block; a block with overrides only in
   * the previous period has a line without an override.
   */
  async overrides(dependencies, { language }, period) {
    const { rows: found, checks } = await showOverrides(dependencies, period, language, rowsMax + 1)
    if (found.length > rowsMax) throw new Problem('export-too-long', { values: { most: rowsMax } })
    const countsOf = new Map(checks.map(({ check, count, before }) => [check, [count, before]]))
    return [
      ...found.map((one) => [
        one.at.toISOString(),
        safeCell(one.staff.name),
        one.client ?? '',
        one.kind,
        workItemKindLabel(one.kind, language),
        safeCell(one.reference ?? ''),
        one.check,
        safeCell(one.reason),
        ...(countsOf.get(one.check) ?? []),
      ]),
      ...checks
        .filter(({ count }) => count === 0)
        .map(({ check, count, before }) => ['', '', '', '', '', '', check, '', count, before]),
    ]
  },
  async approvals(dependencies, context, period) {
    const { rows: found } = await approvalsFor(dependencies, requireStaff(context), period)
    return found.map(({ staff, kind, approved, rejected, other, before }) => [
      safeCell(staff.name),
      kind,
      workItemKindLabel(kind, context.language),
      approved,
      rejected,
      other,
      before?.approved ?? '',
      before?.rejected ?? '',
      before?.other ?? '',
    ])
  },
}
