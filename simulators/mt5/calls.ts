/** The calls of the Web API that this server supports: each maps parameters to a response. */
import { allGroups, groupNamed, groupsMatching } from './groups.ts'
import { dealRecord, groupRecord, orderRecord, positionRecord, dailyRecord, type Written } from './records.ts'
import { Refused } from './refused.ts'
import {
  accountOf,
  addUser,
  changePassword,
  checkBalance,
  checkPassword,
  deleteUser,
  tradeState,
  tradeStates,
  updateUser,
  user,
  users,
  usersOf,
  type CallSource,
} from './users.ts'
import { dayEnds, type DayEnd } from '../platform/nights.ts'
import { hundredths } from '../platform/hundredths.ts'
import type { Deal, Position } from '../platform/store.ts'
import type { Parameters } from './parameters.ts'

type ApiCall = (source: CallSource) => unknown

/** An empty list is answered with only retcode 1 (retcodes_successful). */
export const calls: Readonly<Record<string, ApiCall>> = {
  '/api/test/access': () => undefined,
  '/api/time/server': ({ book }) => ({ Time: timeText(book.clock.now()) }),
  '/api/time/get': ({ book }) => ({
    Daylight: '0',
    DaylightState: '0',
    TimeZone: String(book.clock.zoneMinutes()),
    TimeServer: '',
  }),
  '/api/user/add': addUser,
  '/api/user/update': updateUser,
  '/api/user/get': user,
  '/api/user/get_batch': users,
  '/api/user/logins': ({ parameters, book }) => usersOf(parameters, book).map((account) => account.login),
  '/api/user/total': ({ book }) => ({ Total: String(book.accounts().length) }),
  '/api/user/group': ({ parameters, book }) => ({ Group: accountOf(parameters, book).group }),
  '/api/user/delete': deleteUser,
  '/api/user/change_password': changePassword,
  '/api/user/check_password': checkPassword,
  '/api/user/account/get': tradeState,
  '/api/user/account/get_batch': tradeStates,
  '/api/user/check_balance': checkBalance,
  '/api/trade/balance': changeBalance,
  '/api/deal/get': (source) => dealRecord(dealOf(source)),
  '/api/deal/get_total': (source) => ({ Total: String(dealsOfLogin(source).length) }),
  '/api/deal/get_page': (source) => page(source.parameters, dealsOfLogin(source)).map((deal) => dealRecord(deal)),
  '/api/deal/get_batch': (source) => dealsOf(source).map((deal) => dealRecord(deal, source.padding)),
  '/api/position/get_total': (source) => ({ Total: String(positionsOfLogin(source).length) }),
  '/api/position/get_page': (source) => page(source.parameters, positionsOfLogin(source)).map(positionRecord),
  '/api/position/get_batch': (source) =>
    rowsOf(source, source.book.positions(), ({ position }) => position).map(positionRecord),
  '/api/order/get_batch': (source) => rowsOf(source, source.book.orders(), ({ order }) => order).map(orderRecord),
  '/api/daily/get': fullReports,
  '/api/daily/get_batch': fullReports,
  '/api/daily/get_light': (source) => oneOrList(dailyReports(source)),
  '/api/daily/get_light_batch': (source) => oneOrList(dailyReports(source)),
  '/api/group/list': () => allGroups().map(({ name }) => name),
  '/api/group/total': () => ({ Total: String(allGroups().length) }),
  '/api/group/get': ({ parameters }) => {
    const mask = parameters.get('mask')
    if (mask !== undefined && !parameters.has('group')) return groupsMatching(mask).map(groupRecord)
    const group = groupNamed(parameters.get('group') ?? '')
    if (group === undefined) throw new Refused(13)
    return groupRecord(group)
  },
}

function timeText(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().split('T')
  return `${Math.floor(now / 1000)} ${day.replaceAll('-', '.')} ${time.slice(0, 8)}`
}

/** The documented example of several reports has no brackets: a server may return one object if there is only one. */
function oneOrList(records: readonly unknown[]): unknown {
  return records.length === 1 ? records[0] : records
}

function fullReports(source: CallSource): unknown {
  return oneOrList(dailyReports(source, (positions) => ({ PositionAdd: positions.map(positionRecord) })))
}

const reportsRight = 0x100

/** `further` are the fields of the full report that the light one lacks. */
function dailyReports(
  source: CallSource,
  further: (positions: DayEnd['positions']) => Written = () => ({}),
): Written[] {
  assertMayRead(source)
  const { parameters, book } = source
  const [from, to] = [Number(parameters.get('from') ?? Number.NaN), Number(parameters.get('to') ?? Number.NaN)]
  if (Number.isNaN(from) || Number.isNaN(to)) throw new Refused(3)
  return usersOf(parameters, book)
    .filter(({ rights, group }) => (rights & reportsRight) !== 0 && groupNamed(group)?.reports === true)
    .flatMap((account) => dayEnds(book, account, from, to + 1))
    .map((end) => ({ ...dailyRecord(end, book.clock.zoneMinutes()), ...further(end.positions) }))
}

const pageMax = 100
const commentMax = 31
const balanceActions = [2, 3, 4, 5, 6]

function changeBalance({ parameters, book, rights }: CallSource): unknown {
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
function dealOf(source: CallSource): Deal {
  assertMayRead(source)
  const deal = source.book.state.rows('deals').get(source.parameters.get('ticket') ?? '')
  if (deal === undefined) throw new Refused(13)
  return deal
}

/** Returns the deals of one login in a period. */
function dealsOfLogin(source: CallSource): Deal[] {
  assertMayRead(source)
  const { login } = accountOf(source.parameters, source.book)
  return inPeriod(source.parameters, source.book.deals(login))
}

/**
 * Returns the deals of a list of logins or groups in a period, or of a list of tickets; exactly one list is allowed.
 */
function dealsOf(source: CallSource): Deal[] {
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
function positionsOfLogin(source: CallSource): Position[] {
  assertMayRead(source)
  return source.book.positions(accountOf(source.parameters, source.book).login)
}

/** Returns the rows of a list of logins, groups or tickets; exactly one list is allowed. */
function rowsOf<Row extends { readonly login: string }>(
  source: CallSource,
  rows: readonly Row[],
  ticketOf: (row: Row) => string,
): Row[] {
  assertMayRead(source)
  const { parameters, book } = source
  const tickets = onlyTickets(parameters)
  if (tickets !== null) return rows.filter((row) => tickets.includes(ticketOf(row)))
  const logins = new Set(usersOf(parameters, book).map(({ login }) => login))
  return rows.filter(({ login }) => logins.has(login))
}

function page<Row>(parameters: Parameters, rows: readonly Row[]): Row[] {
  const offset = Number(parameters.get('offset') ?? 0)
  const total = Number(parameters.get('total') ?? pageMax)
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(total) || total > pageMax) throw new Refused(3)
  return rows.slice(offset, offset + total)
}

function assertMayRead({ rights }: CallSource): void {
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
