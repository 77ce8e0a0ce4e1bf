/** The lists of the gateway: open trades, past trades and credit operations, and balance operations. */
import { decimal } from '../platform/hundredths.ts'
import type { Order, Store } from '../platform/store.ts'
import { textField, type Fields } from '../process/http.ts'
import { groupNamed } from './groups.ts'
import { instant, openPositions, priceText, tradesOf } from './orders.ts'
import { BadRequest, loginsIn, loginsOf, namesOf, pageOf, windowOf } from './parameters.ts'

const pageSize = 100
const tradesPageSize = 1000
const openPageSize = 10_000

/** Returns the open positions and pending orders of some accounts, page by page over both. */
export function openTrades(book: Store, fields: Fields): unknown {
  const open = loginsIn(fields).flatMap((login) => [
    ...openPositions(book, login).map((row) => ({ ...row, list: 'positions' })),
    ...book.orders(login).map((order) => ({ ...orderRecord(order), list: 'orders' })),
  ])
  const { rows, next } = pageOf(open, textField(fields, 'after'), openPageSize)
  const listed = (name: string) => rows.flatMap(({ list, ...row }) => (list === name ? [row] : []))
  return { positions: listed('positions'), orders: listed('orders'), next }
}

function orderRecord({ order: ticket, login, symbol, kind, lots, price, time }: Order) {
  return {
    ticket,
    login,
    symbol,
    kind,
    lots: String(lots),
    placedAt: instant(time),
    price: priceText(symbol, price),
    stopLoss: null,
    takeProfit: null,
    expiresAt: null,
    comment: '',
  }
}

/**
 * Returns trades that were opened, closed, posted or changed in a time: of all accounts, or those of some groups or
 * logins.
 */
export function trades(book: Store, query: URLSearchParams): unknown {
  const [logins, groups] = [loginsOf(query), namesOf(query, 'groups')]
  if (logins !== null && groups !== null) throw new BadRequest('logins or groups')
  const { from, to } = windowOf(query)
  const asked = book
    .accounts()
    .filter(({ login, group }) => (logins?.includes(login) ?? true) && (groups?.includes(group) ?? true))
  const changed = tradesOf(book, asked).filter(({ changed }) => changed >= from && changed <= to)
  const { rows, next } = pageOf(changed, query.get('after'), tradesPageSize)
  return { trades: rows.map(({ changed, ...trade }) => ({ ...trade, changedAt: instant(changed) })), next }
}

/** Returns the balance operations of all accounts, or of those of `logins`. */
export function operations(book: Store, query: URLSearchParams, logins: readonly string[] | null): unknown {
  const { from, to } = windowOf(query)
  const found = book
    .deals()
    .filter(({ time }) => time >= from && time <= to)
    .filter((deal) => deal.action === 2 && (logins === null || logins.includes(deal.login)))
  const { rows, next } = pageOf(found, query.get('after'), pageSize)
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
