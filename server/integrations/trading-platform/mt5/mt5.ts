/** A MetaTrader 5 server through its Web API, REST form (integrations, MT5). */
import { hourMs } from '#rules/dates.ts'
import { decimalOf, largestMinor, type Money } from '#rules/money.ts'
import { checkedRef, loginPattern } from '../identifiers.ts'
import { noCallCount, type CallCount } from '../../call-counts.ts'
import { Rejected, Unavailable, Unknown } from '../../errors.ts'
import { exactAmount } from '../figures.ts'
import type {
  AccountReadings,
  AccountSearch,
  FoundOperation,
  NewBalanceOperation,
  BalanceOperation,
  BalanceOperationPage,
  NewPlatformAccount,
  OpenedAccount,
  PlatformAccount,
  PlatformGroups,
  PlatformRight,
  TradingServer,
} from '../trading-server.ts'
import { findByRef, listOpenedSince } from './account-search.ts'
import { tradingDay } from '#rules/trading-days.ts'
import { operationsPage } from './all-deals.ts'
import { Mt5Caller } from './caller.ts'
import { assertDealOfLogin, balanceAction, balanceDealOf, type BalanceDeal } from './deals.ts'
import { ForbiddenGroup, UnreadableValue, operationOf } from '../unreadable-records.ts'
import {
  accountFrom,
  enabledRight,
  groupOf,
  isEnabled,
  operationsWithin,
  readAccounts,
  readFigures,
} from './readings.ts'
import { missingRights } from './rights.ts'
import { offsetBetween, serverWindow, serverZone, type ClockReadings, type ServerZone } from '../server-clock.ts'
import { ServerGroups, type KnownCurrencies } from './server-groups.ts'
import type { TradeHistory } from '../trade-history.ts'
import { mt5TradeHistory } from './trade-history.ts'
import { Mt5Session, type SessionOptions } from './session.ts'
import { lengths, newUserFields } from './user-fields.ts'
import { inputText, isNumber, recordOf, textOf, timeOf, wholeNumber } from './values.ts'

const pageSize = 100

export interface Mt5Options extends SessionOptions {
  now?: () => Date
  calls?: CallCount
  /** The known offsets of past days; without it every day is assumed to have today's offset. */
  clock?: () => Promise<ClockReadings>
}

/**
 * Creates the MetaTrader 5 adapter with three sessions, so that a hanging write does not delay readings of a page, and
 * neither delays work on many accounts.
 */
export function mt5(options: Mt5Options): TradingServer {
  const [questions, writes, many] = [new Mt5Session(options), new Mt5Session(options), new Mt5Session(options)]
  const parts = {
    writes,
    calls: options.calls ?? noCallCount,
    currencies: new Map(),
    now: options.now ?? (() => new Date()),
    clock: options.clock ?? (async () => ({ days: new Map(), before: null })),
  }
  const bulk = new Mt5({ ...parts, questions: many }, null)
  return new Mt5({ ...parts, questions }, bulk)
}

interface Mt5Parts {
  readonly questions: Mt5Session
  readonly writes: Mt5Session
  readonly calls: CallCount
  readonly currencies: KnownCurrencies
  readonly now: () => Date
  readonly clock: () => Promise<ClockReadings>
}

class Mt5 implements TradingServer {
  readonly bulk: TradingServer
  readonly history: TradeHistory
  readonly #parts: Mt5Parts
  readonly #caller: Mt5Caller
  readonly #groups: ServerGroups

  constructor(parts: Mt5Parts, bulk: TradingServer | null) {
    this.#parts = parts
    this.#caller = new Mt5Caller(parts.questions, parts.writes, parts.calls)
    this.#groups = new ServerGroups(this.#caller, parts.currencies)
    this.bulk = bulk ?? this
    this.history = mt5TradeHistory(this.#caller, () => this.#zone())
  }

  async createAccount(request: NewPlatformAccount): Promise<{ login: string }> {
    checkedRef(request.ref)
    const body = newUserFields(request)
    const { Group: group = '', Name: name = '', Leverage: leverage = '' } = body
    const call = { path: '/api/user/add', query: { group, name, leverage }, body, kind: 'once' } as const
    // Balances cannot be read in a group without a readable currency. A missing group is reported by the response.
    await this.#groups.currencyOf(group).catch((error: unknown) => {
      if (!(error instanceof ForbiddenGroup)) throw error
    })
    const answer = await this.#caller.answer({ ...call, sendBy: request.sendBy }).catch((error: unknown) => {
      throw explainOpenFailure(error, group)
    })
    const { Login: login, Comment: comment, Group: opened } = recordOrUnknown(answer)
    // Without the permission for personal data the comment is empty in every response; the group is shown all the same.
    const isOurs = comment === request.ref || (comment === '' && opened === group)
    if (typeof login !== 'string' || !loginPattern.test(login) || !isOurs) {
      throw new Unknown('The new account in the answer is not the one asked for')
    }
    return { login }
  }

  async findAccountByRef(ref: string, search: AccountSearch): Promise<{ login: string } | null> {
    const { toUtc } = await this.#zone()
    return findByRef(this.#caller, checkedRef(ref), search, (seconds) => toUtc(seconds * 1000))
  }

  async setLeverage(login: string, leverage: number): Promise<void> {
    await this.#update(login, 'Leverage', String(leverage))
  }

  async setGroup(login: string, group: string): Promise<void> {
    await this.#update(login, 'Group', inputText(group, lengths.group))
  }

  async setEnabled(login: string, enabled: boolean): Promise<void> {
    const user = await this.#user(login)
    if (isEnabled(user) === enabled) return
    // A bitwise operation would cut off the rights above 32 bits.
    const wanted = wholeNumber(user, 'Rights') + (enabled ? enabledRight : -enabledRight)
    await this.#update(login, 'Rights', String(wanted))
  }

  async setPassword(login: string, kind: 'main' | 'investor', password: string): Promise<void> {
    const body = { Login: requireLogin(login), Type: kind, Password: password }
    await this.#caller.answer({ path: '/api/user/change_password', body, kind: 'repeatable' })
  }

  async getAccount(login: string): Promise<PlatformAccount> {
    const readAt = this.#parts.now()
    const user = await this.#user(login)
    const currency = await this.#groups.currencyOf(groupOf(user))
    const state = await this.#caller.recordIfAny('/api/user/account/get', { login })
    if (state !== null && state.Login !== login && isNumber(state.Login))
      throw new UnreadableValue('Login', 'value', state.Login, 'The platform answered for another account')
    return accountFrom(user, state, currency, readAt)
  }

  async readAccounts(logins: readonly string[], window: { from: Date; to: Date }): Promise<AccountReadings> {
    const source = {
      caller: this.#caller,
      currencyOf: (group: string) => this.#groups.currencyOf(group),
      zone: await this.#zone(),
      now: this.#parts.now,
      single: this,
    }
    return readAccounts(source, logins.map(requireLogin), window)
  }

  readFigures(...[accounts, records]: Parameters<TradingServer['readFigures']>) {
    for (const { login } of accounts) requireLogin(login)
    return readFigures({ caller: this.#caller, now: this.#parts.now }, accounts, records)
  }

  async applyBalance(operation: NewBalanceOperation): Promise<{ ticket: string }> {
    const { amount, login, sendBy } = operation
    const comment = checkedRef(operation.ref)
    if (amount.minor === 0n) throw new TypeError('A balance operation with amount zero')
    if (amount.minor > largestMinor || amount.minor < -largestMinor) {
      throw new Rejected('amount-too-large', 'mt5:4005', 'The amount is too large for the platform')
    }
    const currency = await this.#groups.currencyOf(groupOf(await this.#user(login)))
    if (currency !== amount.currency) throw new Rejected('wrong-currency', 'mt5:3010', `The account is in ${currency}`)
    const answer = await this.#caller.answer({
      path: '/api/trade/balance',
      query: {
        login,
        type: balanceAction,
        balance: decimalOf(amount.minor),
        comment,
        check_margin: operation.checkMargin ? '1' : '0',
      },
      body: {},
      kind: 'once',
      sendBy,
    })
    const ticket = recordOrUnknown(answer).Ticket
    if (typeof ticket !== 'string' || !loginPattern.test(ticket)) throw new Unknown('The response has no ticket')
    await this.#confirmDeal(ticket, { login, amount, comment })
    return { ticket }
  }

  /** Throws if the response is for another login, amount or reference (requirements 18.13). */
  async #confirmDeal(ticket: string, expected: { login: string; amount: Money; comment: string }): Promise<void> {
    let deal: Record<string, unknown>
    try {
      deal = await this.#caller.record('/api/deal/get', { ticket })
    } catch (error) {
      throw new Unknown(`The deal ${ticket} could not be read back`, error)
    }
    const amount = exactAmount(deal.Profit, expected.amount.currency)
    const agrees =
      deal.Login === expected.login &&
      deal.Action === balanceAction &&
      deal.Comment === expected.comment &&
      amount?.minor === expected.amount.minor
    if (!agrees) throw new Unknown(`The deal ${ticket} is not the operation that was sent`)
  }

  async findBalanceOperation(login: string, ref: string, around: Date): Promise<FoundOperation | null> {
    const wanted = checkedRef(ref)
    const zone = await this.#zone()
    // The window covers the whole time from sending until now, by either clock: a narrower search could miss the deal.
    const [sent, now] = [around.getTime(), this.#parts.now().getTime()]
    const times = [sent, now, zone.toServerTime(sent), zone.toServerTime(now)]
    const deals = await this.#balanceDeals(login, Math.min(...times) - hourMs, Math.max(...times) + hourMs)
    return operationOf(deals, wanted)
  }

  async balanceOperations(login: string, from: Date, to: Date): Promise<BalanceOperation[]> {
    const zone = await this.#zone()
    const window = serverWindow(zone, from.getTime(), to.getTime())
    return operationsWithin(await this.#balanceDeals(login, window.from, window.to), zone, from, to)
  }

  async balanceOperationsSince(window: { from: Date; to: Date; after: string | null }): Promise<BalanceOperationPage> {
    if (this.bulk !== this) return this.bulk.balanceOperationsSince(window)
    const zone = await this.#zone()
    const { from, to } = serverWindow(zone, window.from.getTime(), window.to.getTime())
    const seconds = { from: Math.floor(from / 1000), to: Math.ceil(to / 1000), after: window.after }
    const page = await operationsPage(this.#caller, this.#groups, zone, seconds)
    const isWithin = ({ at }: { at: Date }) => at.getTime() >= window.from.getTime() - 1_000 && at <= window.to
    return { ...page, operations: page.operations.filter(isWithin) }
  }

  async #balanceDeals(login: string, fromMs: number, toMs: number): Promise<BalanceDeal[]> {
    const currency = await this.#groups.currencyOf(groupOf(await this.#user(login)))
    const window = { login, from: String(Math.floor(fromMs / 1000)), to: String(Math.ceil(toMs / 1000)) }
    const deals: BalanceDeal[] = []
    const seen = new Set<string>()
    for (let offset = 0; ; offset += pageSize) {
      const query = { ...window, offset: String(offset), total: String(pageSize) }
      const page = await this.#caller.list('/api/deal/get_page', query)
      const known = seen.size
      for (const deal of page) seen.add(JSON.stringify(deal))
      // A server that ignores the offset would be read for ever.
      if (page.length > 0 && seen.size === known)
        throw new Unavailable('/api/deal/get_page: a page repeats earlier ones')
      for (const deal of page) {
        const found = balanceDealOf(deal, currency)
        if (found === null) continue
        assertDealOfLogin(deal, login)
        deals.push(found)
      }
      if (page.length < pageSize) return deals
    }
  }

  async accountsOpenedSince(from: Date, known: AccountSearch['known']): Promise<OpenedAccount[]> {
    if (this.bulk !== this) return this.bulk.accountsOpenedSince(from, known)
    const { toUtc } = await this.#zone()
    return listOpenedSince(this.#caller, await this.#groups.names(), from, known, (seconds) => toUtc(seconds * 1000))
  }

  findGroups(names: readonly string[]): Promise<PlatformGroups> {
    return this.#groups.find(names)
  }

  missingRights(login: string): Promise<readonly PlatformRight[]> {
    return missingRights(this.#caller, requireLogin(login))
  }

  async openPositions(login: string): Promise<number> {
    const answer = await this.#caller.record('/api/position/get_total', { login: requireLogin(login) })
    return wholeNumber(answer, 'Total')
  }

  async serverTime(): Promise<Date> {
    const answer = await this.#caller.record('/api/time/server', {})
    return new Date(timeOf({ Time: textOf(answer, 'Time').split(' ')[0] }, 'Time'))
  }

  async health(): Promise<void> {
    await this.#caller.answer({ path: '/api/test/access', kind: 'question' })
  }

  async close(): Promise<void> {
    const { questions, writes } = this.#parts
    await Promise.all([questions.close(), ...(this.bulk === this ? [] : [writes.close(), this.bulk.close()])])
  }

  async #zone(): Promise<ServerZone> {
    const now = (await this.serverTime()).getTime()
    const offset = offsetBetween(now, this.#parts.now().getTime())
    const { days, before } = await this.#parts.clock()
    return serverZone({ days: new Map([...days, [tradingDay(now), offset]]), before }, offset)
  }

  /** Invalid values are silently ignored (webapi_user_update), so the record is read back. */
  async #update(login: string, field: string, value: string): Promise<void> {
    const body = { Login: requireLogin(login), [field]: value }
    await this.#caller.answer({ path: '/api/user/update', body, kind: 'repeatable' })
    const now = textOf(await this.#user(login), field)
    if (now !== value) throw new Rejected('not-taken', 'mt5:update', `${field} is still ${now}`)
  }

  async #user(login: string): Promise<Record<string, unknown>> {
    const user = await this.#caller.record('/api/user/get', { login: requireLogin(login) })
    if (user.Login !== login)
      throw new UnreadableValue('Login', 'value', user.Login, 'The platform answered for another account')
    return user
  }
}

/**
 * Explains retcode 8 of `user/add`, which the server returns for an unknown group and for a missing permission
 * (webapi_user_add): both are named.
 */
function explainOpenFailure(error: unknown, group: string): unknown {
  if (!(error instanceof Rejected) || error.reason !== 'no-permission') return error
  const text = `The platform has no group ${group}, or our login there may not open accounts in it`
  return new Rejected('no-permission', error.code, text)
}

function recordOrUnknown(answer: unknown): Record<string, unknown> {
  try {
    return recordOf(answer)
  } catch (error) {
    throw new Unknown('The response has no record', error)
  }
}

function requireLogin(login: string): string {
  if (!loginPattern.test(login)) throw new Rejected('not-found', 'mt5:13', 'Not a login')
  return login
}
