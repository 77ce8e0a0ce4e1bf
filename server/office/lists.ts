/** Common parts of the back office's lists: the work item of a row, and the search. */
import { dayOf, daysAfter, instantIn } from '#rules/dates.ts'
import type { Absence } from '#contract/office/briefs.ts'
import type { RecordOperation } from '#contract/office/decisions.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, rows, type Connection } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { absenceOn, firmDay } from './absences.ts'
import { clientsOf } from './records.ts'

interface RowItem {
  readonly dueAt: Date
  readonly assignee: { readonly id: string; readonly name: string; readonly absence: Absence | null } | null
}

interface ItemRow {
  readonly record: string
  readonly dueAt: Date
  readonly id: string | null
  readonly name: string | null
  readonly absence: Absence | null
}

/**
 * Returns the open inbox items of a page of records, by record, in one statement; with a day the absences of their
 * assignees.
 */
export async function rowItems(
  connection: Connection,
  kind: string,
  page: readonly { readonly id: string }[],
  day: string | null = null,
): Promise<Map<string, RowItem>> {
  const ids = page.map(({ id }) => id)
  const found = await rows<ItemRow>(connection)`
    select w.record, w.due_at as "dueAt", s.id, s.name, ${absenceOn(day)}
      from work_items w left join staff s on s.id = w.assignee
      where w.kind = ${kind} and w.record = any (${ids}::uuid[]) and w.closed_at is null`
  return new Map(
    found.map(({ record, dueAt, id, name, absence }) => [
      record,
      { dueAt, assignee: id && name ? { id, name, absence } : null },
    ]),
  )
}

export interface Listed {
  readonly id: string
  readonly version: number
  readonly clientId: ClientId
}

/** Returns the fields of every queue row (contract/office/decisions.ts, rowFields), in two statements per page. */
export async function rowHeads(dependencies: Dependencies, kind: string, page: readonly Listed[], now: Date) {
  const clientOf = await clientsOf(dependencies, page)
  const items = await rowItems(dependencies.pool, kind, page, await firmDay(dependencies, now))
  return (record: Listed, createdAt: Date) => {
    const client = clientOf(record.clientId)
    if (!client) throw new Error(`no client ${record.clientId}`)
    const item = items.get(record.id)
    return {
      id: record.id,
      version: record.version,
      createdAt,
      dueAt: item?.dueAt ?? null,
      assignee: item?.assignee ?? null,
      client,
    }
  }
}

/** Returns a pattern for `like` over lower-case text, with the input escaped. Null for no words. */
export function wordsPattern(words: string | undefined): string | null {
  if (words === undefined || words === '') return null
  return `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

/** Returns the instants that limit the days `from` to `to` of the firm's zone, both included. Throws `date-invalid`. */
export function between(
  days: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): { from: Date | null; until: Date | null } {
  const read = (name: 'from' | 'to') => {
    const text = days[name]
    if (text === undefined) return null
    const day = dayOf(text)
    if (!day) throw new Problem('date-invalid', { field: name })
    return day
  }
  const from = read('from')
  const to = read('to')
  return { from: from && instantIn(from, 0, timeZone), until: to && instantIn(daysAfter(to, 1), 0, timeZone) }
}

/** Returns the latest operation at an integration for a record, without mails, or null. */
export async function latestOperation(connection: Connection, subject: string, recordId: string) {
  return row<NonNullable<RecordOperation>>(connection)`
    select id, state, ref, result -> 'done' ->> 'ticket' as ticket, last_error as "lastError", tries from operations
      where subject = ${subject} and record = ${recordId} and kind <> 'mail' order by created_at desc, id desc limit 1`
}
