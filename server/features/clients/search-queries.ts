/** Finds clients by what a clerk has in hand: a name, an address, a number, a reference, an IBAN. */
import type { searchClients } from '#contract/office/clients.ts'
import { allCountries } from '#rules/countries.ts'
import { empty, join, rows, sql, type Sql } from '../../db/sql.ts'
import type { Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import { cursorAfter, paged, placeOf } from '../../office/page-cursor.ts'
import { clientBriefs } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'

interface FoundRow {
  id: string
  sorted: string
  registered_at: Date | null
  approved_at: Date | null
  waiting: number
}

/** The columns that the list sorts by, as text whose order is that of the column. */
const sorts: Readonly<Record<string, Sql>> = {
  number: sql`lpad(c.number::text, 12, '0')`,
  name: sql`lower(c.surname || ' ' || c.name)`,
  registeredAt: sql`coalesce(to_char(c.registered_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS'), '')`,
}

const pageSize = 50

/** A page of clients, the newest number first unless asked otherwise. */
export async function searchedClients(parts: Parts, { query }: Pick<Call<typeof searchClients>, 'query'>) {
  const sorted = sorts[query.sort ?? 'number']
  if (!sorted) throw new Problem('unknown-value', { field: 'sort' })
  const place = placeOf(query.cursor)
  const size = query.size ?? pageSize
  const ascending = query.direction === 'asc' || (query.direction === undefined && query.sort === 'name')
  const direction = ascending ? sql`asc` : sql`desc`
  const beyond = ascending ? sql`>` : sql`<`
  const { changes } = await parts.settings.get('countries')
  const codes =
    query.riskLevel === undefined
      ? null
      : allCountries(changes)
          .filter(({ level }) => level === query.riskLevel)
          .map(({ code }) => code)
  const found = await rows<FoundRow>(
    parts.pool,
    sql`select c.id, ${sorted} as sorted, c.registered_at, c.approved_at,
          (select count(*)::int from work_items w where w.client_id = c.id and w.closed_at is null) as waiting
        from clients c
        where (${query.state ?? null}::text is null or c.state = ${query.state ?? null})
          and (${query.clientStatus ?? null}::text is null or c.client_status = ${query.clientStatus ?? null})
          and (${query.country ?? null}::text is null or c.country = ${query.country ?? null})
          and (${codes}::text[] is null or c.country = any (${codes}::text[]))
          ${query.flag === undefined ? empty : sql`and exists (select 1 from client_flags f where f.client_id = c.id and f.flag = ${query.flag})`}
          ${query.waiting === true ? sql`and exists (select 1 from work_items w where w.client_id = c.id and w.closed_at is null)` : empty}
          ${query.from === undefined ? empty : sql`and c.registered_at >= ${query.from}::date`}
          ${query.to === undefined ? empty : sql`and c.registered_at < ${query.to}::date + 1`}
          ${query.q ? sql`and c.id in (${matching(query.q)})` : empty}
          ${place ? sql`and (${sorted}, c.id) ${beyond} (${place.value}, ${place.id}::uuid)` : empty}
        order by 2 ${direction}, c.id ${direction} limit ${size + 1}`,
  )
  const page = paged(found, size, (one) => cursorAfter(one.sorted, one.id))
  const clients = await clientBriefs(
    parts,
    parts.pool,
    page.rows.map(({ id }) => id),
  )
  return {
    rows: page.rows.flatMap(({ id, registered_at: registeredAt, approved_at: approvedAt, waiting }) => {
      const client = clients.get(id)
      return client ? [{ client, registeredAt, approvedAt, waiting }] : []
    }),
    next: page.next,
  }
}

/**
 * Every way a text can lead to a client; each by an index of its own, and only where the text has the form of what is
 * looked for, so that a name reads one index alone (quality-bar part 0).
 */
function matching(q: string): Sql {
  const text = `%${q.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`
  const plain = q.replace(/\s/g, '')
  const code = plain.toUpperCase()
  const ways = [sql`select id from clients where lower(name || ' ' || surname || ' ' || email::text) like ${text}`]
  if (/^\d{1,12}$/.test(plain)) ways.push(sql`select id from clients where number = ${plain}::bigint`)
  if (/^\d+$/.test(plain)) ways.push(sql`select client_id from trading_accounts where login = ${plain}`)
  if (/-[0-9A-Z]{8}$/.test(code))
    ways.push(
      sql`select client_id from deposits where reference = ${code}`,
      sql`select client_id from withdrawals where reference = ${code}`,
      sql`select client_id from transfers where reference = ${code}`,
    )
  if (/^[A-Z]{2}\d{2}/.test(code)) ways.push(sql`select client_id from bank_details where iban = ${code}`)
  return join(ways, ' union ')
}
