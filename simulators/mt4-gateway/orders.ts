/**
 * The platform's records in MetaTrader 4's form: an order is opened and closed under one ticket. Closing a part closes
 * the order with those lots, and the rest is another order from then on, with the same opening time and price.
 */
import { decimal } from '../platform/hundredths.ts'
import type { Account, Deal, Position, Store } from '../platform/store.ts'
import { priceNow } from '../platform/trading.ts'
import { Misuse } from '../process/http.ts'

const opens = 0

interface TradeOpened {
  readonly ticket: string
  readonly login: string
  readonly kind: 'buy' | 'sell' | 'balance' | 'credit'
  readonly symbol: string
  readonly openedAt: string
  readonly openPrice: string
}

interface TradeRecord extends TradeOpened {
  readonly lots: string
  readonly closedAt: string | null
  readonly closePrice: string | null
  readonly stopLoss: string | null
  readonly takeProfit: string | null
  readonly swap: string
  readonly commission: string
  readonly taxes: string
  readonly profit: string
  readonly comment: string
  readonly deleted: boolean
  /** Seconds. */
  readonly changed: number
}

/** Returns the trades, balance and credit operations of accounts. */
export function tradesOf(book: Store, accounts: readonly Account[]): TradeRecord[] {
  const logins = new Set(accounts.map(({ login }) => login))
  const deals = book.deals().filter(({ login }) => logins.has(login))
  const trades = [...byPosition(deals)].flatMap(([number, own]) => {
    const opening = own.find(({ entry }) => entry === opens)
    return opening === undefined ? [] : ordersOf(opening, own, book.state.rows('positions').get(number))
  })
  return [...trades, ...deals.filter(({ action }) => action > 1).map(bookingRecord)]
}

/** Returns the open positions of an account, each under the ticket of its rest. */
export function openPositions(book: Store, login: string) {
  const deals = byPosition(book.deals(login))
  return book.positions(login).map((position) => {
    const closings = closingsOf(deals.get(position.position) ?? [])
    const { symbol, side, lots } = position
    return {
      ticket: ticketAfter(position.position, closings, closings.length),
      login,
      symbol,
      side,
      lots: String(lots),
      openedAt: instant(position.time),
      openPrice: priceText(symbol, position.price),
      price: priceText(symbol, priceNow(position)),
      ...stopsOf(symbol, position),
      swap: decimal(position.storage ?? 0),
      commission: decimal(position.commission ?? 0),
      profit: decimal(position.profit),
      comment: commentFrom(position.position, closings, closings.length),
    }
  })
}

function byPosition(deals: readonly Deal[]): Map<string, Deal[]> {
  return Map.groupBy(
    deals.filter(({ action, position }) => action < 2 && position !== '0'),
    ({ position }) => position,
  )
}

function closingsOf(deals: readonly Deal[]): Deal[] {
  return deals.filter(({ entry }) => entry !== opens)
}

/** Returns the ticket of an order after a number of its parts were closed. */
function ticketAfter(number: string, closings: readonly Deal[], parts: number): string {
  return closings[parts - 1]?.ticket ?? number
}

function commentFrom(number: string, closings: readonly Deal[], parts: number): string {
  return parts === 0 ? '' : `from #${ticketAfter(number, closings, parts - 1)}`
}

function ordersOf(opening: Deal, deals: readonly Deal[], open: Position | undefined): TradeRecord[] {
  const closings = closingsOf(deals)
  const number = opening.position
  const opened = (parts: number): TradeOpened => ({
    ticket: ticketAfter(number, closings, parts),
    login: opening.login,
    kind: opening.action === 0 ? 'buy' : 'sell',
    symbol: opening.symbol,
    openedAt: instant(opening.time),
    openPrice: priceText(opening.symbol, opening.price ?? 0),
  })
  const closed = closings.map((deal, parts): TradeRecord => {
    const isLast = open === undefined && parts === closings.length - 1
    const comment = isLast ? commentFrom(number, closings, parts) : `to #${deal.ticket}`
    return {
      ...opened(parts),
      lots: String(deal.closedLots ?? deal.lots ?? 0),
      closedAt: instant(deal.time),
      closePrice: priceText(deal.symbol, deal.price ?? 0),
      ...stopsOf(deal.symbol, deal),
      swap: decimal(deal.storage ?? 0),
      commission: decimal((deal.commission ?? 0) + (isLast ? (opening.commission ?? 0) : 0)),
      taxes: decimal(deal.fee ?? 0),
      profit: decimal(deal.amount),
      comment: closingComment(comment, deal.reason),
      deleted: false,
      changed: deal.changedAt ?? deal.time,
    }
  })
  if (opening.deleted) return [deletedRecord(opening, opened(0), closed[0])]
  if (open === undefined) return closed
  const parts = closings.length
  const rest: TradeRecord = {
    ...opened(parts),
    lots: String(open.lots),
    closedAt: null,
    closePrice: null,
    ...stopsOf(open.symbol, open),
    swap: decimal(open.storage ?? 0),
    commission: decimal(open.commission ?? 0),
    taxes: '0.00',
    profit: decimal(open.profit),
    comment: commentFrom(number, closings, parts),
    deleted: false,
    changed: closings.at(-1)?.time ?? opening.time,
  }
  return [...closed, rest]
}

/** Returns a deleted order in its last state, without any amounts. */
function deletedRecord(opening: Deal, opened: TradeOpened, closed: TradeRecord | undefined): TradeRecord {
  const asOpen = {
    ...opened,
    lots: String(opening.lots ?? 0),
    closedAt: null,
    closePrice: null,
    ...stopsOf(opening.symbol, opening),
    swap: '0.00',
    commission: '0.00',
    taxes: '0.00',
    profit: '0.00',
    comment: '',
  }
  return { ...(closed ?? asOpen), deleted: true, changed: opening.changedAt ?? opening.time }
}

/** Deletes an order that is open, or was closed completely. */
export function deleteOrder(book: Store, ticket: string): void {
  const [opening, ...closings] = byPosition(book.deals()).get(ticket) ?? []
  if (opening === undefined || closings.length > 1) throw new Misuse('ticket is an order that was not closed in parts')
  for (const closing of closings)
    book.replaceDeal(closing, { ...closing, amount: 0, storage: 0, commission: 0, fee: 0 })
  book.replaceDeal(opening, { ...opening, commission: 0, deleted: true })
  book.state.commit({ positions: { [ticket]: null } })
}

/** The platform appends stop loss and take profit to the comment, and overwrites it with a stop-out. */
function closingComment(comment: string, reason: number | undefined): string {
  if (reason === 5) return 'so: 49.8%/1245.0/2500.0'
  return `${comment}${reason === 3 ? '[sl]' : ''}${reason === 4 ? '[tp]' : ''}`
}

function bookingRecord({ ticket, login, action, amount, comment, time, changedAt }: Deal): TradeRecord {
  return {
    ticket,
    login,
    kind: action === 3 ? 'credit' : 'balance',
    symbol: '',
    lots: '0',
    openedAt: instant(time),
    openPrice: '0',
    closedAt: instant(time),
    closePrice: '0',
    stopLoss: null,
    takeProfit: null,
    swap: '0.00',
    commission: '0.00',
    taxes: '0.00',
    profit: decimal(amount),
    comment,
    deleted: false,
    changed: changedAt ?? time,
  }
}

function stopsOf(symbol: string, { stopLoss, takeProfit }: Pick<Position, 'stopLoss' | 'takeProfit'>) {
  const text = (price: number | undefined) => (price === undefined ? null : priceText(symbol, price))
  return { stopLoss: text(stopLoss), takeProfit: text(takeProfit) }
}

export function priceText(symbol: string, price: number): string {
  return price.toFixed(symbol.startsWith('XAU') ? 2 : symbol.endsWith('JPY') ? 3 : 5)
}

export function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
