/**
 * Converts orders of MetaTrader 4 to the product's deals. An order is opened and closed under one ticket. If a part is
 * closed, the order is closed with those lots and the rest is another order with the same opening time and price;
 * comments name the two ("to #2", "from #1"). All of them are one position here, under the first one's ticket.
 */
import type * as z from 'zod/mini'
import type { PlatformDeal } from '../trade-history.ts'
import type { openTradesAnswer, tradesAnswer } from './answers.ts'

export type WireTrade = z.infer<typeof tradesAnswer>['trades'][number]
export type WirePosition = z.infer<typeof openTradesAnswer>['positions'][number]
export type WireOrder = z.infer<typeof openTradesAnswer>['orders'][number]

/** The action of a cancelled purchase; a cancelled sale has the next number. */
const cancelledFrom = 13

/** Actions, entries and reasons in MetaTrader 5's numbers; -1 if MetaTrader 4 has no such value. */
const actions = { buy: 0, sell: 1, balance: 2, credit: 3 } as const
const [opens, closes] = [0, 1]
const reasons = { unknown: -1, stopLoss: 3, takeProfit: 4, stopOut: 5 } as const

/** Returns whether an order may be the rest of another one, or have one. A stop-out overwrites the comment. */
export function mayBeRest(comment: string): boolean {
  return /\b(?:from|to) #\d/.test(comment) || isStopOut(comment)
}

function isStopOut(comment: string): boolean {
  return comment.startsWith('so:')
}

/**
 * Returns a function that returns the original order's ticket of a ticket. A comment counts only between orders that
 * were opened as one, because clients may write their own comments.
 */
export function originsOf(trades: readonly WireTrade[]): (ticket: string) => string {
  const byTicket = new Map(trades.map((trade) => [trade.ticket, trade]))
  const parents = new Map<string, string>()
  const link = (parent: string | undefined, child: string | undefined) => {
    const [one, other] = [byTicket.get(parent ?? ''), byTicket.get(child ?? '')]
    if (one !== undefined && other !== undefined && areOfOne(one, other)) parents.set(other.ticket, one.ticket)
  }
  for (const { ticket, comment } of trades) {
    link(ticket, /\bto #(\d+)/.exec(comment)?.[1])
    link(/\bfrom #(\d+)/.exec(comment)?.[1], ticket)
  }
  return (ticket) => {
    let origin = ticket
    for (let parent = parents.get(origin); parent !== undefined; parent = parents.get(origin)) origin = parent
    return origin
  }
}

/** A rest has a later ticket, so that cyclic comments are never followed. */
function areOfOne(order: WireTrade, rest: WireTrade): boolean {
  const same = ['login', 'symbol', 'kind', 'openedAt', 'openPrice'] as const
  return BigInt(order.ticket) < BigInt(rest.ticket) && same.every((name) => order[name] === rest[name])
}

/** Returns the deals of an order. Those of a deleted order are cancelled deals without amounts. */
export function dealsOf(trade: WireTrade, position: string): PlatformDeal[] {
  const deals = dealsMade(trade, position)
  if (!trade.deleted) return deals
  return deals.map((deal) => {
    const action = cancelledFrom + (deal.action === actions.sell ? 1 : 0)
    return { ...deal, action, profit: 0n, swap: 0n, commission: 0n, fee: 0n }
  })
}

/**
 * Returns the deals of an order: its opening, under the negative ticket, and its closing. Until then its costs are only
 * owed.
 */
function dealsMade(trade: WireTrade, position: string): PlatformDeal[] {
  const { ticket, login, kind, symbol, openPrice, comment } = trade
  const action = actions[kind]
  if (action > 1) return [{ ...nothing, ticket, login, action, comment, ...bookedBy(trade) }]
  const volume = hundredMillionths(trade.lots)
  const levels = { stopLoss: trade.stopLoss, takeProfit: trade.takeProfit }
  const common = { ...nothing, login, symbol, position, order: ticket, volume, comment, ...levels }
  const opening = { ticket: `-${ticket}`, action, entry: opens, price: openPrice, time: Date.parse(trade.openedAt) }
  // The levels of the opening are the current ones: they would be another version with every change.
  const opened = { ...common, ...opening, stopLoss: null, takeProfit: null }
  if (trade.closedAt === null || trade.closePrice === null) return [opened]
  const closing = {
    ...common,
    ticket,
    action: 1 - action,
    entry: closes,
    reason: reasonOf(comment),
    closedVolume: volume,
    price: trade.closePrice,
    pricePosition: openPrice,
    profit: minorIn(trade.profit),
    swap: minorIn(trade.swap),
    commission: minorIn(trade.commission),
    fee: minorIn(trade.taxes),
    time: Date.parse(trade.closedAt),
  }
  return [opened, closing]
}

const nothing: Omit<PlatformDeal, 'ticket' | 'login' | 'action' | 'comment' | 'time'> = {
  order: '0',
  position: '0',
  symbol: '',
  entry: 0,
  reason: 0,
  volume: 0n,
  closedVolume: 0n,
  price: '0',
  pricePosition: '0',
  stopLoss: null,
  takeProfit: null,
  profit: 0n,
  swap: 0n,
  commission: 0n,
  fee: 0n,
}

function bookedBy({ profit, openedAt }: WireTrade) {
  return { profit: minorIn(profit), time: Date.parse(openedAt) }
}

/** Returns the reason of a closing. The platform states it only in the comment, and only for a level or the margin. */
function reasonOf(comment: string): number {
  if (isStopOut(comment)) return reasons.stopOut
  if (comment.includes('[sl]')) return reasons.stopLoss
  return comment.includes('[tp]') ? reasons.takeProfit : reasons.unknown
}

/** Returns the minor units of an amount with two decimals. */
export function minorIn(text: string): bigint {
  return BigInt(text.replace('.', ''))
}

/** Returns a volume in hundred-millionths of a lot. */
export function hundredMillionths(lots: string): bigint {
  const [whole = '', places = ''] = lots.split('.')
  return BigInt(whole + places.padEnd(8, '0'))
}
