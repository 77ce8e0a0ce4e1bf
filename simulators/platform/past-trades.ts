/**
 * Several months of trades for an account without any: the same seed gives the same trades, and their total is zero.
 */
import { prices, unitsPerLot } from './market.ts'
import { seeded } from './seeded.ts'
import type { Account, DealFacts, Night, Position, Store } from './store.ts'

const daySeconds = 86_400
const hourSeconds = 3600
const commissionPerLot = 350
const symbols = Object.keys(prices)

interface PastTrade {
  readonly position: Position
  readonly closedAt: number
  readonly closePrice: number
  profit: number
  readonly storage: number
  readonly commission: number
  readonly reason: number
}

/**
 * Writes the deals of trades between two times of the server's clock, from the first deal; returns how many. The
 * balance is unchanged.
 */
export function playHistory(
  book: Store,
  account: Account,
  { from, to, seed }: { from: number; to: number; seed: number },
): number {
  const funded = book.deals(account.login).reduce((least, { time }) => Math.min(least, time), to)
  const trades = distributeTotal(tradesBetween(book, account, { from: Math.max(from, funded), to }, seeded(seed)))
  const deals: (DealFacts & { time: number })[] = trades.flatMap((trade) => [openingOf(trade), closingOf(trade)])
  for (const deal of deals.toSorted((one, other) => one.time - other.time)) book.deal(account, deal)
  const nights = nightsOf(book, trades)
  if (Object.keys(nights).length > 0) book.state.commit({ nights })
  return deals.length
}

function tradesBetween(
  book: Store,
  account: Account,
  { from, to }: { from: number; to: number },
  random: () => number,
): PastTrade[] {
  const trades: PastTrade[] = []
  for (let day = Math.ceil(from / daySeconds) * daySeconds; day + daySeconds <= to; day += daySeconds) {
    const weekday = new Date(day * 1000).getUTCDay()
    if (weekday === 0 || weekday === 6) continue
    const count = Math.floor(random() * 4)
    for (let number = 0; number < count; number += 1) {
      const opened = day + Math.floor((7 + random() * 9) * hourSeconds)
      const held = Math.floor((random() < 0.25 ? 20 : 1 + random() * 4) * hourSeconds)
      // No position is held over a weekend, and trades that would close after the end are left out.
      const closedAt = weekday === 5 ? Math.min(opened + held, day + 21 * hourSeconds) : opened + held
      if (closedAt <= to) trades.push(tradeOf(book, account, { opened, closedAt }, random))
    }
  }
  return trades
}

function tradeOf(
  book: Store,
  account: Account,
  { opened, closedAt }: { opened: number; closedAt: number },
  random: () => number,
): PastTrade {
  const symbol = symbols[Math.floor(random() * symbols.length)] ?? 'EURUSD'
  const price = (prices[symbol] ?? 1) * (1 + (random() - 0.5) / 40)
  const lots = (1 + Math.floor(random() * 9)) / 10
  const side = random() < 0.5 ? ('buy' as const) : ('sell' as const)
  const notional = Math.round(lots * unitsPerLot * 100)
  const profit = Math.round((random() - 0.5) * Math.min(account.balance / 40, notional / 60))
  const sign = side === 'buy' ? 1 : -1
  const stop = (share: number) => Math.round(price * (1 + sign * share) * 100_000) / 100_000
  const position: Position = {
    position: book.nextTicket(),
    login: account.login,
    symbol,
    side,
    lots,
    price,
    notional,
    profit: Math.round(profit / 2),
    time: opened,
    ...(random() < 0.6 && { stopLoss: stop(-0.012), takeProfit: stop(0.018) }),
  }
  const isHeld = Math.floor(opened / daySeconds) !== Math.floor(closedAt / daySeconds)
  return {
    position,
    closedAt,
    closePrice: price * (1 + (sign * profit) / notional),
    profit,
    storage: isHeld ? -Math.round(lots * 210) : 0,
    commission: -Math.round(lots * commissionPerLot),
    reason:
      position.stopLoss === undefined || random() < 0.5
        ? ([0, 16, 17][Math.floor(random() * 3)] ?? 0)
        : profit > 0
          ? 4
          : 3,
  }
}

/** Distributes the total of all trades among them, so that it becomes zero. */
function distributeTotal(trades: readonly PastTrade[]): readonly PastTrade[] {
  let left = trades.reduce((sum, { profit, storage, commission }) => sum + profit + storage + 2 * commission, 0)
  for (const [index, trade] of trades.entries()) {
    const share = Math.trunc(left / (trades.length - index))
    trade.profit -= share
    left -= share
  }
  return trades
}

function factsOf({ position, commission }: PastTrade) {
  const { symbol, lots, stopLoss, takeProfit } = position
  const stops = { ...(stopLoss !== undefined && { stopLoss }), ...(takeProfit !== undefined && { takeProfit }) }
  return { symbol, position: position.position, lots, comment: '', commission, ...stops }
}

function openingOf(trade: PastTrade) {
  const { side, price, time } = trade.position
  return { ...factsOf(trade), action: side === 'buy' ? 0 : 1, entry: 0 as const, amount: 0, price, time }
}

function closingOf(trade: PastTrade) {
  const { position, profit, storage, closePrice, closedAt, reason } = trade
  return {
    ...factsOf(trade),
    action: position.side === 'buy' ? 1 : 0,
    entry: 1 as const,
    amount: profit,
    storage,
    closedLots: position.lots,
    price: closePrice,
    pricePosition: position.price,
    time: closedAt,
    reason,
  }
}

/** Returns the positions open over each midnight, in addition to others. */
function nightsOf(book: Store, trades: readonly PastTrade[]): Record<string, Night> {
  const nights: Record<string, Night> = {}
  for (const { position, closedAt } of trades) {
    const { login } = position
    for (let time = (Math.floor(position.time / daySeconds) + 1) * daySeconds; time <= closedAt; time += daySeconds) {
      const key = `${login}:${time}`
      const before = nights[key] ?? book.state.rows('nights').get(key)
      nights[key] = { login, time, positions: [...(before?.positions ?? []), position] }
    }
  }
  return nights
}
