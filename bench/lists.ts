/** A signed-in list of 20 rows compared with its bare SQL, and the same list read at depth. */
import type pg from 'pg'
import { getTransferHistory, historyCountMax } from '#contract/history.ts'
import { bareRunnerName, bareRate, inlineValues } from './bare-sql.ts'
import { buffersOf, dropIndexes, type BenchContext } from './context.ts'
import { httpLoad, rawRequest } from './http-load.ts'
import { clientToken } from './users.ts'
import { measureAlternately } from './rate.ts'
import { resultWithMaximum, resultWithShare, type Result } from './results.ts'

const connections = 16
const leastShare = 0.33
const statementsMax = 2
const buffersMax = 10
/** The first statement of a request reads the session. */
const sessionStatements = 1
const historyRows = 20
const listPath = `${getTransferHistory.path}?list=deposits&size=${historyRows}`

/**
 * Inserts `rows` deposits: half of them of one client, the others of a thousand. Without key checks, because all keys
 * are valid.
 */
export async function makeHistory(superuser: pg.Client, rows: number): Promise<void> {
  await superuser.query('set session_replication_role = replica')
  const makeIndexes = await dropIndexes(superuser, 'deposits')
  await superuser.query(
    `insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login, requested_at)
     select id, 'live', 'MT5', 'Standard', 'EUR', 30, 'approved', number::text, now() from clients
     where email = any (select 'bench-' || n || '@example.com' from generate_series(1, 1001) n)`,
  )
  await superuser.query({
    text: `insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state,
        requested_at, expires_at, approved_at)
      select a.client_id, a.id, 'wire', 'wire', 'WIRE', 10000 + n % 5000, 'EUR', 'B' || n, 'approved',
        timestamptz '2006-01-01' + n * interval '1 minute', timestamptz '2006-02-01' + n * interval '1 minute',
        timestamptz '2006-01-02' + n * interval '1 minute'
      from generate_series(1, $1::int) n
      join (select id, client_id, row_number() over (order by login::bigint) - 1 as place from trading_accounts
        where login ~ '^[0-9]+$' and id > '01000000-0000-0000-0000-000000000000') a
        on a.place = case when n % 2 = 0 then 0 else 1 + n / 2 % 1000 end`,
    values: [rows],
  })
  await makeIndexes()
  await superuser.query('reset session_replication_role')
  await superuser.query('vacuum analyze deposits')
  await superuser.query('vacuum analyze trading_accounts')
  await superuser.query('checkpoint')
}

export async function benchLists(context: BenchContext, rows: number, seconds: number): Promise<Result[]> {
  const { server, serverUrl, superuser } = context
  const port = Number(new URL(server.url).port)
  const deep = await clientListRequest(context, 1)
  const small = await clientListRequest(context, 2)
  await small.read(listPath)
  const statements = await context.statementsOf(() => small.read(listPath))
  const bareStatements = statements.map(({ text, values }) => inlineValues(text, values))
  const load = { port, requests: [small.raw], connections }
  // The first thousands of requests are slower, until the code is compiled.
  await httpLoad({ ...load, seconds: 2 })
  const { product, baseline } = await measureAlternately(
    seconds,
    async (slice) => (await httpLoad({ ...load, seconds: slice })).perSecond,
    (slice) => bareRate(serverUrl, bareStatements, connections, slice),
  )
  const of = `of ${rows.toLocaleString('en-GB')}`
  const results = [
    resultWithShare(`signed-in list, 20 rows ${of}`, product, baseline, leastShare, bareRunnerName()),
    resultWithMaximum('  its statements', statements.length, statementsMax, 'a request'),
  ]
  const reading = async (path: string) => {
    let buffers = 0
    const seen = await context.statementsOf(() => deep.read(path))
    for (const statement of seen.slice(sessionStatements)) buffers += await buffersOf(superuser, statement)
    return buffers
  }
  const first = await reading(listPath)
  results.push({
    what: 'first page with its count',
    measured: `${first} buffers`,
    goal: `counts to ${historyCountMax}`,
    held: null,
  })
  for (const depth of [20, Math.floor(rows / 4), Math.floor(rows * 0.49)]) {
    const buffers = await reading(`${listPath}&cursor=${await cursorAfterRows(superuser, depth)}`)
    results.push(
      resultWithMaximum(`history page at depth ${depth.toLocaleString('en-GB')}`, buffers, buffersMax, 'buffers'),
    )
  }
  results.push(
    resultWithMaximum(
      'history of a status that no row has',
      await reading(`${listPath}&status=rejected`),
      buffersMax,
      'buffers',
    ),
    // Rows of equal amounts are spread out: each is in a separate buffer.
    resultWithMaximum(
      'history by amount',
      await reading(`${listPath}&sort=depositAmountSent`),
      historyRows + 2 * buffersMax,
      'buffers',
    ),
  )
  return results
}

/** Returns a client's list as a request, with a function that reads it. */
export async function clientListRequest(context: BenchContext, number: number) {
  const client = await context.superuser.query<{ id: string }>({
    text: 'select id from clients where email = $1',
    values: [`bench-${number}@example.com`],
  })
  const token = await clientToken(context, client.rows[0]?.id ?? '')
  return {
    raw: rawRequest('GET', listPath, { authorization: `Bearer ${token}` }),
    async read(path: string): Promise<void> {
      const response = await fetch(context.server.url + path, { headers: { authorization: `Bearer ${token}` } })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      await response.body?.cancel()
    },
  }
}

/**
 * Returns the cursor after this number of rows of the client who has half of all, more than the first page would count.
 */
async function cursorAfterRows(superuser: pg.Client, depth: number): Promise<string> {
  const found = await superuser.query<{ place: string; id: string }>({
    text: `select requested_at::text as place, d.id from deposits d join clients c on c.id = d.client_id
           where c.email = 'bench-1@example.com' order by requested_at desc, d.id desc offset $1 limit 1`,
    values: [depth],
  })
  const { place, id } = found.rows[0] ?? {}
  return Buffer.from(JSON.stringify(['deposits', 'timestamp', 0, place, id, null])).toString('base64url')
}
