/** Stored statements of an account. */
import type { Pool } from 'pg'
import { run, sql } from '#server/db/sql.ts'

const monthEnd = (balance: string) => ({ balance, credit: '0', floating: '0' })
const statementFacts = (from: string, to: string, amount: string) => ({
  opening: monthEnd(from),
  closing: monthEnd(to),
  rows: { deposits: amount },
  trades: [],
  movements: [{ ticket: '7001', ms: '1777600000000', row: 'deposits', reference: 'D 11AA 22BB', amount }],
  positions: [],
  positionsMs: null,
  offsetMinutes: 180,
})

/**
 * Stores April in two editions, May as being checked, and June as not due yet. The API's own tests cover their
 * rendering.
 */
export async function storeStatements(pool: Pool, number: string): Promise<void> {
  const [past, later] = [sql`now() - interval '1 day'`, sql`now() + interval '1 day'`]
  await run(
    pool,
    sql`insert into month_ends (account_id, month, noted_at, due_at, look_at, edition, problem, tries)
      select a.id, m.month::date, ${past}, m.due, m.look, m.edition, m.problem, 0 from trading_accounts a,
        (values ('2026-04-01', ${past}, null::timestamptz, 2, null),
          ('2026-05-01', ${past}, ${later}, 0, 'not-agreed'), ('2026-06-01', ${later}, ${later}, 0, null))
          m (month, due, look, edition, problem)
      where a.login = ${number}`,
  )
  for (const [edition, amount] of [
    [1, '25000'],
    [2, '30000'],
  ] as const)
    await run(
      pool,
      sql`insert into account_statements (account_id, month, edition, drawn_at, facts, fingerprint, file)
        select a.id, '2026-04-01', ${edition}, ${past}, ${JSON.stringify(statementFacts('0', amount, amount))}::text::jsonb,
          ${String(edition)}, null from trading_accounts a where a.login = ${number}`,
    )
}
