/** The lists of the gateway: positions, pending orders, closed trades and balance operations. */
import { decimal } from '../platform/store.ts'
import type { Deal, Order, Position, Store } from '../platform/store.ts'
import { groupNamed } from './groups.ts'

const pageSize = 100

export function positionRecord(position: Position): unknown {
  const { position: ticket, symbol, side, lots, price, profit } = position
  return {
    ticket,
    symbol,
    side,
    lots: String(lots),
    openedAt: instant(position.time),
    openPrice: String(price),
    price: String(price),
    stopLoss: null,
    takeProfit: null,
    swap: '0.00',
    commission: '0.00',
    profit: decimal(profit),
    comment: '',
  }
}

export function orderRecord({ order: ticket, symbol, kind, lots, price, time }: Order): unknown {
  return {
    ticket,
    symbol,
    kind,
    lots: String(lots),
    placedAt: instant(time),
    price: String(price),
    stopLoss: null,
    takeProfit: null,
    expiresAt: null,
    comment: '',
  }
}

/** The trades of an account that were closed in a time, each with the deal that opened it. */
export function trades(book: Store, login: string, query: URLSearchParams): unknown {
  const deals = book.deals(login)
  const closed = within(deals, query).filter(({ entry }) => entry === 1)
  const { rows, next } = page(closed, query)
  return {
    trades: rows.map((deal) => {
      const opening = deals.find(({ entry, position }) => entry === 0 && position === deal.position)
      return {
        ticket: deal.position,
        symbol: deal.symbol,
        side: deal.action === 1 ? 'buy' : 'sell',
        lots: String(deal.lots ?? 0),
        openedAt: instant(opening?.time ?? deal.time),
        openPrice: String(deal.pricePosition ?? 0),
        closedAt: instant(deal.time),
        closePrice: String(deal.price ?? 0),
        stopLoss: null,
        takeProfit: null,
        swap: decimal(deal.storage ?? 0),
        commission: decimal((deal.commission ?? 0) + (opening?.commission ?? 0)),
        profit: decimal(deal.amount),
        comment: '',
      }
    }),
    next,
  }
}

/** The balance operations of all accounts, or of those of `logins`. */
export function operations(book: Store, query: URLSearchParams, logins: readonly string[] | null): unknown {
  const ref = query.get('ref')
  const found = within(book.deals(), query)
    .filter((deal) => deal.action === 2 && (logins === null || logins.includes(deal.login)))
    .filter((deal) => ref === null || deal.comment === ref)
  const { rows, next } = page(found, query)
  return {
    operations: rows.map((deal) => ({
      ticket: deal.ticket,
      login: deal.login,
      currency: groupNamed(book.account(deal.login)?.group ?? '')?.currency,
      amount: decimal(deal.amount),
      comment: deal.comment,
      at: instant(deal.time),
    })),
    next,
  }
}

function within(deals: readonly Deal[], query: URLSearchParams): Deal[] {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? '') / 1000)
  return deals.filter(({ time }) => time >= Math.floor(from ?? 0) && time <= Math.ceil(to ?? 0))
}

function page(deals: readonly Deal[], query: URLSearchParams): { rows: Deal[]; next: string | null } {
  const after = Number(query.get('after') ?? 0)
  const found = deals.filter(({ ticket }) => Number(ticket) > after)
  const rows = found.slice(0, pageSize)
  return { rows, next: found.length > rows.length ? (rows.at(-1)?.ticket ?? null) : null }
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
