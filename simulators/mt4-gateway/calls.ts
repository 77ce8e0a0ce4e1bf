/** The gateway's calls: each maps a request to its response (docs/mt4-gateway.md). */
import { decimal, hundredths } from '../platform/hundredths.ts'
import { passwordDigest, type Account, type Store } from '../platform/store.ts'
import { textField, type Fields } from '../process/http.ts'
import { groupNamed, groups } from './groups.ts'
import { openTrades, operations, trades } from './lists.ts'
import { BadRequest, loginsIn, loginsOf } from './parameters.ts'
import type { GatewayRights } from './rights.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

const errorStatuses = {
  not_found: 404,
  no_money: 422,
  bad_password: 422,
  bad_group: 422,
  disabled: 422,
  permission: 403,
  busy: 503,
  timeout: 504,
  bad_request: 400,
} as const
export type ErrorCode = keyof typeof errorStatuses
const enabledRight = 1
const readOnlyRight = 0x200
const dealCommentMax = 31
const personTexts = ['phone', 'address', 'city', 'state', 'postcode', 'status'] as const
const openingFields = ['group', 'name', 'email', 'country', 'leverage', 'comment', 'passwords', ...personTexts]

export function failure(code: ErrorCode, message: string): Answer {
  return { status: errorStatuses[code], body: { code, message, native: '' } }
}

/** Returns whether an answer is the failure with this code. */
export function isFailure({ status }: Answer, code: 'busy' | 'timeout'): boolean {
  return status === errorStatuses[code]
}

interface Call {
  readonly book: Store
  readonly fields: Fields
  readonly query: URLSearchParams
  readonly rights: GatewayRights
}

/** Calls that only read: they take no Idempotency-Key, and their logins are in the body. */
export const readsByBody: readonly string[] = ['/v2/accounts/read', '/v2/open-trades']

/** Returns the response to a call; `path` has no query. */
export function answerTo(method: string, path: string, call: Call): Answer {
  try {
    return routeCall(method, path, call)
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    return failure('bad_request', error.message)
  }
}

/**
 * Returns the result of an earlier call with the same body, found by its comment, or null if the platform has none. A
 * change of an account has no comment: it is made again.
 */
export function earlierResult(path: string, { book, fields }: Pick<Call, 'book' | 'fields'>): Answer | null {
  if (path === '/v2/accounts') {
    const opened = book.accounts().find(({ comment }) => comment === fields.comment)
    return opened === undefined ? null : { status: 201, body: { login: opened.login } }
  }
  const login = /^\/v2\/accounts\/(\d+)\/balance$/.exec(path)?.[1]
  const deal = book.deals().find((deal) => deal.action === 2 && deal.login === login && deal.comment === fields.comment)
  return deal === undefined ? null : success({ ticket: deal.ticket })
}

function routeCall(method: string, path: string, call: Call): Answer {
  const { book, query, rights } = call
  const general: Readonly<Record<string, () => Answer>> = {
    'GET /v2/time': () => success({ time: new Date(book.clock.now()).toISOString() }),
    'GET /v2/rights': () => success({ missing: rights.missing }),
    'GET /v2/groups': () => success({ groups }),
    'GET /v2/accounts': () => success({ accounts: accountsByReference(book, query.get('ref')) }),
    'POST /v2/accounts/read': () => success({ accounts: accountsByLogin(call) }),
    'POST /v2/accounts': () => openAccount(call),
    'GET /v2/balance-operations': () => success(operations(book, query, loginsOf(query))),
    ...(rights.tradeHistory && tradeCalls(call)),
  }
  const [, login = '', part = ''] = /^\/v2\/accounts\/(\d+)(?:\/([a-z-]+))?$/.exec(path) ?? []
  const known = general[`${method} ${path}`]
  if (known) return known()
  const account = book.account(login)
  if (account === undefined) return failure('not_found', 'There is no such account')
  const ofAccount: Readonly<Record<string, () => Answer>> = {
    'GET ': () => success(accountRecord(book, account)),
    'PATCH ': () => changeAccount(call, account),
    'POST password': () => changePassword(call, account),
    'POST balance': () => changeBalance(call, account),
    'GET balance-operations': () => success(operations(book, query, [login])),
  }
  return ofAccount[`${method} ${part}`]?.() ?? failure('not_found', `There is no ${method} ${path}`)
}

/** The calls about trades, which the contract's first edition lacks. */
function tradeCalls({ book, fields, query, rights }: Call): Readonly<Record<string, () => Answer>> {
  const allowed = (answer: () => unknown) => () =>
    rights.missing.includes('deals') ? failure('permission', 'The manager may not see trades') : success(answer())
  return {
    'GET /v2/trades': allowed(() => trades(book, query)),
    'POST /v2/open-trades': allowed(() => {
      assertKnown(fields, ['logins', 'after'])
      return openTrades(book, fields)
    }),
  }
}

function success(body: unknown): Answer {
  return { status: 200, body }
}

function accountsByReference(book: Store, ref: string | null): unknown[] {
  if (ref === null) throw new BadRequest('ref is missing')
  return book
    .accounts()
    .filter(({ comment }) => comment === ref)
    .map((account) => accountRecord(book, account))
}

function accountsByLogin({ book, fields }: Call): unknown[] {
  assertKnown(fields, ['logins'])
  return loginsIn(fields).flatMap((login) => {
    const account = book.account(login)
    return account ? [accountRecord(book, account)] : []
  })
}

function openAccount({ book, fields, rights }: Call): Answer {
  assertKnown(fields, openingFields)
  const passwords = fields.passwords as Fields | undefined
  const [main, investor] = ['main', 'investor'].map((kind) => textField(passwords ?? {}, kind) ?? '')
  const group = groupNamed(textField(fields, 'group') ?? '')
  const name = limitedText(fields, 'name')
  const leverage = Number(fields.leverage)
  if (rights.missing.includes('accounts')) return failure('permission', 'The manager may not open accounts')
  if (group === undefined) return failure('bad_group', 'There is no such group')
  if (name === '' || !isLeverage(leverage)) return failure('bad_request', 'name or leverage is wrong')
  if (!isStrongPassword(main, group.passwordMin) || !isStrongPassword(investor, group.passwordMin))
    return failure('bad_password', 'The password is too weak')
  const { login } = book.openAccount({
    group: group.name,
    name,
    email: limitedText(fields, 'email'),
    country: limitedText(fields, 'country'),
    leverage,
    rights: enabledRight,
    comment: requiredComment(fields),
    id: '',
    details: Object.fromEntries(personTexts.map((field) => [field, limitedText(fields, field)])),
    passwords: { main: passwordDigest(main ?? ''), investor: passwordDigest(investor ?? '') },
  })
  return { status: 201, body: { login } }
}

function changeAccount({ book, fields }: Call, account: Account): Answer {
  assertKnown(fields, ['leverage', 'group', 'enabled', 'readOnly'])
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
  return success(accountRecord(book, changed))
}

function changePassword({ book, fields }: Call, account: Account): Answer {
  assertKnown(fields, ['type', 'password'])
  const [type, password] = [textField(fields, 'type'), textField(fields, 'password')]
  if (type !== 'main' && type !== 'investor') return failure('bad_request', 'type is main or investor')
  if (!isStrongPassword(password, groupNamed(account.group)?.passwordMin ?? 5))
    return failure('bad_password', 'The password is too weak')
  book.change({ ...account, passwords: { ...account.passwords, [type]: passwordDigest(password ?? '') } })
  return success({ login: account.login })
}

function changeBalance({ book, fields, rights }: Call, account: Account): Answer {
  assertKnown(fields, ['amount', 'comment', 'checkMargin'])
  const amount = hundredths(typeof fields.amount === 'string' ? fields.amount : '')
  if (amount === null || amount === 0) return failure('bad_request', 'amount is wrong')
  const comment = requiredComment(fields, dealCommentMax)
  if (rights.missing.includes('money')) return failure('permission', 'The manager may not move money')
  const deal = book.applyMoney({
    login: account.login,
    action: 2,
    amount,
    comment,
    checkMargin: fields.checkMargin !== false,
  })
  if (deal === 'no money') return failure('no_money', 'Not enough money')
  if (typeof deal === 'string') return failure('bad_request', deal)
  return success({ ticket: deal.ticket })
}

function accountRecord(book: Store, account: Account): unknown {
  const figures = book.figures(account)
  return {
    login: account.login,
    group: account.group,
    currency: groupNamed(account.group)?.currency,
    name: account.name,
    comment: account.comment,
    leverage: account.leverage,
    enabled: (account.rights & enabledRight) !== 0,
    readOnly: (account.rights & readOnlyRight) !== 0,
    openPositions: figures.positions,
    balance: decimal(account.balance),
    credit: decimal(account.credit),
    equity: decimal(figures.equity),
    margin: decimal(figures.margin),
    freeMargin: decimal(figures.freeMargin),
    profit: decimal(figures.profit),
  }
}

function isLeverage(leverage: number): boolean {
  return Number.isInteger(leverage) && leverage >= 1 && leverage <= 500
}

/**
 * Returns whether a password has the group's minimum length, 15 characters at most, and at least two kinds among lower,
 * upper and digits.
 */
function isStrongPassword(password: string | undefined, lengthMin: number): boolean {
  const text = password ?? ''
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(text)).length
  return text.length >= lengthMin && text.length <= 15 && kinds >= 2
}

const lengths = {
  group: 15,
  postcode: 15,
  status: 15,
  country: 31,
  city: 31,
  state: 31,
  phone: 31,
  email: 47,
  comment: 63,
  address: 95,
  name: 127,
} as const
type TextName = keyof typeof lengths

/** Throws `BadRequest` for any other property. */
function assertKnown(fields: Fields, known: readonly string[]): void {
  const unknownName = Object.keys(fields).find((name) => !known.includes(name))
  if (unknownName !== undefined) throw new BadRequest(`${unknownName} is not a property of this call`)
}

/** Returns the comment, by which a repeat is looked up. Throws `BadRequest` if it is empty. */
function requiredComment(fields: Fields, lengthMax?: number): string {
  const comment = limitedText(fields, 'comment', lengthMax)
  if (comment === '') throw new BadRequest('comment is empty')
  return comment
}

/** Returns a text of the body. Throws `BadRequest` if it is longer than the platform stores. */
function limitedText(fields: Fields, name: TextName, lengthMax: number = lengths[name]): string {
  const text = textField(fields, name) ?? ''
  if (Buffer.byteLength(text) > lengthMax) throw new BadRequest(`${name} is longer than ${lengthMax} bytes`)
  return text
}
