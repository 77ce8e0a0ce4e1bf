/** Due dates of work items: the firm's service levels, and the working days of its time zone (requirements 18.21). */
import { dueAt, type WorkItemKind } from '#rules/work-items.ts'
import type { Connection } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { readSetting } from '../settings/settings.ts'

/** Returns when a work item is due that opens now. */
export async function workItemDueAt(
  { settings }: Pick<Dependencies, 'settings'>,
  kind: WorkItemKind,
  now: Date,
): Promise<Date> {
  const { timeZone } = await settings.get('firm')
  return dueAt(kind, now, timeZone, await settings.get('sla'))
}

/** Returns the same in a transaction without settings at hand, for responses of platforms and banks. */
export async function workItemDueIn(connection: Connection, kind: WorkItemKind, now: Date): Promise<Date> {
  const firm = await readSetting(connection, 'firm', now)
  const sla = await readSetting(connection, 'sla', now)
  return dueAt(kind, now, firm.value.timeZone, sla.value)
}
