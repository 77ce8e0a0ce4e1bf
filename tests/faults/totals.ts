/** The data in which two copies of one product must agree: money to the cent, and the end of each request. */
import { rows, sql } from '#server/db/sql.ts'
import type { TestServer } from '../factories.ts'

export type Totals = Readonly<Record<string, bigint>>

/** Returns the ledger's balances of bank, provider, transit and each client's account. */
export async function totalsOf({ dependencies }: TestServer): Promise<Totals> {
  const found = await rows<{ name: string; sum: bigint }>(
    dependencies.pool,
    sql`select concat_ws(' ', l.kind, l.currency, l.name, a.login) as name, sum(l.balance_minor)::bigint as sum
        from ledger_accounts l left join trading_accounts a on a.id = l.trading_account
        group by 1 having sum(l.balance_minor) <> 0 order by 1`,
  )
  return Object.fromEntries(found.map(({ name, sum }) => [name, sum]))
}

/** Returns the end of each request as platforms, provider and bank show it. */
export async function finalStatesOf({ dependencies }: TestServer): Promise<Readonly<Record<string, string>>> {
  const found = await rows<{ reference: string; state: string }>(
    dependencies.pool,
    sql`select reference, state from withdrawals where state in ('approved', 'paid', 'returned')
        union all select reference, state from transfers union all select reference, state from deposits
        union all select reference, state from corrections order by 1`,
  )
  return Object.fromEntries(found.map(({ reference, state }) => [reference, state]))
}
