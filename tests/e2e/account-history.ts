/**
 * The history of a journey's account: created on the simulated platform, and read from there like the server's
 * scheduled task does.
 */
import { pino } from 'pino'
import { readConfig } from '#server/config/config.ts'
import { row, run, sql } from '#server/db/sql.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import type { Dependencies } from '#server/dependencies.ts'
import { connectIntegrations } from '#server/integrations/connect.ts'
import { clockLookup } from '#server/jobs/platform-days.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { openSettings } from '#server/settings/settings.ts'
import { mt5SwitchesUrl, serverEnv } from '../product.ts'
import { expect } from './expect.ts'
import type { LiveAccount } from './pending-requests.ts'
import { runningProduct } from './running.ts'

const daySeconds = 86_400
const daysBack = 120
const chargeAction = 4
const stopOut = 5

/** Sets a switch of the simulated platform. */
export async function setPlatformSwitch(name: string, fields: object): Promise<void> {
  const response = await fetch(`${mt5SwitchesUrl()}/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  expect(response.ok).toBe(true)
}

/**
 * Creates four months of equity, 24 trades of which every other one ended by a stop-out, an open position and a pending
 * order.
 */
export async function createHistory(account: LiveAccount): Promise<void> {
  const login = account.number
  const time = Math.floor(Date.now() / 1000) - daysBack * daySeconds
  await setPlatformSwitch('deals/write', { login, action: chargeAction, amount: '1968.35', time })
  for (let trade = 0; trade < 24; trade += 1) {
    const symbol = trade % 2 === 0 ? 'EURUSD' : 'XAUUSD'
    await setPlatformSwitch('market/open', { login, symbol, lots: 0.1, notional: '100.00', profit: '1.37' })
    await setPlatformSwitch('market/close', {
      login,
      storage: '-0.11',
      ...(symbol === 'XAUUSD' && { reason: stopOut }),
    })
  }
  await setPlatformSwitch('market/open', { login, symbol: 'EURUSD', lots: 0.3, notional: '300.00', profit: '24.08' })
  await setPlatformSwitch('market/order', { login, symbol: 'GER40', kind: 'sell-limit', lots: 0.1, price: 23_118 })
  await readHistory(account)
}

/** Reads the account's deals and balances now; the product's own task may be the one that reads the deals. */
export async function readHistory(account: LiveAccount): Promise<void> {
  const { pool } = (await runningProduct()).dependencies
  await run(
    pool,
    sql`insert into account_histories (account_id, unread) values (${account.id}, true)
      on conflict (account_id) do update set unread = true`,
  )
  await run(pool, sql`update deal_cursors set turn_at = to_timestamp(0) where platform = 'MT5'`)
  await withPlatforms(async (platforms) => {
    await readTrades({ jobs: pool, platforms, log, now })
    await expect(async () => {
      const read = await row(pool, sql`select 1 from account_histories where account_id = ${account.id} and not unread`)
      expect(read).not.toBeNull()
    }).toPass({ intervals: [150] })
    await readFigures(account, platforms)
  })
}

/** Stores this number of copies of the deal of an account's deposit, as if there had been further deposits. */
export async function repeatDeposit({ id }: LiveAccount, times: number): Promise<void> {
  const { pool } = (await runningProduct()).dependencies
  await run(
    pool,
    sql`insert into platform_deals select d.platform, d.deal * 1000 + n, 1, d.day, d.account_id, d.platform_ms, d.at, d.action,
        d.entry, d.reason, d.symbol, d.position, d.order_ticket, d.volume, d.closed_volume, d.price, d.price_position,
        d.stop_loss, d.take_profit, d.profit_minor, d.swap_minor, d.commission_minor, d.fee_minor, d.sum_row, d.subject,
        d.record, d.gone, d.fingerprint, d.read_at
      from kept_deals d cross join generate_series(1, ${times}::int) n where d.account_id = ${id} and d.subject = 'deposit'`,
  )
}

/** Disables an account on the platform, as the platform does when it closes one. */
export async function disableAccount(account: LiveAccount): Promise<void> {
  await withPlatforms(async (platforms) => {
    await platforms.MT5.setEnabled(account.number, false)
    await readFigures(account, platforms)
  })
}

async function readFigures({ id, number, currency }: LiveAccount, platforms: Dependencies['platforms']): Promise<void> {
  const { pool, keys } = (await runningProduct()).dependencies
  await fetchSnapshot(pool, { keys, platforms }, { accountId: id, platform: 'MT5', login: number, currency }, now())
}

const log = pino({ level: 'silent' })
const now = () => new Date()

/** Uses the product's platforms, over the journey's own connections. */
async function withPlatforms(use: (platforms: Dependencies['platforms']) => Promise<void>): Promise<void> {
  const { pool } = (await runningProduct()).dependencies
  const clock = clockLookup(pool, openSettings(pool, now))
  const { parts, close } = connectIntegrations(readConfig(serverEnv()), log, now, clock)
  await use(parts.platforms).finally(close)
}
