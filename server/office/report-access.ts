/**
 * Access to reports, checked by the report's page, when it is scheduled, and again when it is mailed (requirements
 * 24.10).
 */
import type { StaffMember } from '#contract/office/staff.ts'
import { type ReportName, reportNames } from '#contract/office/reports.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { StaffId } from '#rules/ids.ts'
import type { ReportFrequency } from '#rules/report-periods.ts'
import { canRead } from '#rules/permissions.ts'
import { queueGroupOf, type WorkItemKind, workItemKinds } from '#rules/work-items.ts'
import type { Dependencies } from '../dependencies.ts'
import { rows, sql } from '../db/sql.ts'

/** A reader of reports: a caller, or the recipient of a mail. */
export interface ReportReader {
  readonly roles: readonly StaffRole[]
  readonly email: string
}

/** Returns the queues whose decisions by person the reader may see: none unless settings show them. */
export async function queuesByPerson(
  { settings }: Pick<Dependencies, 'settings'>,
  { roles, email }: ReportReader,
): Promise<WorkItemKind[]> {
  const { shown, ...heads } = await settings.get('decisionsByPerson')
  if (!shown) return []
  if (roles.includes('administrator')) return [...workItemKinds]
  return workItemKinds.filter((kind) => heads[queueGroupOf(kind)].toLowerCase() === email.toLowerCase())
}

/** Returns the reports that the reader may read. */
export async function readableReports(
  dependencies: Pick<Dependencies, 'settings'>,
  reader: ReportReader,
): Promise<ReportName[]> {
  if (!canRead('reports', reader.roles)) return []
  const queues = await queuesByPerson(dependencies, reader)
  return reportNames.filter((name) => name !== 'approvals' || queues.length > 0)
}

interface OwnedSchedule extends ReportReader {
  readonly staffId: StaffId
  readonly report: ReportName
  readonly frequency: ReportFrequency
}

/**
 * Returns by person the scheduled reports that are not mailed because the person may not read them (requirements
 * 24.71).
 */
export async function pausedReports(
  dependencies: Pick<Dependencies, 'pool' | 'settings'>,
  staffId?: StaffId,
): Promise<ReadonlyMap<string, StaffMember['pausedReports']>> {
  const paused = new Map<string, StaffMember['pausedReports']>()
  const ofOne = staffId === undefined ? sql`true` : sql`s.id = ${staffId}`
  const schedules = await rows<OwnedSchedule>(dependencies.pool)`
    select r.report, r.frequency, s.id as "staffId", s.roles, s.email::text as email
      from report_schedules r join staff s on s.id = r.staff_id
      where s.state = 'active' and ${ofOne} order by r.created_at, r.id`
  for (const { staffId: owner, report, frequency, ...reader } of schedules)
    if (!(await readableReports(dependencies, reader)).includes(report))
      paused.set(owner, [...(paused.get(owner) ?? []), { report, frequency }])
  return paused
}
