/** Until when an item of the inbox is due: the firm's times, and its zone's working days (mechanics section 4). */
import { dueAt, type WorkKind } from '#rules/work-items.ts'
import type { Connection } from '../db/sql.ts'
import type { Parts } from '../dependencies.ts'
import { readSetting } from '../settings/settings.ts'

/** The moment by which work of a kind that begins now should be decided. */
export async function workDueAt({ settings }: Pick<Parts, 'settings'>, kind: WorkKind, now: Date): Promise<Date> {
  const { timeZone } = await settings.get('firm')
  return dueAt(kind, now, timeZone, await settings.get('dueHours'))
}

/** The same in a transaction that has no settings at hand: what a platform or bank has answered. */
export async function workDueIn(connection: Connection, kind: WorkKind, now: Date): Promise<Date> {
  const firm = await readSetting(connection, 'firm', now)
  const dueHours = await readSetting(connection, 'dueHours', now)
  return dueAt(kind, now, firm.value.timeZone, dueHours.value)
}
