/** The calls of the Web API that this server knows, each from its parameters to its answer. */
import { hundredths, passwordDigest } from '../platform/store.ts'
import type { Account, Store } from '../platform/store.ts'
import { groupNamed, groups, groupsMatching } from './groups.ts'
import { accountRecord, dealRecord, groupRecord, positionRecord, userRecord } from './records.ts'
import type { Parameters } from './sessions.ts'

/** A retcode other than 0. */
export class Refused extends Error {
  readonly retcode: number

  constructor(retcode: number) {
    super(`${retcode} ${retcodes[retcode] ?? 'Error'}`)
    this.retcode = retcode
  }
}

export const retcodes: Readonly<Record<number, string>> = {
  3: 'Invalid parameters',
  7: 'Network error',
  8: 'Not enough permissions',
  9: 'Timeout expired',
  10: 'No connection',
  12: 'Too frequent requests',
  13: 'Not found',
  17: 'Duplicate information',
  3002: 'The range of logins has been exhausted',
  3004: 'The account already exists',
  3006: 'Incorrect account password',
  3008: 'The account has open positions',
  3010: 'Different deposit currency',
  4005: 'Reached the limit on the amount of money',
  10017: 'Trade is disabled',
  10019: 'Not enough money',
}

export type ApiCall = (parameters: Parameters, book: Store) => unknown

const pageMax = 100
const commentMax = 31
const nameMax = 127
const userCommentMax = 63
const defaultRights = 483
const passwordKinds = ['main', 'investor', 'api']

export const calls: Readonly<Record<string, ApiCall>> = {
  '/api/test/access': () => undefined,
  '/api/time/server': (_parameters, book) => ({ Time: timeText(book.clock.now()) }),
  '/api/user/add': addUser,
  '/api/user/update': updateUser,
  '/api/user/get': (parameters, book) => userRecord(accountOf(parameters, book)),
  '/api/user/get_batch': (parameters, book) => usersOf(parameters, book).map(userRecord),
  '/api/user/logins': (parameters, book) => usersOf(parameters, book).map((account) => account.login),
  '/api/user/total': (_parameters, book) => ({ Total: String(book.accounts().length) }),
  '/api/user/group': (parameters, book) => ({ Group: accountOf(parameters, book).group }),
  '/api/user/delete': deleteUser,
  '/api/user/change_password': changePassword,
  '/api/user/check_password': checkPassword,
  '/api/user/account/get': tradeState,
  '/api/user/check_balance': checkBalance,
  '/api/trade/balance': changeBalance,
  '/api/deal/get': (parameters, book) => {
    const deal = book.state.rows('deals').get(parameters.get('ticket') ?? '')
    if (deal === undefined) throw new Refused(13)
    return dealRecord(deal)
  },
  '/api/deal/get_total': (parameters, book) => ({ Total: String(dealsOf(parameters, book).length) }),
  '/api/deal/get_page': (parameters, book) => page(parameters, dealsOf(parameters, book)).map(dealRecord),
  '/api/deal/get_batch': (parameters, book) => dealsOf(parameters, book).map(dealRecord),
  '/api/position/get_total': (parameters, book) => ({
    Total: String(book.positions(accountOf(parameters, book).login).length),
  }),
  '/api/position/get_page': (parameters, book) =>
    page(parameters, book.positions(accountOf(parameters, book).login)).map(positionRecord),
  '/api/group/get': (parameters) => {
    const mask = parameters.get('mask')
    if (mask !== undefined && !parameters.has('group')) return groupsMatching(mask).map(groupRecord)
    const group = groupNamed(parameters.get('group') ?? '')
    if (group === undefined) throw new Refused(13)
    return groupRecord(group)
  },
  '/api/group/total': () => ({ Total: String(groups.length) }),
}

function addUser(parameters: Parameters, book: Store): unknown {
  const group = groupNamed(parameters.get('group') ?? '')
  const name = parameters.get('name') ?? ''
  const leverage = leverageOf(parameters)
  if (group === undefined || name === '' || leverage === null) throw new Refused(3)
  const login = parameters.get('login') ?? '0'
  if (login !== '0' && book.account(login) !== undefined) throw new Refused(3004)
  const main = strong(parameters.get('passmain') ?? parameters.get('pass_main'))
  const investor = strong(parameters.get('passinvestor') ?? parameters.get('pass_investor'))
  const opened = book.openAccount({
    group: group.name,
    name: name.slice(0, nameMax),
    email: parameters.get('email') ?? '',
    country: parameters.get('country') ?? '',
    leverage,
    rights: Number(parameters.get('rights') ?? defaultRights),
    comment: (parameters.get('comment') ?? '').slice(0, userCommentMax),
    id: parameters.get('id') ?? '',
    passwords: { main: passwordDigest(main), investor: passwordDigest(investor) },
  })
  return userRecord(opened)
}

/** Fields with a wrong value are left as they are, without a word; only a group of another currency is an error. */
function updateUser(parameters: Parameters, book: Store): unknown {
  const account = accountOf(parameters, book)
  const group = groupNamed(parameters.get('group') ?? account.group)
  const before = groupNamed(account.group)
  if (group !== undefined && before !== undefined && group.currency !== before.currency) throw new Refused(3010)
  const rights = Number(parameters.get('rights') ?? account.rights)
  const changed: Account = {
    ...account,
    group: group?.name ?? account.group,
    leverage: leverageOf(parameters) ?? account.leverage,
    rights: Number.isInteger(rights) && rights >= 0 ? rights : account.rights,
    name: (parameters.get('name') ?? account.name).slice(0, nameMax),
    email: parameters.get('email') ?? account.email,
    country: parameters.get('country') ?? account.country,
    comment: (parameters.get('comment') ?? account.comment).slice(0, userCommentMax),
    id: parameters.get('id') ?? account.id,
  }
  book.change(changed)
  return userRecord(changed)
}

function deleteUser(parameters: Parameters, book: Store): unknown {
  const account = accountOf(parameters, book)
  if (book.positions(account.login).length > 0) throw new Refused(3008)
  book.state.commit({ accounts: { [account.login]: null } })
  return undefined
}

function changePassword(parameters: Parameters, book: Store): unknown {
  const account = accountOf(parameters, book)
  const kind = parameters.get('type') ?? ''
  if (!passwordKinds.includes(kind)) throw new Refused(3)
  const digest = passwordDigest(strong(parameters.get('password')))
  book.change({ ...account, passwords: { ...account.passwords, [kind]: digest } })
  return undefined
}

function checkPassword(parameters: Parameters, book: Store): unknown {
  const account = accountOf(parameters, book)
  const kind = parameters.get('type') ?? 'main'
  if (account.passwords[kind] !== passwordDigest(parameters.get('password') ?? '')) throw new Refused(3006)
  return undefined
}

/** Exists only for an account with positions or with activity since the server's start. */
function tradeState(parameters: Parameters, book: Store): unknown {
  const account = accountOf(parameters, book)
  const figures = book.figures(account)
  if (figures.positions === 0 && !book.active.has(account.login)) throw new Refused(13)
  return accountRecord(account, figures)
}

function checkBalance(parameters: Parameters, book: Store): unknown {
  const account = accountOf(parameters, book)
  const sums = { balance: 0, credit: 0 }
  for (const deal of book.deals(account.login)) sums[deal.action === 3 ? 'credit' : 'balance'] += deal.amount
  return {
    BalanceUser: String(account.balance / 100),
    BalanceHistory: String(sums.balance / 100),
    CreditUser: String(account.credit / 100),
    CreditHistory: String(sums.credit / 100),
  }
}

function changeBalance(parameters: Parameters, book: Store): unknown {
  const action = Number(parameters.get('type'))
  const amount = hundredths(parameters.get('balance') ?? '')
  if (![2, 3, 4, 5, 6].includes(action) || amount === null || amount === 0) throw new Refused(3)
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

function accountOf(parameters: Parameters, book: Store): Account {
  const account = book.account(parameters.get('login') ?? '')
  if (account === undefined) throw new Refused(13)
  return account
}

function usersOf(parameters: Parameters, book: Store): Account[] {
  const logins = parameters.get('login')
  if (logins !== undefined) return logins.split(',').flatMap((login) => book.account(login) ?? [])
  const wanted = new Set(groupsMatching(parameters.get('group') ?? '').map((group) => group.name))
  return book.accounts().filter((account) => wanted.has(account.group))
}

function dealsOf(parameters: Parameters, book: Store): ReturnType<Store['deals']> {
  const from = Number(parameters.get('from') ?? Number.NaN)
  const to = Number(parameters.get('to') ?? Number.NaN)
  if (Number.isNaN(from) || Number.isNaN(to)) throw new Refused(3)
  const logins = new Set(usersOf(parameters, book).map((account) => account.login))
  return book.deals().filter((deal) => logins.has(deal.login) && deal.time >= from && deal.time <= to)
}

function page<Row>(parameters: Parameters, rows: readonly Row[]): Row[] {
  const offset = Number(parameters.get('offset') ?? 0)
  const total = Number(parameters.get('total') ?? pageMax)
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(total) || total > pageMax) throw new Refused(3)
  return rows.slice(offset, offset + total)
}

function leverageOf(parameters: Parameters): number | null {
  const leverage = Number(parameters.get('leverage'))
  return Number.isInteger(leverage) && leverage >= 1 && leverage <= 500 ? leverage : null
}

/** 8 to 16 characters with lower, upper, digit and special; 3006 otherwise. */
function strong(password: string | undefined): string {
  const text = password ?? ''
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]
  if (text.length < 8 || text.length > 16 || !classes.every((kind) => kind.test(text))) throw new Refused(3006)
  return text
}

function timeText(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().split('T')
  return `${Math.floor(now / 1000)} ${day.replaceAll('-', '.')} ${time.slice(0, 8)}`
}
