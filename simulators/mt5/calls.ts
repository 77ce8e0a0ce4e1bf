/** The calls of the Web API that this server supports: each maps parameters to a response. */
import { allGroups, groupNamed, groupsMatching } from './groups.ts'
import {
  dealRecord,
  groupRecord,
  orderRecord,
  positionRecord,
  userRecord,
  dailyRecord,
  type Written,
} from './records.ts'
import { Refused } from './refused.ts'
import {
  changeBalance,
  dealOf,
  dealsOf,
  dealsOfLogin,
  ordersOf,
  page,
  positionsOf,
  positionsOfLogin,
  assertMayRead,
} from './trades.ts'
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
  usersOf,
  type CallSource,
} from './users.ts'
import { dayEnds, type DayEnd } from '../platform/nights.ts'

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
  '/api/user/get': ({ parameters, book, rights }) => userRecord(accountOf(parameters, book), rights),
  '/api/user/get_batch': ({ parameters, book, rights }) =>
    usersOf(parameters, book).map((account) => userRecord(account, rights)),
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
  '/api/position/get_batch': (source) => positionsOf(source).map(positionRecord),
  '/api/order/get_batch': (source) => ordersOf(source).map(orderRecord),
  '/api/daily/get': (source) =>
    oneOrList(dailyOf(source, (positions) => ({ Positions: positions.map(positionRecord) }))),
  '/api/daily/get_light': (source) => oneOrList(dailyOf(source)),
  '/api/daily/get_light_batch': (source) => oneOrList(dailyOf(source)),
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

const reportsRight = 0x100

/** `further` are the fields of the full report that the light one lacks. */
function dailyOf(source: CallSource, further: (positions: DayEnd['positions']) => Written = () => ({})): Written[] {
  assertMayRead(source)
  const { parameters, book } = source
  const [from, to] = [Number(parameters.get('from') ?? Number.NaN), Number(parameters.get('to') ?? Number.NaN)]
  if (Number.isNaN(from) || Number.isNaN(to)) throw new Refused(3)
  return usersOf(parameters, book)
    .filter(({ rights, group }) => (rights & reportsRight) !== 0 && groupNamed(group)?.reports === true)
    .flatMap((account) => dayEnds(book, account, from, to + 1))
    .map((end) => ({ ...dailyRecord(end, book.clock.zoneMinutes()), ...further(end.positions) }))
}
