import type { SettingSection } from '#contract/setting-sections.ts'
import type { SettingChangeState } from '#rules/settings-changes.ts'
import type { SettingChangeId, StaffId } from '#rules/ids.ts'
import { empty, row, rows, sql, type Connection } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'

export interface VersionRow {
  readonly section: SettingSection
  readonly version: number
  readonly value: unknown
  readonly at: Date
  readonly byId: StaffId | null
  readonly byName: string | null
  readonly reason: string
}

/** Returns the versions of a section, the newest first. */
export function versionsOf(connection: Connection, section: SettingSection, most: number): Promise<VersionRow[]> {
  return rows<VersionRow>(connection)`
    select v.section, v.version, v.value, v.from_at as at, s.id as "byId", s.name as "byName", v.reason
      from settings v left join staff s on s.id = v.by_staff where v.section = ${section}
      order by v.version desc limit ${most}`
}

/** Returns the newest version of every section that was ever changed. */
export function newestVersions(connection: Connection): Promise<VersionRow[]> {
  return rows<VersionRow>(connection)`
    select distinct on (v.section) v.section, v.version, v.value, v.from_at as at, s.id as "byId", s.name as "byName", v.reason
      from settings v left join staff s on s.id = v.by_staff order by v.section, v.version desc`
}

export interface SettingChangeRow {
  readonly id: SettingChangeId
  readonly version: number
  readonly section: SettingSection
  readonly baseVersion: number
  /** In its wire form. */
  readonly value: unknown
  readonly state: SettingChangeState
  readonly reason: string
  readonly askedBy: string
  readonly askedByName: string
  readonly askedAt: Date
  readonly decidedBy: string | null
  readonly decidedByName: string | null
  readonly decidedAt: Date | null
  /** The value in force when the change was proposed; null for the default. */
  readonly baseValue: unknown
}

const changes = sql`select c.id, c.version, c.section, c.base_version as "baseVersion", c.value, c.state, c.reason,
    c.asked_by as "askedBy", b.name as "askedByName", c.asked_at as "askedAt", c.decided_by as "decidedBy",
    d.name as "decidedByName", c.decided_at as "decidedAt", v.value as "baseValue"
  from setting_changes c join staff b on b.id = c.asked_by left join staff d on d.id = c.decided_by
    left join settings v on v.section = c.section and v.version = c.base_version`

/** Returns one pending or decided change, or null. */
export function settingChangeById(connection: Connection, id: SettingChangeId): Promise<SettingChangeRow | null> {
  return row<SettingChangeRow>(connection)`${changes} where c.id = ${uuidOrNull(id)}::uuid`
}

/** Returns the pending change of a section, or null. */
export function pendingSettingChange(
  connection: Connection,
  section: SettingSection,
): Promise<SettingChangeRow | null> {
  return row<SettingChangeRow>(connection)`${changes} where c.section = ${section} and c.state = 'pending'`
}

/** Returns changes, newest first. */
export function settingChanges(
  connection: Connection,
  only: { state?: SettingChangeState | undefined },
  page: { after: { at: Date; id: string } | null; size: number },
): Promise<SettingChangeRow[]> {
  return rows<SettingChangeRow>(connection)`
    ${changes} where true ${only.state === undefined ? empty : sql`and c.state = ${only.state}`}
        ${page.after ? sql`and (c.asked_at, c.id) < (${page.after.at}, ${page.after.id}::uuid)` : empty}
      order by c.asked_at desc, c.id desc limit ${page.size}`
}

/** Returns how many clients see the section in their portal. */
export async function countPortalClients(connection: Connection): Promise<number> {
  const found = await row<{ count: number }>(connection)`
    select count(*)::int as count from clients where state in ('pending', 'approved')`
  return found?.count ?? 0
}
