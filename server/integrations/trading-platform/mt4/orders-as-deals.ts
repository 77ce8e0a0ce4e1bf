/**
 * Converts orders of MetaTrader 4 to the product's deals. An order is opened and closed under one ticket. If a part is
 * closed, the order is closed with those lots and the rest is another order with the same opening time and price;
 * comments name the two ("to #2", "from #1"). All of them are one position here, under the first one's ticket.
 */
import { unreadableAction, type UnreadableField } from '../unreadable-records.ts'
import type { PlatformDeal } from '../trade-history.ts'
import { unreadableKeyField, type ReadTrade } from './read-trade.ts'

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
 * Returns a function that maps a ticket to that of its original order. A comment counts only between orders that
 * were opened as one, because clients may write their own comments.
 */
export function originalTicketLookup(trades: readonly ReadTrade[]): (ticket: string) => string {
  const byTicket = new Map(trades.map((trade) => [trade.ticket, trade]))
  const parents = new Map<string, string>()
  const link = (parent: string | undefined, child: string | undefined) => {
    const [one, other] = [byTicket.get(parent ?? ''), byTicket.get(child ?? '')]
    if (one !== undefined && other !== undefined && isRestOf(one, other)) parents.set(other.ticket, one.ticket)
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
function isRestOf(order: ReadTrade, rest: ReadTrade): boolean {
  const same = ['login', 'symbol', 'kind', 'openedAt', 'openPrice'] as const
  return BigInt(order.ticket) < BigInt(rest.ticket) && same.every((name) => order[name] === rest[name])
}

/** Returns the deals of an order. Those of a deleted order are cancelled deals without amounts. */
export function dealsOf(trade: ReadTrade, position: string): PlatformDeal[] {
  const missing = unreadableKeyField(trade)
  if (missing)
    return [
      {
        ...emptyDeal,
        ticket: '',
        login: trade.login,
        action: unreadableAction,
        comment: '',
        time: 0,
        ...unreadableOf(trade, missing),
      },
    ]
  const deals = dealsOfOrder(trade, position)
  if (!trade.deleted) return deals
  return deals.map((deal) => {
    const action = cancelledFrom + (deal.action === actions.sell ? 1 : 0)
    return { ...deal, action, profit: 0n, swap: 0n, commission: 0n, fee: 0n }
  })
}

function unreadableOf({ raw }: ReadTrade, first: UnreadableField | undefined): Pick<PlatformDeal, 'unreadable'> {
  return first === undefined ? {} : { unreadable: { ...first, raw } }
}

/**
 * Returns the deals of an order: its opening, under the negative ticket, and its closing. Until then its costs are only
 * owed.
 */
function dealsOfOrder(trade: ReadTrade, position: string): PlatformDeal[] {
  const { ticket, login, kind, symbol, openPrice, comment } = trade
  const unreadable = unreadableOf(trade, trade.unreadableFields[0])
  if (kind === null) {
    const time = Date.parse(trade.closedAt ?? trade.openedAt)
    return [{ ...emptyDeal, ticket, login, position, action: unreadableAction, comment, time, ...unreadable }]
  }
  const action = actions[kind]
  if (action > 1) return [{ ...emptyDeal, ticket, login, action, comment, ...bookingValues(trade), ...unreadable }]
  const volume = hundredMillionths(trade.lots)
  const levels = { stopLoss: trade.stopLoss, takeProfit: trade.takeProfit }
  const common = { ...emptyDeal, login, symbol, position, order: ticket, volume, comment, ...levels }
  const opening = { ticket: `-${ticket}`, action, entry: opens, price: openPrice, time: Date.parse(trade.openedAt) }
  // An open order has its current levels, which would create a new version of the opening with every change.
  const opened = { ...common, ...opening, stopLoss: null, takeProfit: null, ...unreadableOpening(trade) }
  if (trade.closedAt === null) return [opened]
  const closing = {
    ...common,
    ticket,
    action: 1 - action,
    entry: closes,
    reason: reasonOf(comment),
    closedVolume: volume,
    price: trade.closePrice ?? '0',
    pricePosition: openPrice,
    profit: minorOfDecimal(trade.profit),
    swap: minorOfDecimal(trade.swap),
    commission: minorOfDecimal(trade.commission),
    fee: minorOfDecimal(trade.taxes),
    time: Date.parse(trade.closedAt),
    ...unreadable,
  }
  return [opened, closing]
}

const openingFields: readonly string[] = ['symbol', 'lots', 'openPrice', 'deleted', 'comment']

/** Returns the unreadable field of an opening. Fields that change while the order is open do not belong to it. */
function unreadableOpening({ unreadableFields, raw }: ReadTrade): Pick<PlatformDeal, 'unreadable'> {
  const first = unreadableFields.find(({ field }) => openingFields.includes(field))
  if (first === undefined) return {}
  const { ticket = '', [first.field]: value } = raw
  return { unreadable: { ...first, raw: { ticket, ...(value !== undefined && { [first.field]: value }) } } }
}

const emptyDeal: Omit<PlatformDeal, 'ticket' | 'login' | 'action' | 'comment' | 'time'> = {
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

function bookingValues({ profit, openedAt }: ReadTrade) {
  return { profit: minorOfDecimal(profit), time: Date.parse(openedAt) }
}

/** Returns the reason of a closing. The platform states it only in the comment, and only for a level or the margin. */
function reasonOf(comment: string): number {
  if (isStopOut(comment)) return reasons.stopOut
  if (comment.includes('[sl]')) return reasons.stopLoss
  return comment.includes('[tp]') ? reasons.takeProfit : reasons.unknown
}

/** Returns the minor units of an amount with two decimals. */
export function minorOfDecimal(text: string): bigint {
  return BigInt(text.replace('.', ''))
}

/** Returns a volume in hundred-millionths of a lot. */
export function hundredMillionths(lots: string): bigint {
  const [whole = '', places = ''] = lots.split('.')
  return BigInt(whole + places.padEnd(8, '0'))
}
