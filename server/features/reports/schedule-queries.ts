/** SQL of scheduled reports. */
import type { ReportName, ReportStep } from '#contract/office/reports.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { Language } from '#rules/choices.ts'
import { isoDay, type PlainDate } from '#rules/dates.ts'
import type { StaffId } from '#rules/ids.ts'
import type { ReportFrequency } from '#rules/report-periods.ts'
import type { StaffState } from '#rules/staff.ts'
import { row, rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'

export interface ScheduleFields {
  readonly frequency: ReportFrequency
  readonly step: ReportStep
  readonly asTable: boolean
}

export interface ScheduleRow extends ScheduleFields {
  readonly id: string
  readonly report: ReportName
  readonly nextFrom: string
}

const columns = sql`r.id, r.report, r.frequency, r.step, r.as_table as "asTable", r.next_from::text as "nextFrom"`

/** Returns one person's schedules, in the order of their creation. */
export function schedulesOf(connection: Connection, staffId: StaffId): Promise<ScheduleRow[]> {
  return rows<ScheduleRow>(connection)`
    select ${columns} from report_schedules r where r.staff_id = ${staffId} order by r.created_at, r.id`
}

/** Returns null if the person has a schedule of the same report and frequency. */
export function insertSchedule(
  tx: Transaction,
  schedule: ScheduleFields & { readonly staffId: StaffId; readonly report: ReportName; readonly nextFrom: PlainDate },
  now: Date,
): Promise<{ id: string } | null> {
  const { staffId, report, frequency, step, asTable, nextFrom } = schedule
  return row<{ id: string }>(tx)`
    insert into report_schedules (staff_id, report, frequency, step, as_table, next_from, created_at)
      values (${staffId}, ${report}, ${frequency}, ${step}, ${asTable}, ${isoDay(nextFrom)}, ${now})
      on conflict (staff_id, report, frequency) do nothing returning id`
}

/** Returns a schedule of its owner, locked; null for another person's. */
export function lockOwnSchedule(tx: Transaction, id: string, staffId: StaffId): Promise<ScheduleRow | null> {
  return row<ScheduleRow>(tx)`
    select ${columns} from report_schedules r where r.id = ${uuidOrNull(id)}::uuid and r.staff_id = ${staffId} for update`
}

/** Returns false if the person has another schedule of the same report and frequency. */
export async function updateSchedule(
  tx: Transaction,
  id: string,
  { frequency, step, asTable, nextFrom }: ScheduleFields & { readonly nextFrom: string },
): Promise<boolean> {
  const changed = await run(tx)`
    update report_schedules r set frequency = ${frequency}, step = ${step}, as_table = ${asTable}, next_from = ${nextFrom}
      where id = ${id} and not exists (select from report_schedules o
        where o.staff_id = r.staff_id and o.report = r.report and o.frequency = ${frequency} and o.id <> r.id)`
  return changed === 1
}

export async function deleteSchedule(tx: Transaction, id: string): Promise<void> {
  await run(tx)`delete from report_schedules where id = ${id}`
}

export interface ScheduleToMail extends ScheduleRow {
  readonly isPaused: boolean
  readonly state: StaffState
  readonly roles: StaffRole[]
  readonly email: string
  readonly language: Language
}

/** Returns schedules whose next period may be over, and those of people who have left. */
export function dueSchedules(connection: Connection, until: PlainDate): Promise<ScheduleRow[]> {
  return rows<ScheduleRow>(connection)`
    select ${columns} from report_schedules r join staff s on s.id = r.staff_id
      where r.next_from <= ${isoDay(until)} or s.state <> 'active' order by r.next_from, r.id`
}

/** Returns a schedule with its recipient, locked; null if another server is processing it or has sent it. */
export function lockToMail(tx: Transaction, { id, nextFrom }: ScheduleRow): Promise<ScheduleToMail | null> {
  return row<ScheduleToMail>(tx)`
    select ${columns}, r.paused_at is not null as "isPaused", s.state, s.roles, s.email::text as email,
        s.language
      from report_schedules r join staff s on s.id = r.staff_id
      where r.id = ${id} and r.next_from = ${nextFrom} for update of r skip locked for share of s`
}

export async function advanceSchedule(
  tx: Transaction,
  id: string,
  { nextFrom, pausedAt }: { readonly nextFrom: PlainDate; readonly pausedAt: Date | null },
): Promise<void> {
  await run(tx)`
    update report_schedules set next_from = ${isoDay(nextFrom)},
        paused_at = case when ${pausedAt}::timestamptz is null then null else coalesce(paused_at, ${pausedAt}) end
      where id = ${id}`
}

/** Returns whether an email with this reference was written. */
export async function isMailed(tx: Transaction, ref: string): Promise<boolean> {
  return (await row(tx)`select 1 from operations where ref = ${`mail-${ref}`}`) !== null
}
