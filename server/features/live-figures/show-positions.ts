/** Open positions and pending orders: one reading of the platform for all viewers of an account. */
import * as z from 'zod/mini'
import { openTrades, type OpenTrades } from '#contract/open-trades.ts'
import type { getOpenPositions as endpoint } from '#contract/trading-history.ts'
import type { PlatformOpenTrades } from '../../integrations/trading-platform/trade-history.ts'
import type { ServerZone } from '../../integrations/trading-platform/server-clock.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import { fastEncode } from '../../http/fast-encoder.ts'
import type { Handler } from '../../http/handler.ts'
import { lastReadClock } from '../../jobs/platform-days.ts'
import { historyOf, accountForCaller } from '../trading-history/queries.ts'
import { storeTrades, storedTrades, watchAccounts } from './queries.ts'
import { oldMs, watchedMs } from './times.ts'

/** Returns a recent reading for another viewer, or the platform's response; the account is watched from now on. */
export const getOpenPositions: Handler<typeof endpoint> = async (dependencies, context) => {
  const { pool, platforms } = dependencies
  const { now } = context
  const { id, platform, login } = await accountForCaller(dependencies, context)
  const { state } = await historyOf(dependencies, platform, id)
  const { history } = platforms[platform]
  const nothing = { history: state, readAt: null, positions: [], orders: [], totals: { swap: 0n, profit: 0n } }
  if (history === null || state === 'in-terminal') return nothing
  const [kept] = await storedTrades(pool, new Map([[id, new Date(now.getTime() - oldMs)]]))
  await watchAccounts(pool, [{ id, platform }], new Date(now.getTime() + watchedMs))
  if (kept) return { history: state, readAt: kept.readAt, ...z.decode(openTrades, JSON.parse(kept.trades) as never) }
  try {
    const zone = (await lastReadClock(dependencies, platform)) ?? (await history.zone())
    const open = (await history.openTrades([login])).get(login)
    if (open === undefined) return nothing
    const trades = openTradesShown(open, zone)
    await storeTrades(pool, [{ id, trades: fastEncode(openTrades, trades) }], now)
    return { history: state, readAt: now, ...trades }
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    dependencies.log.debug({ account: id, problem: String(error) }, 'positions not read')
    return nothing
  }
}

/** Returns the open trades of one account, with UTC times and totals. */
export function openTradesShown({ positions, orders }: PlatformOpenTrades, zone: ServerZone): OpenTrades {
  const toDate = (ms: number) => new Date(zone.toUtc(ms))
  return {
    positions: positions.map(({ login: _login, time, ...position }) => ({ ...position, openedAt: toDate(time) })),
    orders: orders.map(({ login: _login, time, ...order }) => ({ ...order, placedAt: toDate(time) })),
    totals: {
      swap: positions.reduce((sum, { swap }) => sum + swap, 0n),
      profit: positions.reduce((sum, { profit }) => sum + profit, 0n),
    },
  }
}
