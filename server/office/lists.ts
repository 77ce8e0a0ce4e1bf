/**
 * Common parts of the back office's lists: the work item of a row, and the search. Each condition of a search uses one
 * index, and applies only if the words have the matching form.
 */
import type { Absence } from '#contract/office/briefs.ts'
import type { RecordOperation } from '#contract/office/decisions.ts'
import type { Language } from '#rules/choices.ts'
import { dayOf, daysAfter, instantIn } from '#rules/dates.ts'
import type { ClientId } from '#rules/ids.ts'
import { readReference } from '#rules/references.ts'
import { pipelinedRows } from '../db/pipelined-reader.ts'
import { row, type Connection, join, raw, sql, type Sql } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { absenceOn, firmDay } from './absences.ts'
import { answerText } from './answer-text.ts'
import { clientBriefs } from './records.ts'

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
  if (ids.length === 0) return new Map()
  const found = await pipelinedRows<ItemRow>(
    connection,
    sql`select w.record, w.due_at as "dueAt", s.id, s.name, ${absenceOn(day)}
        from work_items w left join staff s on s.id = w.assignee
        where w.kind = ${kind} and w.record = any (${ids}::uuid[]) and w.closed_at is null`,
  )
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

/** Returns the clients and the open inbox items of a page of records, with the absences of today, at the same time. */
export async function clientsAndItems<Record extends { readonly id: string }>(
  dependencies: Dependencies,
  kind: string,
  page: readonly Record[],
  clientOf: (record: Record) => string | null,
  now: Date,
) {
  const day = await firmDay(dependencies, now)
  return Promise.all([clientBriefs(dependencies, page.map(clientOf)), rowItems(dependencies.pool, kind, page, day)])
}

/** Returns the fields of every queue row (contract/office/decisions.ts, rowFields), in two statements per page. */
export async function rowHeads(dependencies: Dependencies, kind: string, page: readonly Listed[], now: Date) {
  const [clientOf, items] = await clientsAndItems(dependencies, kind, page, ({ clientId }) => clientId, now)
  return (record: Listed, createdAt: Date) => {
    const client = clientOf(record.clientId)
    if (!client) throw new Error(`client ${record.clientId} not found`)
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

/**
 * The error of an operation that was attempted. Before the first attempt the column contains the checks that block it,
 * which the page of its record already shows.
 */
export const errorOfAttempt = sql`case when tries > 0 then last_error end as "lastError"`

/** Returns the latest operation at an integration for a record, without mails, or null. */
export async function latestOperation(
  connection: Connection,
  { subject, record, language }: { readonly subject: string; readonly record: string; readonly language: Language },
) {
  const found = await row<NonNullable<RecordOperation>>(connection)`
    select id, state, ref, result -> 'done' ->> 'ticket' as ticket, ${errorOfAttempt}, tries from operations
      where subject = ${subject} and record = ${record} and kind <> 'mail' order by created_at desc, id desc limit 1`
  return found && { ...found, lastError: answerText(found.lastError, language) }
}

/** The indexed text of clients' names (migration 0230): name and address in lower case, without accents. */
const namesOfClient = sql`search_text(' ' || name || ' ' || surname || ' ' || email::text)`

/**
 * Returns the condition on clients whose name or email address contains each of the words, in any order and without
 * accents.
 */
export function hasName(words: string): Sql {
  const patterns = words.trim().split(/\s+/).map(wordsPattern)
  return join(
    patterns.map((pattern) => sql`${namesOfClient} like search_text(${pattern})`),
    ' and ',
  )
}

/** Returns the condition on clients one of whose names starts with the words. */
export function nameBeginsWith(words: string): Sql {
  return sql`${namesOfClient} like search_text(${wordsPattern(` ${words.trim()}`)})`
}

/** Returns the query of client ids by part of name and address, or by client number. */
export function clientsNamed(words: string): Sql {
  const ways = [sql`select id from clients where ${hasName(words)}`]
  const plain = words.replace(/\s/g, '')
  if (/^\d{1,12}$/.test(plain)) ways.push(sql`select id from clients where number = ${plain}::bigint`)
  return join(ways, ' union ')
}

interface Searched {
  readonly table: string
  /** The listing's column of the ids. */
  readonly id: string
  /** Columns of the table with a trading account. */
  readonly accounts?: readonly string[]
  /** True if the table has a reference of ours. */
  readonly reference?: boolean
}

/**
 * Returns the query of records that belong to clients: by client, by the start of an account's number or of a
 * reference.
 */
export function recordsNamed(words: string, { table, id, accounts = [], reference = false }: Searched): Sql {
  const from = raw(table)
  const plain = words.replace(/\s/g, '').toUpperCase()
  const ways = [sql`select id from ${from} where client_id in (${clientsNamed(words)})`]
  if (/^\d+$/.test(plain)) {
    for (const column of accounts) {
      // The colon follows the nine, so the range contains all numbers that start with these digits, and uses an index.
      ways.push(sql`select id from ${from} where ${raw(column)} in
        (select id from trading_accounts where login >= ${plain} and login < ${`${plain}:`})`)
    }
  }
  if (reference && /^[A-Z0-9-]{3,20}$/.test(plain)) {
    const begins = readReference(words) ?? plain
    ways.push(sql`select id from ${from} where reference >= ${begins} and reference < ${`${begins}~`}`)
  }
  return sql`${raw(id)} in (${join(ways, ' union ')})`
}
