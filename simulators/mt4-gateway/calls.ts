/** The gateway's calls, each from what was sent to its answer. */
import { decimal, hundredths, passwordDigest } from '../platform/store.ts'
import type { Account, Store } from '../platform/store.ts'
import { textField } from '../process/http.ts'
import type { Fields } from '../process/http.ts'
import { groupNamed, groups } from './groups.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

export type ErrorCode =
  | 'not_found'
  | 'no_money'
  | 'bad_password'
  | 'bad_group'
  | 'permission'
  | 'busy'
  | 'timeout'
  | 'bad_request'

const errorStatuses: Readonly<Record<ErrorCode, number>> = {
  not_found: 404,
  no_money: 422,
  bad_password: 422,
  bad_group: 422,
  permission: 403,
  busy: 503,
  timeout: 504,
  bad_request: 400,
}
const enabledRight = 1
const readOnlyRight = 0x200
const pageSize = 100
const commentMax = 31

export function failure(code: ErrorCode, message: string): Answer {
  return { status: errorStatuses[code], body: { code, message, native: '' } }
}

interface Call {
  readonly book: Store
  readonly fields: Fields
  readonly query: URLSearchParams
}

/** Returns the answer to a call; `path` has no query. */
export function answerTo(method: string, path: string, call: Call): Answer {
  const { book, fields, query } = call
  if (path === '/v1/time') return ok({ time: new Date(book.clock.now()).toISOString() })
  if (path === '/v1/groups') return ok({ groups })
  if (path === '/v1/accounts' && method === 'POST') return openAccount(book, fields)
  if (path === '/v1/accounts') {
    const found = book.accounts().filter((account) => account.comment === query.get('ref'))
    return ok({ accounts: found.map(({ login, comment }) => ({ login, comment })) })
  }
  if (path === '/v1/balance-operations' && method === 'GET') return ok(allOperations(book, query))
  const [, login = '', part = ''] = /^\/v1\/accounts\/(\d+)(?:\/([a-z-]+))?$/.exec(path) ?? []
  const account = book.account(login)
  if (account === undefined) return failure('not_found', 'There is no such account')
  const name = `${method} ${part}`
  if (name === 'GET ') return ok(accountRecord(book, account))
  if (name === 'PATCH ') return change(book, account, fields)
  if (name === 'POST password') return changePassword(book, account, fields)
  if (name === 'POST balance') return changeBalance(book, account, fields)
  if (name === 'GET balance-operations') return ok(operations(book, account, query))
  if (name === 'GET positions') return ok({ positions: book.positions(login).map(positionRecord) })
  return failure('not_found', `There is no ${method} ${path}`)
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

function openAccount(book: Store, fields: Fields): Answer {
  const passwords = fields.passwords as Fields | undefined
  const [main, investor] = ['main', 'investor'].map((kind) => textField(passwords ?? {}, kind) ?? '')
  const group = groupNamed(textField(fields, 'group') ?? '')
  const name = textField(fields, 'name') ?? ''
  const leverage = Number(fields.leverage)
  if (group === undefined) return failure('bad_group', 'There is no such group')
  if (name === '' || !isLeverage(leverage)) return failure('bad_request', 'name or leverage is wrong')
  if (!strong(main) || !strong(investor)) return failure('bad_password', 'The password is too weak')
  const { login } = book.openAccount({
    group: group.name,
    name,
    email: textField(fields, 'email') ?? '',
    country: textField(fields, 'country') ?? '',
    leverage,
    rights: enabledRight,
    comment: (textField(fields, 'comment') ?? '').slice(0, commentMax),
    id: '',
    passwords: { main: passwordDigest(main ?? ''), investor: passwordDigest(investor ?? '') },
  })
  return { status: 201, body: { login } }
}

function change(book: Store, account: Account, fields: Fields): Answer {
  const group = groupNamed(textField(fields, 'group') ?? account.group)
  if (group === undefined) return failure('bad_group', 'There is no such group')
  if (group.currency !== groupNamed(account.group)?.currency)
    return failure('bad_group', 'The group has another currency')
  const leverage = Number(fields.leverage ?? account.leverage)
  if (!isLeverage(leverage)) return failure('bad_request', 'leverage is wrong')
  let { rights } = account
  if (typeof fields.enabled === 'boolean') rights = fields.enabled ? rights | enabledRight : rights & ~enabledRight
  if (typeof fields.readOnly === 'boolean') rights = fields.readOnly ? rights | readOnlyRight : rights & ~readOnlyRight
  const changed = { ...account, group: group.name, leverage, rights }
  book.change(changed)
  return ok(accountRecord(book, changed))
}

function changePassword(book: Store, account: Account, fields: Fields): Answer {
  const [type, password] = [textField(fields, 'type'), textField(fields, 'password')]
  if (type !== 'main' && type !== 'investor') return failure('bad_request', 'type is main or investor')
  if (!strong(password)) return failure('bad_password', 'The password is too weak')
  book.change({ ...account, passwords: { ...account.passwords, [type]: passwordDigest(password ?? '') } })
  return ok({ login: account.login })
}

function changeBalance(book: Store, account: Account, fields: Fields): Answer {
  const amount = hundredths(typeof fields.amount === 'string' ? fields.amount : '')
  if (amount === null || amount === 0) return failure('bad_request', 'amount is wrong')
  const deal = book.applyMoney({
    login: account.login,
    action: 2,
    amount,
    comment: (textField(fields, 'comment') ?? '').slice(0, commentMax),
    checkMargin: fields.checkMargin !== false,
  })
  if (deal === 'no money') return failure('no_money', 'Not enough money')
  if (typeof deal === 'string') return failure('bad_request', deal)
  return ok({ ticket: deal.ticket })
}

function allOperations(book: Store, query: URLSearchParams): unknown {
  return operationsPage(book.deals(), query, (login) => {
    const group = groupNamed(book.account(login)?.group ?? '')
    return { currency: group?.currency }
  })
}

function operations(book: Store, account: Account, query: URLSearchParams): unknown {
  return operationsPage(book.deals(account.login), query, () => ({}))
}

function operationsPage(
  deals: ReturnType<Store['deals']>,
  query: URLSearchParams,
  more: (login: string) => Fields,
): unknown {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? '') / 1000)
  const after = Number(query.get('after') ?? 0)
  const found = deals
    .filter((deal) => deal.action === 2 && deal.time >= Math.floor(from ?? 0) && deal.time <= Math.ceil(to ?? 0))
    .filter((deal) => (query.get('ref') ?? deal.comment) === deal.comment && Number(deal.ticket) > after)
  const page = found.slice(0, pageSize)
  return {
    operations: page.map((deal) => ({
      ticket: deal.ticket,
      login: deal.login,
      ...more(deal.login),
      amount: decimal(deal.amount),
      comment: deal.comment,
      at: new Date(deal.time * 1000).toISOString(),
    })),
    next: found.length > page.length ? (page.at(-1)?.ticket ?? null) : null,
  }
}

function accountRecord(book: Store, account: Account): unknown {
  const figures = book.figures(account)
  return {
    login: account.login,
    group: account.group,
    currency: groupNamed(account.group)?.currency,
    name: account.name,
    leverage: account.leverage,
    enabled: (account.rights & enabledRight) !== 0,
    readOnly: (account.rights & readOnlyRight) !== 0,
    balance: decimal(account.balance),
    credit: decimal(account.credit),
    equity: decimal(figures.equity),
    margin: decimal(figures.margin),
    freeMargin: decimal(figures.freeMargin),
    profit: decimal(figures.profit),
  }
}

function positionRecord(position: ReturnType<Store['positions']>[number]): unknown {
  const { position: ticket, symbol, side, lots, price, profit } = position
  return { ticket, symbol, side, lots: String(lots), price: String(price), profit: decimal(profit) }
}

function isLeverage(leverage: number): boolean {
  return Number.isInteger(leverage) && leverage >= 1 && leverage <= 500
}

/** 5 to 15 characters, of at least two kinds among lower, upper and digits. */
function strong(password: string | undefined): boolean {
  const text = password ?? ''
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(text)).length
  return text.length >= 5 && text.length <= 15 && kinds >= 2
}
