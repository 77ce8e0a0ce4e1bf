/** Counts the records beyond the hits of the search where counting reads few rows (requirements 24.6). */
import { countedMax, type HitKind, hitsMax, type MoreHits } from '#contract/office/search.ts'
import type { ClientId } from '#rules/ids.ts'
import { rowsWithFreshPlan, sql, type Connection, type Sql } from '../../db/sql.ts'
import { hasName, nameBeginsWith } from '../../office/lists.ts'

interface HitCount {
  /** Number of records read of the kind: more than are sent if there are more. */
  readonly count: number
  /** They were found by their client's name. */
  readonly byName: boolean
}

/** The numbers of records that the lookups of a search have read. */
export interface HitCounts {
  readonly read: ReadonlyMap<HitKind, HitCount>
  /** The clients found: at most one more than is sent. */
  readonly named: readonly ClientId[]
}

/** The tables of records that the search finds by a client's name, with the states in which it finds them. */
const recordsByClient: Readonly<Partial<Record<HitKind, Sql>>> = {
  account: sql`trading_accounts where state = 'approved' and`,
  deposit: sql`deposits where`,
  withdrawal: sql`withdrawals where`,
  transfer: sql`transfers where`,
}

/** The records that the search and the list find by the beginning of a number, with its column. */
const recordsByNumber: Readonly<Partial<Record<HitKind, readonly [records: Sql, column: Sql]>>> = {
  account: [sql`trading_accounts where state = 'approved' and`, sql`login`],
  bank: [sql`bank_details where`, sql`iban`],
  deposit: [sql`deposits where`, sql`reference`],
  withdrawal: [sql`withdrawals where`, sql`reference`],
  transfer: [sql`transfers where`, sql`reference`],
  correction: [sql`corrections where`, sql`reference`],
  enquiry: [sql`enquiries where`, sql`reference`],
}

/** Returns the kinds of which the list finds more records than are sent. */
export async function kindsWithMoreHits(
  connection: Connection,
  q: string,
  { read, named }: HitCounts,
): Promise<MoreHits[]> {
  // The search reads the requests of the first client only, and the accounts of no more clients than are sent.
  const isKnown = (kind: HitKind, byName: boolean) =>
    !byName || kind === 'client' || named.length <= (kind === 'account' ? hitsMax : 1)
  const of = async ([kind, { count, byName }]: readonly [HitKind, HitCount]): Promise<MoreHits[]> => {
    if (count <= hitsMax && isKnown(kind, byName)) return []
    const total = byName
      ? await countByClientName(connection, q, kind, named)
      : await countByNumberStart(connection, q, kind)
    return total !== null && total <= Math.min(count, hitsMax) ? [] : [{ kind, total }]
  }
  return (await Promise.all([...read].map(of))).flat()
}

async function countByClientName(connection: Connection, q: string, kind: HitKind, named: readonly ClientId[]) {
  // No index finds two letters inside a name: like the search, this counts names that begin with them.
  const isPart = q.length > 2
  if (kind === 'client')
    return exactTotal(
      isPart,
      await countUpToLimit(connection, sql`clients where ${isPart ? hasName(q) : nameBeginsWith(q)}`),
    )
  const table = recordsByClient[kind]
  // Not all of these clients were read, so their records cannot be counted.
  if (!table || named.length > hitsMax) return null
  const total = await countUpToLimit(connection, sql`${table} client_id = any (${[...named]}::uuid[])`)
  return exactTotal(isPart, total)
}

async function countByNumberStart(connection: Connection, q: string, kind: HitKind) {
  const plain = q.replace(/\s/g, '').toUpperCase()
  const [records, column] = recordsByNumber[kind] ?? []
  if (!records || !column) return null
  const total = await countUpToLimit(connection, sql`${records} ${column} >= ${plain} and ${column} < ${`${plain}~`}`)
  // The lists also find digits in email addresses.
  return exactTotal(!/^\d+$/.test(plain), total)
}

/** Returns null for a total up to the limit if the list may find other records than those counted. */
const exactTotal = (isSame: boolean, total: number) => (isSame || total > countedMax ? total : null)

async function countUpToLimit(connection: Connection, records: Sql): Promise<number> {
  const [found] = await rowsWithFreshPlan<{ count: number }>(
    connection,
    sql`select count(*)::int as count from (select 1 from ${records} limit ${countedMax + 1}::int) n`,
  )
  return found?.count ?? 0
}
