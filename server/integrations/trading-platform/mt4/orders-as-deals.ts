/**
 * Orders of MetaTrader 4 as the deals that the product keeps. An order is opened and closed under one ticket. Where a
 * part is closed, the order is closed with those lots and the rest is another order, opened when and where the first one
 * was; comments name the two ("to #2", "from #1"). All of them are one position here, under the first one's ticket.
 */
import type * as z from 'zod/mini'
import type { PlatformDeal } from '../trade-history.ts'
import type { openTradesAnswer, tradesAnswer } from './answers.ts'

export type WireTrade = z.infer<typeof tradesAnswer>['trades'][number]
export type WirePosition = z.infer<typeof openTradesAnswer>['positions'][number]
export type WireOrder = z.infer<typeof openTradesAnswer>['orders'][number]

/** The action of a cancelled purchase; that of a cancelled sale is the next one. */
const cancelledFrom = 13

/** Actions, entries and reasons as MetaTrader 5 numbers them; -1 for what MetaTrader 4 does not say. */
const actions = { buy: 0, sell: 1, balance: 2, credit: 3 } as const
const [opens, closes] = [0, 1]
const reasons = { unknown: -1, stopLoss: 3, takeProfit: 4, stopOut: 5 } as const

/** Whether an order may be the rest of another one, or have one. A stop-out writes over the comment. */
export function mayBeRest(comment: string): boolean {
  return /\b(?:from|to) #\d/.test(comment) || isStopOut(comment)
}

function isStopOut(comment: string): boolean {
  return comment.startsWith('so:')
}

/**
 * Returns the ticket of the order that a ticket began as. A comment counts only between orders that were opened as one,
 * for clients may write comments of their own.
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

/** A rest has a later ticket, so that no circle of comments is followed. */
function areOfOne(order: WireTrade, rest: WireTrade): boolean {
  const same = ['login', 'symbol', 'kind', 'openedAt', 'openPrice'] as const
  return BigInt(order.ticket) < BigInt(rest.ticket) && same.every((name) => order[name] === rest[name])
}

/** Returns the deals of an order. Of a deleted one they are cancelled deals, which move nothing. */
export function dealsOf(trade: WireTrade, position: string): PlatformDeal[] {
  const deals = dealsMade(trade, position)
  if (!trade.deleted) return deals
  return deals.map((deal) => {
    const action = cancelledFrom + (deal.action === actions.sell ? 1 : 0)
    return { ...deal, action, profit: 0n, swap: 0n, commission: 0n, fee: 0n }
  })
}

/**
 * Returns the deals of an order: one that opened it, under the negative ticket, and one that closed it. Until then its
 * costs are owed alone.
 */
function dealsMade(trade: WireTrade, position: string): PlatformDeal[] {
  const { ticket, login, kind, symbol, openPrice, comment } = trade
  const action = actions[kind]
  if (action > 1) return [{ ...nothing, ticket, login, action, comment, ...bookedBy(trade) }]
  const volume = hundredMillionths(trade.lots)
  const levels = { stopLoss: trade.stopLoss, takeProfit: trade.takeProfit }
  const common = { ...nothing, login, symbol, position, order: ticket, volume, comment, ...levels }
  const opening = { ticket: `-${ticket}`, action, entry: opens, price: openPrice, time: Date.parse(trade.openedAt) }
  // The levels of the opening are those of now: they would be another version with every change.
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

/** The platform says why an order was closed by its comment alone, and only where a level or the margin closed it. */
function reasonOf(comment: string): number {
  if (isStopOut(comment)) return reasons.stopOut
  if (comment.includes('[sl]')) return reasons.stopLoss
  return comment.includes('[tp]') ? reasons.takeProfit : reasons.unknown
}

/** Returns the minor units of an amount with two places. */
export function minorIn(text: string): bigint {
  return BigInt(text.replace('.', ''))
}

/** Returns a volume in hundred-millionths of a lot. */
export function hundredMillionths(lots: string): bigint {
  const [whole = '', places = ''] = lots.split('.')
  return BigInt(whole + places.padEnd(8, '0'))
}
