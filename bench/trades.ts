/** An account's closed trades among those of a thousand, and how fast a long past is imported. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { getTrades } from '#contract/trading-history.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { startSimulator } from '#tests/start-simulator.ts'
import { mt5 } from '#server/integrations/trading-platform/mt5/mt5.ts'
import { buffersOf, dropIndexes, type BenchContext } from './context.ts'
import { clientListRequest } from './lists.ts'
import { withGoalSizeNotes, resultWithMaximum, type Result } from './results.ts'

const pageBuffersMax = 10
const totalsBuffersMax = 50
const backfillSecondsMax = 60
const backfilledDeals = 100_000
const answerMs = 10
/** The account whose pages are read has a tenth of all trades, at most 100,000; its login is the first of these. */
const firstLogin = 9_000_000
const tradesOfOneMax = 100_000
const backfilledLogin = '9999999'
const symbols = ['EURUSD', 'GBPUSD', 'USDJPY', 'XAUUSD', 'AUDUSD', 'USDCHF', 'EURGBP', 'NZDUSD']

/** Inserts this number of trades of a thousand accounts over five years, in the order of their time. */
async function makeTrades(superuser: pg.Client, rows: number): Promise<void> {
  await superuser.query('set session_replication_role = replica')
  await superuser.query({
    text: `insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login, requested_at)
     select id, 'live', 'MT5', 'Standard', 'EUR', 30, 'approved', ($1::int + row_number() over (order by email = 'bench-1@example.com' desc, id) - 1)::text, now()
     from (select id, email from clients where email like 'bench-%' order by email = 'bench-1@example.com' desc limit 1000) c`,
    values: [firstLogin],
  })
  const makeIndexes = await dropIndexes(superuser, 'closed_trades')
  await superuser.query({
    text: `insert into closed_trades (account_id, deal, position, order_ticket, symbol, side, volume, open_price, close_price,
        reason, profit_minor, swap_minor, commission_minor, fee_minor, opened_at, closed_at, platform_ms, day)
      select a.id, n, n, n, ($2::text[])[1 + n % 8], case when n % 3 = 0 then 'sell' else 'buy' end, 10000000, '1.08420', '1.08431',
          0, n % 1000 - 480, -3, -35, 0, at, at, extract(epoch from at)::bigint * 1000, at::date
        from generate_series(1, $1::int) n
          cross join lateral (select timestamptz '2021-01-01Z' + n * (interval '1800 days' / $1::int) as at) t
          join (select id, login::bigint - $3::int as place from trading_accounts where login ~ '^9[0-9]{6}$') a
            on a.place = case when n % $4::int = 0 then 0 else 1 + n % 999 end
        order by n`,
    values: [rows, symbols, firstLogin, Math.max(10, Math.ceil(rows / tradesOfOneMax))],
  })
  await makeIndexes()
  // In the order of their time too, as the server writes them: each check of a row's visibility reads the map's page of
  // that part of the table, and sums in a random order would need another one for nearly every row.
  for (const span of ['day', 'month', 'year'])
    await superuser.query({
      text: `insert into trade_sums select account_id, $1::text, date_trunc($1::text, day)::date, symbol, side, sign(result_minor)::smallint,
          count(*), sum(profit_minor), sum(swap_minor), sum(commission_minor), sum(fee_minor)
        from closed_trades group by 1, 3, 4, 5, 6 order by 3, 1`,
      values: [span],
    })
  await superuser.query('reset session_replication_role')
  for (const table of ['closed_trades', 'trade_sums', 'trading_accounts'])
    await superuser.query(`vacuum analyze ${table}`)
}

export async function benchTrades(context: BenchContext, rows: number): Promise<Result[]> {
  const { superuser } = context
  await makeTrades(superuser, rows)
  const { read } = await clientListRequest(context, 1)
  const path = getTrades.path.replace(':platform', 'MT5').replace(':number', String(firstLogin))
  const buffers = async (query: string, table: string) => {
    const seen = await context.statementsOf(() => read(`${path}?size=20${query}`))
    const statement = seen.find(({ text }) => text.includes(table))
    if (statement === undefined) throw new Error(`no statement reads ${table}`)
    return buffersOf(superuser, statement)
  }
  const [page, sums] = ['from closed_trades', 'from trade_sums t']
  const of = `of ${rows.toLocaleString('en-GB')}`
  const pages = [
    resultWithMaximum(`page of 20 trades ${of}`, await buffers('', page), pageBuffersMax, 'buffers'),
    resultWithMaximum('  of one symbol', await buffers('&symbol=GBPUSD', page), pageBuffersMax, 'buffers'),
    resultWithMaximum('  totals of all', await buffers('', sums), totalsBuffersMax, 'buffers'),
    resultWithMaximum(
      '  totals from the middle of a month',
      await buffers('&from=2021-02-11&to=2025-10-20', sums),
      totalsBuffersMax,
      'buffers',
    ),
  ]
  return [...withGoalSizeNotes(pages, rows, 'rows'), await benchBackfill(context)]
}

/** Imports an account with a long past by the adapter of MetaTrader 5, from a platform that answers in 10 ms. */
async function benchBackfill({ server, superuser }: BenchContext): Promise<Result> {
  // The other accounts are not on this platform: those of a platform that is not connected are not read.
  await superuser.query(`update trading_accounts set platform = 'MT4' where platform = 'MT5'`)
  await superuser.query({
    text: `insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login, requested_at)
      select id, 'live', 'MT5', 'Standard', 'EUR', 30, 'approved', $1, now() from clients where email = 'bench-1@example.com'`,
    values: [backfilledLogin],
  })
  const folder = mkdtempSync(join(tmpdir(), 'bench-trades-'))
  writeFileSync(join(folder, 'state.jsonl'), simulatorState(backfilledDeals))
  const simulator = await startSimulator('mt5', {}, folder)
  const MT5 = mt5({ url: `http://127.0.0.1:${simulator.port}`, login: '1000', password: 'Simulator-1' })
  const { dependencies } = server
  try {
    await simulator.turn('slow', { path: '/api/', ms: answerMs, count: 0 })
    const begun = performance.now()
    await readTrades({ ...dependencies, platforms: { ...dependencies.platforms, MT5 } })
    const seconds = (performance.now() - begun) / 1000
    const found = await superuser.query<{ count: string }>(
      `select count(*) from platform_deals d join trading_accounts a on a.id = d.account_id where a.login = '${backfilledLogin}'`,
    )
    if (Number(found.rows[0]?.count) !== backfilledDeals) throw new Error('not all deals were kept')
    const what = `${backfilledDeals.toLocaleString('en-GB')} deals of one account read`
    return resultWithMaximum(what, Math.round(seconds * 10) / 10, backfillSecondsMax, 's')
  } finally {
    await MT5.close()
    await simulator.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns an account and its deals in the format of the simulator's journal: each second deal closes a position. */
function simulatorState(count: number): string {
  const begin = Date.parse('2021-01-01') / 1000
  const deals = Array.from({ length: count }, (_, index) => {
    const closes = index % 2 === 1
    return {
      ticket: String(500_000_000 + index),
      login: backfilledLogin,
      action: closes ? 1 : 0,
      amount: closes ? (index % 999) - 480 : 0,
      comment: '',
      time: begin + index * 1_500,
      symbol: symbols[Math.floor(index / 2) % symbols.length] ?? '',
      position: String(500_000_000 + index - (closes ? 1 : 0)),
      entry: closes ? 1 : 0,
      lots: 0.1,
      ...(closes && { closedLots: 0.1, pricePosition: 1.084 }),
      price: 1.0842,
      commission: -35,
      reason: 0,
    }
  })
  const account = {
    login: backfilledLogin,
    group: 'real\\standard-EUR',
    name: 'Client 1',
    email: 'bench-1@example.com',
    country: 'Germany',
    leverage: 30,
    // Enabled, with daily reports.
    rights: 483,
    comment: '',
    id: '',
    balance: deals.reduce((sum, { amount, commission }) => sum + amount + commission, 0),
    credit: 0,
    registeredAt: begin,
    passwords: {},
  }
  const lines = deals.map((deal) => JSON.stringify({ deals: { [deal.ticket]: deal } }))
  return `${[JSON.stringify({ accounts: { [backfilledLogin]: account } }), ...lines].join('\n')}\n`
}
