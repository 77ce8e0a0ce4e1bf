/** Posts through `post()`, in a separate transaction, compared with the bare SQL function. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { transaction } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { bareRunnerName, bareRate } from './bare-sql.ts'
import type { BenchContext } from './context.ts'
import { measureRate, measureAlternately } from './rate.ts'
import { resultWithShare, type Result } from './results.ts'

const connections = 16
const leastShare = 0.7

/** Returns trading account `number` of the benchmark. */
const accountIdOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Returns rates with 16 connections, each posting between two accounts of its own, and all between the same two. */
export async function benchLedger({ superuser, serverUrl }: BenchContext, seconds: number): Promise<Result[]> {
  await makeAccounts(superuser, 2 * connections)
  const pool = new pg.Pool({ connectionString: serverUrl, max: connections })
  const results: Result[] = []
  for (const { what, step } of [
    { what: 'postings on separate accounts', step: 2 },
    { what: 'postings on one account', step: 0 },
  ]) {
    const { product, baseline } = await measureAlternately(
      seconds,
      (slice) =>
        measureRate(slice, connections, (worker) =>
          transaction(pool, (tx) =>
            post(tx, new Date(), { ref: randomUUID(), kind: 'bench' }, [
              { account: { kind: 'client', currency: 'EUR', tradingAccount: accountIdOf(step * worker) }, minor: 100n },
              {
                account: { kind: 'client', currency: 'EUR', tradingAccount: accountIdOf(step * worker + 1) },
                minor: -100n,
              },
            ]),
          ),
        ),
      (slice) => bareRate(serverUrl, [postStatement(step)], connections, slice),
    )
    results.push(resultWithShare(what, product, baseline, leastShare, bareRunnerName()))
  }
  await pool.end()
  return results
}

function postStatement(step: number): string {
  const named = (plus: number) =>
    `('00000000-0000-7000-8000-' || lpad((:client_id::int * ${step} + ${plus})::text, 12, '0'))::uuid`
  return `select post_named_entry(gen_random_uuid()::text, 'bench', null, null, now(), array['client', 'client'],
    array['EUR', 'EUR'], array[${named(0)}, ${named(1)}], array['', ''], array[100, -100]::bigint[])`
}

async function makeAccounts(superuser: pg.Client, count: number): Promise<void> {
  const made = await superuser.query<{ id: string }>(
    `insert into clients (email, state, title, name, surname, country, password_changed_at, created_at)
     values ('ledger@example.com', 'approved', 'Mr.', 'Ledger', 'Bench', 'DE', now(), now()) returning id`,
  )
  await superuser.query({
    text: `insert into trading_accounts (id, client_id, request_type, platform, acc_type, currency, leverage, state, login,
             requested_at)
           select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'live', 'MT5', 'Standard', 'EUR', 30,
             'approved', (8000000 + n)::text, now() from generate_series(0, $2::int - 1) n`,
    values: [made.rows[0]?.id, count],
  })
}
