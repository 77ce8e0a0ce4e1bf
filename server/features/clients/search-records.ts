/**
 * The search of the command palette: clients, accounts, references and bank accounts by name or number (requirements
 * 24.6).
 */
import {
  hitsMax,
  type HitKind,
  type lookUpClient as lookUp,
  type searchRecords as endpoint,
} from '#contract/office/search.ts'
import type { ClientState } from '#rules/clients.ts'
import type { ClientStatus } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Currency } from '#rules/money.ts'
import { canRead, canSeeNumbers } from '#rules/permissions.ts'
import { readBatchNumber } from '#rules/payout-batches.ts'
import { readReference } from '#rules/references.ts'
import { recordClientEvent } from '../../db/events.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { type Connection, join, row, rowsWithFreshPlan, sql, type Sql, transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { hasName, nameBeginsWith } from '../../office/lists.ts'
import { type HitCounts, kindsWithMoreHits } from './more-hits.ts'

type Roles = Parameters<typeof canSeeNumbers>[0]

interface HitRow {
  place: number
  kind: HitKind
  id: string
  clientId: ClientId | null
  clientNumber: bigint
  clientName: string
  country: string
  status: ClientState
  clientStatus: ClientStatus
  number: string
  detail: string | null
  state: string | null
  amount: bigint | null
  currency: Currency | null
  at: Date | null
}

/** The rank of a hit: exact matches, then prefixes, then names. */
const ranks = { exact: 0, begins: 1, named: 2, contains: 3, ofNamed: 4 } as const

/** One more than is sent is read, to know whether there are more. */
const readMax = hitsMax + 1

/**
 * Returns the hits, exact numbers first: clients by name, then everything else in one statement, and finally the totals
 * of kinds with further hits. Each lookup reads one index and a few rows. Only lookups that the roles permit are run,
 * so a person cannot find a number that they may not read.
 */
export const searchRecords: Handler<typeof endpoint> = async (dependencies, context) => {
  const q = context.query.q.trim()
  const ways = searchQueries(q, requireStaff(context).roles)
  if (ways.length === 0) return { hits: [], more: [] }
  const clients = isName(q) ? await clientsByName(dependencies.pool, q) : []
  const limited = ways.map((way) => sql`(${way} limit ${readMax}::int)`)
  const found = await rowsWithFreshPlan<HitRow>(
    dependencies.pool,
    sql`with named as materialized (${clientRows(clients)})
      select h.place, h.kind, h.id, h.client_id as "clientId", coalesce(n.number, c.number) as "clientNumber",
        coalesce(n.name || ' ' || n.surname, c.name || ' ' || c.surname) as "clientName",
        coalesce(n.country, c.country) as country, coalesce(n.state, c.state) as status,
        coalesce(n.client_status, c.client_status) as "clientStatus", h.number, h.detail, h.state, h.amount, h.currency, h.at
      from (${join(limited, ' union all ')}) h left join named n on n.id = h.client_id
        left join clients c on n.id is null and c.id = h.client_id
      order by h.place, h.at desc nulls last, lower(coalesce(n.surname || ' ' || n.name, c.surname || ' ' || c.name)), h.number`,
  )
  const records = distinctHits(found)
  const hits = limitHitsPerKind(records)
  return { hits: hits.map(hitResponse), more: await kindsWithMoreHits(dependencies.pool, q, countHits(records)) }
}

/** Returns each record once, by its best rank. */
function distinctHits(found: readonly HitRow[]): HitRow[] {
  // Accounts and bank accounts have the id of their client; one number may exist on both platforms, or per currency.
  const keyOf = ({ kind, id, number, detail, currency, state }: HitRow) =>
    JSON.stringify([kind, id, number, detail, currency, state])
  const byKey = new Map(found.toReversed().map((hit) => [keyOf(hit), hit]))
  return found.filter((hit) => byKey.get(keyOf(hit)) === hit)
}

/** Returns at most the number of hits of each kind that is shown. */
function limitHitsPerKind(records: readonly HitRow[]): HitRow[] {
  const counts = new Map<HitKind, number>()
  return records.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= hitsMax
  })
}

/** Returns the number of records of each kind that the lookups have read. */
function countHits(records: readonly HitRow[]): HitCounts {
  const read = new Map<HitKind, { count: number; byName: boolean }>()
  for (const { kind, place } of records)
    read.set(kind, { count: (read.get(kind)?.count ?? 0) + 1, byName: place >= ranks.named })
  return { read, named: records.filter(({ kind }) => kind === 'client').map(({ id }) => id as ClientId) }
}

function hitResponse({ place, clientId, clientNumber, clientName, country, status, clientStatus, ...hit }: HitRow) {
  const client =
    clientId === null
      ? null
      : { id: clientId, number: String(clientNumber), name: clientName, country, status, clientStatus }
  return { ...hit, exact: place === ranks.exact, client }
}

function searchQueries(q: string, roles: Roles): Sql[] {
  const plain = q.replace(/\s/g, '')
  if (plain === '') return []
  return [
    ...(/^\d{1,18}$/.test(plain) ? digitQueries(plain) : []),
    ...referenceQueries(q, plain, roles),
    ...(canRead('payouts', roles) ? batchQueries(plain) : []),
    ...(canSeeNumbers(roles) ? bankQueries(plain.toUpperCase()) : []),
    ...nameQueries(q, plain, roles),
  ]
}

const clientColumns = sql`'client' as kind, c.id, c.id as client_id, c.number::text as number, null::text as detail, null::text as state,
  null::bigint as amount, null::text as currency, null::timestamptz as at`
const accountColumns = sql`'account' as kind, a.client_id as id, a.client_id, a.login as number,
  a.platform || ' ' || a.acc_type || case a.request_type when 'demo' then ' Demo' else '' end as detail,
  a.state, null::bigint as amount, a.currency, null::timestamptz as at`
const bankColumns = sql`'bank' as kind, b.client_id as id, b.client_id, coalesce(b.iban, b.account_number) as number, b.bank_name as detail,
  b.state, null::bigint as amount, b.currency, null::timestamptz as at`

function digitQueries(digits: string): Sql[] {
  const ways = [
    sql`select ${ranks.exact}::int as place, ${accountColumns} from trading_accounts a where a.login = ${digits} and a.state = 'approved'`,
    sql`select ${ranks.exact}::int as place, ${clientColumns} from clients c where c.number = ${digits}::bigint`,
  ]
  if (digits.length < 3) return ways
  // The colon sorts after 9: the range contains all numbers with this prefix, and an index can scan it.
  ways.push(sql`select ${ranks.begins}::int as place, ${accountColumns} from trading_accounts a
    where a.login > ${digits} and a.login < ${`${digits}:`} and a.state = 'approved'`)
  return ways
}

/** Returns the search for a bank account by IBAN, or its first 4 or more characters, or by whole account number. */
function bankQueries(number: string): Sql[] {
  if (/^\d{6,12}$/.test(number))
    return [
      sql`select ${ranks.exact}::int as place, ${bankColumns} from bank_details b where b.account_number = ${number}`,
    ]
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{0,30}$/.test(number)) return []
  return [
    sql`select ${ranks.exact}::int as place, ${bankColumns} from bank_details b where b.iban = ${number}`,
    sql`select ${ranks.begins}::int as place, ${bankColumns} from bank_details b where b.iban > ${number} and b.iban < ${`${number}~`}`,
  ]
}

function referenceQueries(q: string, plain: string, roles: Roles): Sql[] {
  const reference = readReference(q) ?? referenceIn(plain)
  const begins = plain.toUpperCase()
  const tables = recordTables(roles)
  if (reference !== null)
    return tables.map(
      (columns) => sql`select ${ranks.exact}::int as place, ${columns} where r.reference = ${reference}`,
    )
  if (!/^[A-Z]{1,3}-[0-9A-Z]{2,8}$/.test(begins)) return []
  return tables.map(
    (columns) => sql`select ${ranks.begins}::int as place, ${columns}
      where r.reference >= ${begins} and r.reference < ${`${begins}~`}`,
  )
}

/**
 * Returns the search for a payout batch by its number with the letters PB: digits without them are numbers of clients
 * and accounts.
 */
function batchQueries(plain: string): Sql[] {
  const number = /^PB/i.test(plain) ? readBatchNumber(plain) : null
  if (number === null) return []
  return [
    sql`select ${ranks.exact}::int as place, 'payout_batch' as kind, b.id, null::uuid as client_id,
      'PB-' || lpad(b.number::text, 6, '0') as number, null::text as detail, b.state, b.total_minor as amount, b.currency,
      b.created_at as at from payout_batches b where b.number = ${number}`,
  ]
}

/** Returns columns and tables of client requests in the areas that these roles may read. */
function requestTables(roles: Roles): Sql[] {
  const tables = [
    [
      'deposits',
      sql`'deposit' as kind, r.id, r.client_id, r.reference as number, null::text as detail, r.state,
        r.amount_minor as amount, r.currency, r.requested_at as at from deposits r`,
    ],
    [
      'withdrawals',
      sql`'withdrawal' as kind, r.id, r.client_id, r.reference as number, null::text as detail, r.state,
        r.amount_minor as amount, r.currency, r.requested_at as at from withdrawals r`,
    ],
    [
      'transfers',
      sql`'transfer' as kind, r.id, r.client_id, r.reference as number, null::text as detail, r.state,
        r.amount_minor as amount, r.currency, r.requested_at as at from transfers r`,
    ],
  ] as const
  return tables.flatMap(([area, columns]) => (canRead(area, roles) ? [columns] : []))
}

const correctionTable = sql`'correction' as kind, r.id, s.client_id, r.reference as number, null::text as detail, r.state,
  r.amount_minor as amount, r.currency, r.asked_at as at from corrections r join trading_accounts s on s.id = r.account_id`

const enquiryTable = sql`'enquiry' as kind, r.id, r.client_id, r.reference as number, r.name as detail, r.state,
  null::bigint as amount, null::text as currency, r.asked_at as at from enquiries r`

/** Returns all tables of records with a reference. */
function recordTables(roles: Roles): Sql[] {
  return [
    ...requestTables(roles),
    ...(canRead('corrections', roles) ? [correctionTable] : []),
    ...(canRead('enquiries', roles) ? [enquiryTable] : []),
  ]
}

/**
 * Returns the search for clients by name or email address, with their accounts and the newest requests of the first
 * client.
 */
function nameQueries(q: string, plain: string, roles: Roles): Sql[] {
  const ways: Sql[] = []
  if (plain.includes('@'))
    ways.push(
      sql`select ${ranks.exact}::int as place, ${clientColumns} from clients c where c.email = ${plain}::citext`,
    )
  if (!isName(q)) return ways
  ways.push(
    sql`select c.place, ${clientColumns} from named c`,
    sql`select ${ranks.ofNamed}::int as place, ${accountColumns} from trading_accounts a
      where a.client_id in (select id from named) and a.state = 'approved'`,
    ...requestTables(roles).map(
      (columns) => sql`select ${ranks.ofNamed}::int as place, ${columns}
        where r.client_id = (select id from named order by place, id limit 1) order by r.requested_at desc`,
    ),
  )
  return ways
}

const isName = (q: string) => /\p{L}{2}/u.test(q)

interface NamedClient {
  readonly id: ClientId
  readonly number: bigint
  readonly name: string
  readonly surname: string
  readonly country: string
  readonly state: ClientState
  readonly client_status: ClientStatus
  readonly place: number
}

/** Returns clients by name: names that begin with the text, then, if there are few, names that contain it. */
async function clientsByName(connection: Connection, q: string): Promise<NamedClient[]> {
  const begin = await clientsWhere(connection, nameBeginsWith(q), { place: ranks.named, most: readMax })
  if (q.length < 3 || begin.length === readMax) return begin
  // Names that begin with the text also contain it, so twice as many are read.
  const contain = await clientsWhere(connection, hasName(q), { place: ranks.contains, most: 2 * readMax })
  return [...begin, ...contain.filter(({ id }) => !begin.some((one) => one.id === id))].slice(0, readMax)
}

function clientsWhere(connection: Connection, condition: Sql, { place, most }: { place: number; most: number }) {
  return rowsWithFreshPlan<NamedClient>(
    connection,
    sql`select id, number, name, surname, country, state, client_status, ${place}::int as place from clients
      where ${condition} limit ${most}::int`,
  )
}

/** Returns the clients found by name as rows, so that they are not read a second time for the hits. */
function clientRows(clients: readonly NamedClient[]): Sql {
  const rows = JSON.stringify(clients.map(({ number, ...client }) => ({ ...client, number: String(number) })))
  return sql`select id, number, name, surname, country, state, client_status, place from jsonb_to_recordset(${rows}::jsonb) as n (id uuid, number bigint, name text, surname text,
    country text, state text, client_status text, place int)`
}

/** Returns the reference in its shown form, also from a comment of a platform that contains it. */
function referenceIn(plain: string): string | null {
  const text = /^([A-Z]{1,3}-[0-9A-Z]{8})-/i.exec(plain)?.[1] ?? plain
  return readReference(text) ?? (/^[A-Z]{1,3}-[0-9A-Z]{8}$/i.test(text) ? text.toUpperCase() : null)
}

/** Logs which client was opened from the search, and by whom. */
export const lookUpClient: Handler<typeof lookUp> = async (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const client = await row<{ id: ClientId }>(
      tx,
    )`select id from clients where id = ${uuidOrNull(context.params.id)}::uuid`
    if (!client) throw new Problem('not-found')
    await recordClientEvent(tx, context.auditContext, client.id, { action: 'lookUp' })
    return {}
  })
