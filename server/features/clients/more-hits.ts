/** How many records there are beyond the hits of the search, as far as counting them reads few rows (requirements 24.6). */
import { countedMax, type HitKind, hitsMax, type MoreHits } from '#contract/office/search.ts'
import type { ClientId } from '#rules/ids.ts'
import { rowsWithFreshPlan, sql, type Connection, type Sql } from '../../db/sql.ts'
import { hasName, nameBeginsWith } from '../../office/lists.ts'

interface Read {
  /** Records of the kind, at least one more than is sent if there are more. */
  readonly count: number
  /** Their client's name led to them. */
  readonly byName: boolean
}

/** What the lookups of a search say about numbers of records. */
export interface Counted {
  readonly read: ReadonlyMap<HitKind, Read>
  /** The clients found, at most one more than are sent. */
  readonly named: readonly ClientId[]
}

/** The tables of records that a client's name leads to, and the states in which the search finds them. */
const ofClients: Readonly<Partial<Record<HitKind, Sql>>> = {
  account: sql`trading_accounts where state = 'approved' and`,
  deposit: sql`deposits where`,
  withdrawal: sql`withdrawals where`,
  transfer: sql`transfers where`,
}

/** The records whose number the search and the list compare from its beginning, and its column. */
const numbered: Readonly<Partial<Record<HitKind, readonly [records: Sql, column: Sql]>>> = {
  account: [sql`trading_accounts where state = 'approved' and`, sql`login`],
  bank: [sql`bank_details where`, sql`iban`],
  deposit: [sql`deposits where`, sql`reference`],
  withdrawal: [sql`withdrawals where`, sql`reference`],
  transfer: [sql`transfers where`, sql`reference`],
  correction: [sql`corrections where`, sql`reference`],
  enquiry: [sql`enquiries where`, sql`reference`],
}

/** Returns the kinds of which their list finds more than are sent. */
export async function moreOf(connection: Connection, q: string, { read, named }: Counted): Promise<MoreHits[]> {
  // Of several clients the first one's requests are read, and of more clients than are sent no records are known.
  const isKnown = (kind: HitKind, byName: boolean) =>
    !byName || kind === 'client' || named.length <= (kind === 'account' ? hitsMax : 1)
  const of = async ([kind, { count, byName }]: readonly [HitKind, Read]): Promise<MoreHits[]> => {
    if (count <= hitsMax && isKnown(kind, byName)) return []
    const total = byName ? await ofName(connection, q, kind, named) : await beginning(connection, q, kind)
    return total !== null && total <= Math.min(count, hitsMax) ? [] : [{ kind, total }]
  }
  return (await Promise.all([...read].map(of))).flat()
}

async function ofName(connection: Connection, q: string, kind: HitKind, named: readonly ClientId[]) {
  // No index finds two letters inside a name: as the search itself, this reads names that begin with them.
  const isPart = q.length > 2
  if (kind === 'client')
    return exactIf(isPart, await counting(connection, sql`clients where ${isPart ? hasName(q) : nameBeginsWith(q)}`))
  const table = ofClients[kind]
  // The records of clients who were not read are not known.
  if (!table || named.length > hitsMax) return null
  const total = await counting(connection, sql`${table} client_id = any (${[...named]}::uuid[])`)
  return exactIf(isPart, total)
}

async function beginning(connection: Connection, q: string, kind: HitKind) {
  const plain = q.replace(/\s/g, '').toUpperCase()
  const [records, column] = numbered[kind] ?? []
  if (!records || !column) return null
  const total = await counting(connection, sql`${records} ${column} >= ${plain} and ${column} < ${`${plain}~`}`)
  // The lists find digits in email addresses too.
  return exactIf(!/^\d+$/.test(plain), total)
}

/** Above the limit there are more, however the list counts; below it the list may find others than the search. */
const exactIf = (isSame: boolean, total: number) => (isSame || total > countedMax ? total : null)

async function counting(connection: Connection, records: Sql): Promise<number> {
  const [found] = await rowsWithFreshPlan<{ count: number }>(
    connection,
    sql`select count(*)::int as count from (select 1 from ${records} limit ${countedMax + 1}::int) n`,
  )
  return found?.count ?? 0
}
