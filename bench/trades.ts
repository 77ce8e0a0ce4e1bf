/** An account's closed trades among those of a thousand, and how fast a long past is imported. */
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { getTrades } from '#contract/trading-history.ts'
import type { PlatformDeal, TradeHistory } from '#server/integrations/trading-platform/trade-history.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { buffersOf, withoutIndexes, type BenchContext } from './context.ts'
import { requestsOf } from './lists.ts'
import { atMost, type Result } from './results.ts'

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
  const makeIndexes = await withoutIndexes(superuser, 'closed_trades')
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
  const { read } = await requestsOf(context, 1)
  const path = getTrades.path.replace(':platform', 'MT5').replace(':number', String(firstLogin))
  const buffers = async (query: string, table: string) => {
    const seen = await context.statementsOf(() => read(`${path}?size=20${query}`))
    const statement = seen.find(({ text }) => text.includes(table))
    if (statement === undefined) throw new Error(`no statement reads ${table}`)
    return buffersOf(superuser, statement)
  }
  const [page, sums] = ['from closed_trades', 'from trade_sums t']
  const of = `of ${rows.toLocaleString('en-GB')}`
  return [
    atMost(`page of 20 trades ${of}`, await buffers('', page), pageBuffersMax, 'buffers'),
    atMost('  of one symbol', await buffers('&symbol=GBPUSD', page), pageBuffersMax, 'buffers'),
    atMost('  totals of all', await buffers('', sums), totalsBuffersMax, 'buffers'),
    atMost(
      '  totals from the middle of a month',
      await buffers('&from=2021-02-11&to=2025-10-20', sums),
      totalsBuffersMax,
      'buffers',
    ),
    await benchBackfill(context),
  ]
}

/** Imports an account with a long past, from a platform that answers in 10 ms. */
async function benchBackfill({ server, superuser }: BenchContext): Promise<Result> {
  await superuser.query({
    text: `insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, login, requested_at)
      select id, 'live', 'MT4', 'Standard', 'EUR', 30, 'approved', $1, now() from clients where email = 'bench-1@example.com'`,
    values: [backfilledLogin],
  })
  const { MT4 } = server.dependencies.platforms
  const history = platformOf(backfilledDeals)
  const platforms = { MT5: MT4, MT4: { ...MT4, history, bulk: { ...MT4, history } } }
  const begun = performance.now()
  await readTrades({ ...server.dependencies, platforms })
  const seconds = (performance.now() - begun) / 1000
  const found = await superuser.query<{ count: string }>(
    `select count(*) from platform_deals d join trading_accounts a on a.id = d.account_id where a.login = '${backfilledLogin}'`,
  )
  if (Number(found.rows[0]?.count) !== backfilledDeals) throw new Error('not all deals were kept')
  const what = `${backfilledDeals.toLocaleString('en-GB')} deals of one account read`
  return atMost(what, Math.round(seconds * 10) / 10, backfillSecondsMax, 's')
}

function platformOf(count: number): TradeHistory {
  const begin = Date.parse('2021-01-01')
  const deals = Array.from({ length: count }, (_, index): PlatformDeal => {
    const closes = index % 2 === 1
    return {
      ticket: String(500_000_000 + index),
      login: backfilledLogin,
      order: String(index),
      position: String(500_000_000 + index - (closes ? 1 : 0)),
      symbol: symbols[Math.floor(index / 2) % symbols.length] ?? '',
      action: closes ? 1 : 0,
      entry: closes ? 1 : 0,
      reason: 0,
      volume: 10_000_000n,
      closedVolume: closes ? 10_000_000n : 0n,
      price: '1.08420',
      pricePosition: '1.08400',
      stopLoss: null,
      takeProfit: null,
      profit: closes ? BigInt((index % 999) - 480) : 0n,
      swap: 0n,
      commission: -35n,
      fee: 0n,
      comment: '',
      time: begin + index * 1_500_000,
    }
  })
  const after = async <Answer>(answer: Answer): Promise<Answer> => {
    await wait(answerMs)
    return answer
  }
  return {
    isTold: () => after(true),
    zone: () => after({ ours: (ms: number) => ms, theirs: (ms: number) => ms }),
    deals: (whose) => after('logins' in whose ? deals : []),
    positions: () => after({ positions: [], orders: [] }),
    dayEnds: () => after([]),
    groupsOf: () => after(new Map()),
    floating: () => after(new Map()),
    sums: () => after({ balance: 0n, credit: 0n }),
  }
}
