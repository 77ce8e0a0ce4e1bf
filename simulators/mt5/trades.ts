/** The calls about balance operations, deals and positions. */
import { hundredths } from '../platform/hundredths.ts'
import type { Deal, Order, Position } from '../platform/store.ts'
import type { Parameters } from './parameters.ts'
import { Refused } from './refused.ts'
import { accountOf, usersOf, type CallSource } from './users.ts'

const pageMax = 100
const commentMax = 31
const balanceActions = [2, 3, 4, 5, 6]

export function changeBalance({ parameters, book, rights }: CallSource): unknown {
  if (!rights.has('accountant')) throw new Refused(8)
  const action = Number(parameters.get('type'))
  const amount = hundredths(parameters.get('balance') ?? '')
  if (!balanceActions.includes(action) || amount === null || amount === 0) throw new Refused(3)
  const deal = book.applyMoney({
    login: parameters.get('login') ?? '',
    action,
    amount,
    comment: (parameters.get('comment') ?? '').slice(0, commentMax),
    checkMargin: parameters.get('check_margin') !== '0',
  })
  if (deal === 'unknown login') throw new Refused(13)
  if (deal === 'too much') throw new Refused(4005)
  if (deal === 'no money') throw new Refused(10019)
  return { Ticket: deal.ticket }
}

/** Returns the deal of `ticket`. */
export function dealOf(source: CallSource): Deal {
  assertMayRead(source)
  const deal = source.book.state.rows('deals').get(source.parameters.get('ticket') ?? '')
  if (deal === undefined) throw new Refused(13)
  return deal
}

/** Returns the deals of one login in a period. */
export function dealsOfLogin(source: CallSource): Deal[] {
  assertMayRead(source)
  const { login } = accountOf(source.parameters, source.book)
  return inPeriod(source.parameters, source.book.deals(login))
}

/**
 * Returns the deals of a list of logins or groups in a period, or of a list of tickets; exactly one list is allowed.
 */
export function dealsOf(source: CallSource): Deal[] {
  assertMayRead(source)
  const { parameters, book } = source
  const tickets = onlyTickets(parameters)
  if (tickets !== null) return tickets.flatMap((ticket) => book.state.rows('deals').get(ticket) ?? [])
  const logins = new Set(usersOf(parameters, book).map(({ login }) => login))
  return inPeriod(
    parameters,
    book.deals().filter(({ login }) => logins.has(login)),
  )
}

/** Returns the open positions of one login. */
export function positionsOfLogin(source: CallSource): Position[] {
  assertMayRead(source)
  return source.book.positions(accountOf(source.parameters, source.book).login)
}

/** Returns the open positions of a list of logins, groups or tickets; exactly one list is allowed. */
export function positionsOf(source: CallSource): Position[] {
  assertMayRead(source)
  const { parameters, book } = source
  const tickets = onlyTickets(parameters)
  if (tickets !== null) return book.positions().filter(({ position }) => tickets.includes(position))
  const logins = new Set(usersOf(parameters, book).map(({ login }) => login))
  return book.positions().filter(({ login }) => logins.has(login))
}

/** Returns the pending orders of a list of logins, groups or tickets; exactly one list is allowed. */
export function ordersOf(source: CallSource): Order[] {
  assertMayRead(source)
  const { parameters, book } = source
  const tickets = onlyTickets(parameters)
  if (tickets !== null) return book.orders().filter(({ order }) => tickets.includes(order))
  const logins = new Set(usersOf(parameters, book).map(({ login }) => login))
  return book.orders().filter(({ login }) => logins.has(login))
}

export function page<Row>(parameters: Parameters, rows: readonly Row[]): Row[] {
  const offset = Number(parameters.get('offset') ?? 0)
  const total = Number(parameters.get('total') ?? pageMax)
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(total) || total > pageMax) throw new Refused(3)
  return rows.slice(offset, offset + total)
}

export function assertMayRead({ rights }: CallSource): void {
  if (!rights.has('trades')) throw new Refused(8)
}

function onlyTickets(parameters: Parameters): string[] | null {
  const tickets = parameters.get('ticket')
  if (tickets === undefined) return null
  if (parameters.has('login') || parameters.has('group')) throw new Refused(3)
  return tickets.split(',')
}

function inPeriod(parameters: Parameters, deals: readonly Deal[]): Deal[] {
  const from = Number(parameters.get('from') ?? Number.NaN)
  const to = Number(parameters.get('to') ?? Number.NaN)
  if (Number.isNaN(from) || Number.isNaN(to)) throw new Refused(3)
  return deals.filter(({ time }) => time >= from && time <= to)
}
