/** Reports, and every list as CSV. */
import { stringify } from 'csv-stringify/sync'
import * as office from '#contract/office/records.ts'
import { decimalOf } from '#rules/money.ts'
import { Bytes } from '../../http/binary-response.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import { methodNames } from '../../settings/method-names.ts'
import { between } from '../../office/lists.ts'
import type { Parts } from '../../dependencies.ts'
import { safeCell } from '../../i18n/format.ts'
import { exportList } from './export-list.ts'
import { workKindWord } from './export-labels.ts'
import { overridesWithin } from './overrides.ts'
import { approvalsByPerson, decisionTimes, fundingByDay, sumsOf, type Period } from './queries.ts'

const longestDays = 1100

export function reportRoutes(serve: Serve, parts: Parts): void {
  serve(office.fundingReport, async (call) => {
    const found = await fundingByDay(parts.pool, await periodOf(parts, call))
    const methodName = await methodNames(parts, call.language)
    return { rows: found.map((one) => ({ ...one, method: methodName(one.method) })), sums: sumsOf(found) }
  })
  serve(office.decisionTimesReport, async (call) => ({
    rows: await decisionTimes(parts.pool, await periodOf(parts, call)),
  }))
  serve(office.approvalsReport, async (call) => ({
    rows: await approvalsByPerson(parts.pool, await periodOf(parts, call)),
  }))
  serve(office.overridesReport, async (call) => ({
    rows: await overridesWithin(parts.pool, await periodOf(parts, call), call.language),
  }))
  serve(office.reportCsv, (call) => reportFile(parts, call))
  serve(office.exportList, (call) => exportList(parts, call))
}

/** The days of a report, both included, in the firm's zone. Throws `date-invalid`. */
async function periodOf(parts: Parts, call: Pick<Call<typeof office.fundingReport>, 'query'>): Promise<Period> {
  const { timeZone } = await parts.settings.get('firm')
  const { from, until } = between(call.query, timeZone)
  if (!from || !until || until <= from || until.getTime() - from.getTime() > longestDays * 86_400_000) {
    throw new Problem('date-invalid', { field: 'to' })
  }
  return { from, until, timeZone }
}

async function reportFile(parts: Parts, call: Call<typeof office.reportCsv>): Promise<Bytes> {
  const { report } = call.params
  const period = await periodOf(parts, call)
  const csv = stringify(await linesOf(parts, call, period), { header: true, columns: [...headings[report]] })
  return new Bytes(csv, `${report}-${call.query.from}-${call.query.to}.csv`)
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
  parts: Parts,
  { params: { report }, language }: Call<typeof office.reportCsv>,
  period: Period,
): Promise<(string | number)[][]> {
  if (report === 'funding') {
    const found = await fundingByDay(parts.pool, period)
    const methodName = await methodNames(parts, language)
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
    const found = await decisionTimes(parts.pool, period)
    return found.map((one) => [
      one.kind,
      workKindWord(one.kind, language),
      one.decided,
      one.late,
      one.medianSeconds,
      one.ninetiethSeconds,
      one.longestSeconds,
    ])
  }
  if (report === 'overrides') {
    const found = await overridesWithin(parts.pool, period, language)
    return found.map((one) => [
      one.at.toISOString(),
      safeCell(one.staff.name),
      one.client ?? '',
      one.kind,
      workKindWord(one.kind, language),
      safeCell(one.reference ?? ''),
      one.check,
      safeCell(one.reason),
    ])
  }
  const found = await approvalsByPerson(parts.pool, period)
  return found.map(({ staff, kind, approved, rejected, other }) => [
    safeCell(staff.name),
    kind,
    workKindWord(kind, language),
    approved,
    rejected,
    other,
  ])
}
