/** Reports, and every list as CSV. */
import { stringify } from 'csv-stringify/sync'
import * as office from '#contract/office/records.ts'
import { decimalOf } from '#rules/money.ts'
import { BinaryResponse } from '../../http/binary-response.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { methodNames } from '../../settings/method-names.ts'
import { between } from '../../office/lists.ts'
import type { Dependencies } from '../../dependencies.ts'
import { safeCell } from '../../i18n/format.ts'
import { exportList } from './export-list.ts'
import { workItemKindLabel } from './export-labels.ts'
import { overridesWithin } from './overrides.ts'
import { approvalsByPerson, decisionTimes, fundingByDay, sumsOf, type Period } from './queries.ts'

const longestDays = 1100

export function reportRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.fundingReport, async (dependencies, context) => {
    const found = await fundingByDay(dependencies.pool, await periodOf(dependencies, context))
    const methodName = await methodNames(dependencies, context.language)
    return { rows: found.map((one) => ({ ...one, method: methodName(one.method) })), sums: sumsOf(found) }
  })
  registerEndpoint(office.decisionTimesReport, async (dependencies, context) => ({
    rows: await decisionTimes(dependencies.pool, await periodOf(dependencies, context)),
  }))
  registerEndpoint(office.approvalsReport, async (dependencies, context) => ({
    rows: await approvalsByPerson(dependencies.pool, await periodOf(dependencies, context)),
  }))
  registerEndpoint(office.overridesReport, async (dependencies, context) => ({
    rows: await overridesWithin(dependencies.pool, await periodOf(dependencies, context), context.language),
  }))
  registerEndpoint(office.reportCsv, (dependencies, context) => reportFile(dependencies, context))
  registerEndpoint(office.exportList, exportList)
}

/** Returns the days of a report, both included, in the firm's zone. Throws `date-invalid`. */
async function periodOf(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.fundingReport>, 'query'>,
): Promise<Period> {
  const { timeZone } = await dependencies.settings.get('firm')
  const { from, until } = between(context.query, timeZone)
  if (!from || !until || until <= from || until.getTime() - from.getTime() > longestDays * 86_400_000) {
    throw new Problem('date-invalid', { field: 'to' })
  }
  return { from, until, timeZone }
}

async function reportFile(
  dependencies: Dependencies,
  context: RequestContext<typeof office.reportCsv>,
): Promise<BinaryResponse> {
  const { report } = context.params
  const period = await periodOf(dependencies, context)
  const csv = stringify(await linesOf(dependencies, context, period), { header: true, columns: [...headings[report]] })
  return new BinaryResponse(csv, `${report}-${context.query.from}-${context.query.to}.csv`)
}

type Report = (typeof office.reportNames)[number]

const headings: Readonly<Record<Report, readonly string[]>> = {
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
  ],
  approvals: ['person', 'kind', 'kind_text', 'approved', 'rejected', 'other'],
  overrides: ['time', 'person', 'client', 'kind', 'kind_text', 'reference', 'check', 'reason'],
}

async function linesOf(
  dependencies: Dependencies,
  { params: { report }, language }: RequestContext<typeof office.reportCsv>,
  period: Period,
): Promise<(string | number)[][]> {
  if (report === 'funding') {
    const found = await fundingByDay(dependencies.pool, period)
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
      decimalOf(one.net),
    ])
  }
  if (report === 'decision-times') {
    const found = await decisionTimes(dependencies.pool, period)
    return found.map((one) => [
      one.kind,
      workItemKindLabel(one.kind, language),
      one.decided,
      one.late,
      one.medianSeconds,
      one.ninetiethSeconds,
      one.longestSeconds,
    ])
  }
  if (report === 'overrides') {
    const found = await overridesWithin(dependencies.pool, period, language)
    return found.map((one) => [
      one.at.toISOString(),
      safeCell(one.staff.name),
      one.client ?? '',
      one.kind,
      workItemKindLabel(one.kind, language),
      safeCell(one.reference ?? ''),
      one.check,
      safeCell(one.reason),
    ])
  }
  const found = await approvalsByPerson(dependencies.pool, period)
  return found.map(({ staff, kind, approved, rejected, other }) => [
    safeCell(staff.name),
    kind,
    workItemKindLabel(kind, language),
    approved,
    rejected,
    other,
  ])
}
