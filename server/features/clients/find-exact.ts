/** Finds the one record of an exact search: a reference, account, client number, email address or IBAN. */
import type { findExact as endpoint } from '#contract/office/exact-search.ts'
import { canRead, seesNumbers } from '#rules/permissions.ts'
import { readReference } from '#rules/references.ts'
import { join, row, sql, type Sql } from '../../db/sql.ts'
import type { Handler } from '../../http/register-endpoint.ts'
import { requireStaff } from '../../http/request-context.ts'

interface Hit {
  readonly kind: 'deposit' | 'withdrawal' | 'transfer' | 'correction' | 'account' | 'bank' | 'client'
  readonly id: string
}

/**
 * Returns the first hit, exact numbers before all else; null where nothing is exactly what was typed. Each way reads one
 * index, and only a way that these roles may see is taken: no one finds by a number what they may not read.
 */
export const findExact: Handler<typeof endpoint> = async (dependencies, context) => {
  const ways = waysOf(context.query.q, requireStaff(context).roles)
  if (ways.length === 0) return { hit: null }
  const all = join(
    ways.map((way, place) => sql`select ${place}::int as place, found.* from (${way} limit 1) found`),
    ' union all ',
  )
  const hit = await row<Hit>(dependencies.pool)`select kind, id from (${all}) hits order by place limit 1`
  return { hit: hit && { kind: hit.kind, id: hit.id } }
}

type Roles = Parameters<typeof seesNumbers>[0]

function waysOf(q: string, roles: Roles): Sql[] {
  const plain = q.replace(/\s/g, '')
  const ways: Sql[] = []
  if (/^\d{1,18}$/.test(plain))
    ways.push(
      sql`select 'account' as kind, client_id as id from trading_accounts where login = ${plain} and state = 'approved'`,
      sql`select 'client' as kind, id from clients where number = ${plain}::bigint`,
    )
  const reference = readReference(q) ?? referenceIn(plain)
  if (reference !== null) ways.push(...referenceWays(reference, roles))
  if (plain.includes('@')) ways.push(sql`select 'client' as kind, id from clients where email = ${plain}::citext`)
  if (/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/i.test(plain) && seesNumbers(roles))
    ways.push(sql`select 'bank' as kind, client_id as id from bank_details where iban = ${plain.toUpperCase()}`)
  return ways
}

function referenceWays(reference: string, roles: Roles): Sql[] {
  const tables = [
    ['deposits', sql`select 'deposit' as kind, id from deposits where reference = ${reference}`],
    ['withdrawals', sql`select 'withdrawal' as kind, id from withdrawals where reference = ${reference}`],
    ['transfers', sql`select 'transfer' as kind, id from transfers where reference = ${reference}`],
    ['corrections', sql`select 'correction' as kind, id from corrections where reference = ${reference}`],
  ] as const
  return tables.flatMap(([area, way]) => (canRead(area, roles) ? [way] : []))
}

/** Returns the shown reference, also of a comment that is at a platform behind it. */
function referenceIn(plain: string): string | null {
  const shown = /^([A-Z]{1,3}-[0-9A-Z]{8})-/i.exec(plain)?.[1] ?? plain
  return readReference(shown) ?? (/^[A-Z]{1,3}-[0-9A-Z]{8}$/i.test(shown) ? shown.toUpperCase() : null)
}
