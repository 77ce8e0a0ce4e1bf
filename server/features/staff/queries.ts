import type { QueryOf } from '#contract/endpoint.ts'
import { listStaff, type StaffMember } from '#contract/office/staff.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { Language } from '#rules/choices.ts'
import type { StaffChangeState } from '#rules/staff.ts'
import type { StaffChangeId, StaffId } from '#rules/ids.ts'
import { empty, row, rows, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import type { Dependencies } from '../../dependencies.ts'
import { absenceOn, firmDay } from '../../office/absences.ts'
import { type Columns, listing, whereEquals, pageOf } from '../../office/listing.ts'
import { wordsPattern } from '../../office/lists.ts'

export interface StaffRow extends Omit<StaffMember, 'self' | 'invitedBy' | 'pending' | 'pausedReports' | 'verbs'> {
  readonly id: StaffId
  readonly language: Language
  readonly invitedById: StaffId | null
  readonly invitedByName: string | null
}

const tables = sql`staff s left join staff i on i.id = s.invited_by`

function columns(now: Date, today: string): Columns<StaffRow> {
  return sql`s.id, s.version, s.name, s.email::text as email, s.roles, s.state, s.language,
      s.factor_confirmed_at is not null as "secondFactor", i.id as "invitedById", i.name as "invitedByName",
      s.last_sign_in_at as "lastSignInAt",
      (select count(*)::int from sessions t where t.staff_id = s.id and t.audience = 'office' and t.ended_at is null
        and t.ends_at > ${now} and t.last_seen_at + make_interval(secs => t.idle_seconds) > ${now}) as "openSessions", ${absenceOn(today)}`
}

/**
 * Returns the listing of staff `s` by name, those who can no longer sign in last, with their absence `a` that has not
 * ended on `today`, the firm's day.
 */
export function staffListing(today: string) {
  return listing(listStaff, {
    name: 'staff',
    tables: sql`${tables} left join lateral (select s.away_from, s.away_until where s.state = 'active'
      and s.away_until >= ${today}::date) a on true`,
    id: { by: 's.id', type: 'uuid' },
    sorts: { name: { by: "((s.state = 'deactivated')::int || lower(s.name))", type: 'text' } },
    at: { by: 's.created_at', type: 'timestamptz' },
    standard: () => ({ sort: 'name', direction: 'asc' }),
    where: ({ state, role }) => [
      whereEquals('s.state', state),
      role === undefined ? empty : sql`${role} = any (s.roles)`,
    ],
    hasOnePlan: () => true,
    finds: (words) => sql`lower(s.name || ' ' || s.email::text) like ${wordsPattern(words)}`,
  })
}

/** Returns a page of staff. */
export async function staffOf(dependencies: Dependencies, query: QueryOf<typeof listStaff>, now: Date) {
  const today = await firmDay(dependencies, now)
  return pageOf(dependencies, staffListing(today), columns(now, today), query)
}

/** Returns one person, or null. */
export function memberById(connection: Connection, id: StaffId, now: Date, today: string): Promise<StaffRow | null> {
  return row<StaffRow>(connection)`select ${columns(now, today)} from ${tables} where s.id = ${uuidOrNull(id)}::uuid`
}

export type LockedMember = Pick<StaffRow, 'id' | 'name' | 'email' | 'roles' | 'state' | 'version' | 'language'>

/** Returns one person, locked, or null. */
export function lockMember(tx: Transaction, id: StaffId): Promise<LockedMember | null> {
  return row<LockedMember>(tx)`
    select id, name, email::text as email, roles, state, version, language from staff where id = ${uuidOrNull(id)}::uuid for update`
}

/** Returns the active administrators, locked, so that two concurrent changes cannot remove the last two of them. */
export async function lockAdministrators(tx: Transaction): Promise<string[]> {
  const found = await rows<{ id: string }>(tx)`
    select id from staff where state = 'active' and 'administrator' = any (roles) order by id for update`
  return found.map(({ id }) => id)
}

export async function countAdministrators(connection: Connection): Promise<number> {
  const found = await row<{ count: number }>(connection)`
    select count(*)::int as count from staff where state = 'active' and 'administrator' = any (roles)`
  return found?.count ?? 0
}

export interface ChangeRow {
  readonly id: StaffChangeId
  readonly version: number
  readonly staffId: StaffId
  readonly staffName: string
  readonly from: StaffRole[]
  readonly to: StaffRole[]
  /** The address that the approval invites; null for a change of roles of a person with access or a link. */
  readonly invites: string | null
  readonly state: StaffChangeState
  readonly reason: string
  readonly askedBy: string
  readonly askedByName: string
  readonly askedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

/** Whether staff `s` were invited, but no link has been sent: the approval of their roles sends it. */
const awaitsLink = sql`(s.state = 'invited' and s.password_hash is null and not exists (select from one_time_links l
    where l.staff_id = s.id and l.purpose = 'invitation' and l.used_at is null and l.replaced_at is null))`

const changes = sql`select c.id, c.version, c.staff_id as "staffId", s.name as "staffName",
    case when c.state = 'approved' then coalesce(c.from_roles, s.roles) when c.state = 'pending' and ${awaitsLink} then '{}'
      else s.roles end as "from", c.roles as "to",
    case when c.state = 'pending' and ${awaitsLink} then s.email::text end as invites, c.state, c.reason,
    c.asked_by as "askedBy", b.name as "askedByName", c.asked_at as "askedAt", c.decided_by as "decidedBy",
    c.decided_at as "decidedAt"
  from staff_changes c join staff s on s.id = c.staff_id join staff b on b.id = c.asked_by`

/** Returns changes of roles, newest first; with `open` the pending ones. */
export function changesOf(
  connection: Connection,
  only: { open?: boolean; staffIds?: readonly StaffId[] } = {},
): Promise<ChangeRow[]> {
  return rows<ChangeRow>(connection)`${changes} where true ${only.open === true ? sql`and c.state = 'pending'` : empty}
        ${only.staffIds ? sql`and c.staff_id = any (${[...only.staffIds]}::uuid[])` : empty}
      order by c.state <> 'pending', c.asked_at desc, c.id desc limit 200`
}

/** Returns one change, or null. */
export function changeById(connection: Connection, id: StaffChangeId): Promise<ChangeRow | null> {
  return row<ChangeRow>(connection)`${changes} where c.id = ${uuidOrNull(id)}::uuid`
}

/** Returns the pending change of roles for the staff list. */
export function pendingOf(change: ChangeRow | undefined): StaffMember['pending'] {
  if (!change) return null
  const { id, version, from, to, invites, askedBy, askedByName, askedAt, reason } = change
  return { id, version, from, to, invites, by: { id: askedBy, name: askedByName }, at: askedAt, reason }
}
