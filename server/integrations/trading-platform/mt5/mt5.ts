/** A MetaTrader 5 server through its Web API, REST form (integrations, MT5). */
import { decimalOf, largestMinor } from '#rules/money.ts'
import type { Currency, Money } from '#rules/money.ts'
import { integrationUrl } from '../../address.ts'
import { Rejected, silentLog, Unavailable, Unknown } from '../../errors.ts'
import type { IntegrationLogger } from '../../errors.ts'
import { currencyNamed, exactAmount, figure } from '../figures.ts'
import type {
  BalanceOperation,
  BalanceOperationPage,
  NewPlatformAccount,
  OpenedAccount,
  PlatformAccount,
  TradingServer,
} from '../trading-server.ts'
import { openedAccounts } from './opened-accounts.ts'
import { done, notFound, refusals, tooFrequent } from './retcodes.ts'
import { Mt5Session } from './session.ts'
import type { Mt5Call, SessionOptions } from './session.ts'
import { inputText, listOf, recordOf, textOf } from './values.ts'

const balanceAction = '2'
const enabledRight = 1
const pageSize = 100
const hourMs = 3_600_000
const quarterHourMs = 900_000
/** A page of a group's deals covers at most this: the server answers a group's deals all at once. */
const sliceSeconds = 6 * 3600
/** A write leaves within this time or not at all: the operation's lease (45 s) must outlive its answer. */
const sendWithinMs = 20_000
const refPattern = /^[A-Za-z0-9-]{1,31}$/
const loginPattern = /^[1-9][0-9]{0,17}$/

export interface Mt5Options {
  /** https://host[:port] of the access server. */
  url: string
  /** The manager account and its API password. */
  login: string
  password: string
  ca?: string
  timeoutMs?: number
  now?: () => Date
  log?: IntegrationLogger
}

export function mt5(options: Mt5Options): TradingServer {
  return new Mt5(options)
}

class Mt5 implements TradingServer {
  /** Two sessions, so that neither a hanging write holds up what people look at, nor the reverse. */
  readonly #questions: Mt5Session
  readonly #writes: Mt5Session
  readonly #now: () => Date
  /** A group's currency never changes, and an account never changes its currency (retcode 3010). */
  readonly #currencies = new Map<string, Currency>()

  constructor(options: Mt5Options) {
    this.#now = options.now ?? (() => new Date())
    const session: SessionOptions = {
      url: integrationUrl(options.url, 'The MT5 address'),
      login: options.login,
      password: options.password,
      timeoutMs: options.timeoutMs ?? 10_000,
      log: options.log ?? silentLog,
      ...(options.ca !== undefined && { ca: options.ca }),
    }
    this.#questions = new Mt5Session(session)
    this.#writes = new Mt5Session(session)
  }

  async createAccount(request: NewPlatformAccount): Promise<{ login: string }> {
    const answer = await this.#answer({
      path: '/api/user/add',
      query: {
        group: inputText(request.group, 63),
        name: inputText(request.name, 127),
        leverage: String(request.leverage),
      },
      body: {
        PassMain: request.main,
        PassInvestor: request.investor,
        Email: inputText(request.email, 63),
        Country: inputText(request.country, 31),
        Comment: checkedRef(request.ref),
      },
      kind: 'once',
      sendBy: performance.now() + sendWithinMs,
    })
    const { Login: login, Comment: comment } = recordOrUnknown(answer)
    if (typeof login !== 'string' || !loginPattern.test(login) || comment !== request.ref) {
      throw new Unknown('The new account in the answer is not the one asked for')
    }
    return { login }
  }

  async findAccountByRef(ref: string, group?: string): Promise<{ login: string } | null> {
    const wanted = checkedRef(ref)
    const names = await this.#groups()
    const ordered = group === undefined ? names : [group, ...names.filter((name) => name !== group)]
    for (const name of ordered) {
      const users = await this.#absentAs([], { path: '/api/user/get_batch', query: { group: name }, kind: 'question' })
      const found = listOf(users).find((user) => textOf(user, 'Comment') === wanted || textOf(user, 'ID') === wanted)
      if (found !== undefined) return { login: textOf(found, 'Login') }
    }
    return null
  }

  async setLeverage(login: string, leverage: number): Promise<void> {
    await this.#update(login, 'Leverage', String(leverage))
  }

  async setGroup(login: string, group: string): Promise<void> {
    await this.#update(login, 'Group', inputText(group, 63))
  }

  async setEnabled(login: string, enabled: boolean): Promise<void> {
    const rights = Number(textOf(await this.#user(login), 'Rights'))
    const wanted = enabled ? rights | enabledRight : rights & ~enabledRight
    if (wanted !== rights) await this.#update(login, 'Rights', String(wanted))
  }

  async setPassword(login: string, kind: 'main' | 'investor', password: string): Promise<void> {
    const body = { Login: checkedLogin(login), Type: kind, Password: password }
    await this.#answer({ path: '/api/user/change_password', query: {}, body, kind: 'repeatable' })
  }

  async getAccount(login: string): Promise<PlatformAccount> {
    const readAt = this.#now()
    const user = await this.#user(login)
    const group = textOf(user, 'Group')
    const currency = await this.#currencyOf(group)
    const question: Mt5Call = { path: '/api/user/account/get', query: { login }, kind: 'question' }
    const state = await this.#absentAs(null, question)
    const source = state === null ? user : recordOf(state)
    const read = (name: string) => {
      const amount = figure(source[name], currency)
      if (amount === null) throw new Unavailable(`The platform's ${name} is no amount`)
      return amount
    }
    const rights = Number(textOf(user, 'Rights'))
    return {
      balance: read('Balance'),
      credit: read('Credit'),
      ...(state !== null && {
        equity: read('Equity'),
        margin: read('Margin'),
        freeMargin: read('MarginFree'),
        profit: read('Profit'),
      }),
      leverage: Number(textOf(user, 'Leverage')),
      group,
      enabled: (rights & enabledRight) !== 0,
      readAt,
    }
  }

  async applyBalance(operation: {
    ref: string
    login: string
    amount: Money
    checkMargin: boolean
  }): Promise<{ ticket: string }> {
    const sendBy = performance.now() + sendWithinMs
    const { amount, login } = operation
    const comment = checkedRef(operation.ref)
    if (amount.minor === 0n) throw new TypeError('A balance operation of nothing')
    if (amount.minor > largestMinor || amount.minor < -largestMinor) {
      throw new Rejected('amount-too-large', 'mt5:4005', 'More than the platform takes at once')
    }
    const currency = await this.#currencyOf(textOf(await this.#user(login), 'Group'))
    if (currency !== amount.currency) throw new Rejected('wrong-currency', 'mt5:3010', `The account is in ${currency}`)
    const answer = await this.#answer({
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
    if (typeof ticket !== 'string' || !loginPattern.test(ticket)) throw new Unknown('The answer carries no ticket')
    await this.#confirmDeal(ticket, { login, amount, comment })
    return { ticket }
  }

  /** Throws if the answer is for another login, amount or reference (requirements 18.13). */
  async #confirmDeal(ticket: string, expected: { login: string; amount: Money; comment: string }): Promise<void> {
    let deal: Record<string, unknown>
    try {
      deal = recordOf(await this.#answer({ path: '/api/deal/get', query: { ticket }, kind: 'question' }))
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

  async findBalanceOperation(
    login: string,
    ref: string,
    around: Date,
  ): Promise<{ ticket: string; amount: Money } | null> {
    const wanted = checkedRef(ref)
    const offsetMs = await this.#offsetMs()
    // The window covers the whole time from sending until now, in either clock: a search too narrow would say "absent".
    const times = [around.getTime(), around.getTime() + offsetMs, this.#now().getTime() + offsetMs]
    const from = Math.min(...times) - hourMs
    const to = Math.max(...times) + hourMs
    const deals = await this.#balanceDeals(login, from, to)
    const found = deals.find((deal) => deal.comment === wanted)
    return found === undefined ? null : { ticket: found.ticket, amount: found.amount }
  }

  async balanceOperations(login: string, from: Date, to: Date): Promise<BalanceOperation[]> {
    const offsetMs = await this.#offsetMs()
    const deals = await this.#balanceDeals(login, from.getTime() + offsetMs, to.getTime() + offsetMs)
    return deals.map(({ time, ...deal }) => ({ ...deal, at: new Date(time - offsetMs) }))
  }

  /**
   * Group by group, since the server pages only the deals of one login (webapi_deal_get_batch): a page is one group over
   * some hours, and `after` names both. Groups in currencies that are not dealt with here hold no money of ours.
   */
  async balanceOperationsSince(window: { from: Date; to: Date; after: string | null }): Promise<BalanceOperationPage> {
    const offsetMs = await this.#offsetMs()
    const [first, last] = [Math.floor(window.from.getTime() / 1000), Math.ceil(window.to.getTime() / 1000)]
    const groups = (await this.#groups()).filter((name) => this.#currencies.has(name)).toSorted()
    const [, from = String(first), name = ''] = /^(\d+) (.*)$/.exec(window.after ?? '') ?? []
    const group = groups.find((one) => one >= name)
    if (group === undefined) return { operations: [], next: null }
    const begin = group === name ? Number(from) : first
    const end = Math.min(begin + sliceSeconds, last + 1)
    const ahead = offsetMs / 1000
    const query = { group, from: String(begin + ahead), to: String(end - 1 + ahead) }
    const deals = listOf(await this.#absentAs([], { path: '/api/deal/get_batch', query, kind: 'question' }))
    const currency = await this.#currencyOf(group)
    const operations = deals.flatMap((deal) => {
      const found = balanceDealOf(deal, currency)
      return found === null
        ? []
        : [{ ...found.deal, login: textOf(deal, 'Login'), at: new Date(found.time - offsetMs) }]
    })
    const following = groups.find((one) => one > group)
    if (end <= last) return { operations, next: `${end} ${group}` }
    return { operations, next: following === undefined ? null : `${first} ${following}` }
  }

  /** The names of all groups; the currencies of those that are dealt with here are known afterwards. */
  async #groups(): Promise<string[]> {
    const all = listOf(await this.#answer({ path: '/api/group/get', query: { mask: '*' }, kind: 'question' }))
    for (const record of all) {
      const currency = currencyNamed(record.Currency)
      if (currency !== null) this.#currencies.set(textOf(record, 'Group'), currency)
    }
    return all.map((record) => textOf(record, 'Group'))
  }

  async #balanceDeals(
    login: string,
    fromMs: number,
    toMs: number,
  ): Promise<{ ticket: string; amount: Money; comment: string; time: number }[]> {
    const currency = await this.#currencyOf(textOf(await this.#user(login), 'Group'))
    const window = { login, from: String(Math.floor(fromMs / 1000)), to: String(Math.ceil(toMs / 1000)) }
    const deals: { ticket: string; amount: Money; comment: string; time: number }[] = []
    for (let offset = 0; ; offset += pageSize) {
      const query = { ...window, offset: String(offset), total: String(pageSize) }
      const page = listOf(await this.#absentAs([], { path: '/api/deal/get_page', query, kind: 'question' }))
      for (const deal of page) {
        const found = deal.Login === login ? balanceDealOf(deal, currency) : null
        if (found !== null) deals.push({ ...found.deal, time: found.time })
      }
      if (page.length < pageSize) return deals
    }
  }

  async accountsOpenedSince(
    from: Date,
    known: (logins: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<OpenedAccount[]> {
    const ask = (path: string, query: Record<string, string>) => this.#absentAs([], { path, query, kind: 'question' })
    const offsetMs = await this.#offsetMs()
    return openedAccounts(ask, await this.#groups(), { from, offsetMs }, known)
  }

  async openPositions(login: string): Promise<number> {
    const query = { login: checkedLogin(login) }
    const answer = await this.#answer({ path: '/api/position/get_total', query, kind: 'question' })
    const total = Number(textOf(recordOf(answer), 'Total'))
    if (!Number.isInteger(total) || total < 0) throw new Unavailable('The number of positions is no number')
    return total
  }

  async serverTime(): Promise<Date> {
    const answer = await this.#answer({ path: '/api/time/server', kind: 'question' })
    const seconds = Number(textOf(recordOf(answer), 'Time').split(' ')[0])
    if (!Number.isInteger(seconds)) throw new Unavailable("The platform's time is no time")
    return new Date(seconds * 1000)
  }

  async health(): Promise<void> {
    await this.#answer({ path: '/api/test/access', kind: 'question' })
  }

  async close(): Promise<void> {
    await Promise.all([this.#questions.close(), this.#writes.close()])
  }

  /** Returns how far the platform's clock is ahead of ours: a whole number of quarter hours, being a time zone. */
  async #offsetMs(): Promise<number> {
    const ahead = (await this.serverTime()).getTime() - this.#now().getTime()
    return Math.round(ahead / quarterHourMs) * quarterHourMs
  }

  /** Wrong values are left unchanged without a word (webapi_user_update), so the record is read back. */
  async #update(login: string, field: string, value: string): Promise<void> {
    const body = { Login: checkedLogin(login), [field]: value }
    await this.#answer({ path: '/api/user/update', query: {}, body, kind: 'repeatable' })
    const now = textOf(await this.#user(login), field)
    if (now !== value) throw new Rejected('not-taken', 'mt5:update', `${field} is still ${now}`)
  }

  async #user(login: string): Promise<Record<string, unknown>> {
    const query = { login: checkedLogin(login) }
    const user = recordOf(await this.#answer({ path: '/api/user/get', query, kind: 'question' }))
    if (user.Login !== login) throw new Unavailable('The platform answered for another account')
    return user
  }

  async #currencyOf(group: string): Promise<Currency> {
    const known = this.#currencies.get(group)
    if (known !== undefined) return known
    const record = recordOf(await this.#answer({ path: '/api/group/get', query: { group }, kind: 'question' }))
    const currency = currencyNamed(record.Currency)
    if (currency === null) throw new Unavailable(`The group ${group} is in a currency that is not dealt with here`)
    this.#currencies.set(group, currency)
    return currency
  }

  /** The answer, or `absent` where the platform says that there is none. */
  async #absentAs(absent: unknown, call: Mt5Call): Promise<unknown> {
    try {
      return await this.#answer(call)
    } catch (error) {
      if (error instanceof Rejected && error.reason === 'not-found') return absent
      throw error
    }
  }

  /** The answer of a call that was done; otherwise the failure that says what may be done next. */
  async #answer(call: Mt5Call): Promise<unknown> {
    const { retcode, text, answer } = await (call.kind === 'question' ? this.#questions : this.#writes).call(call)
    if (done.includes(retcode)) return answer
    const reason = refusals.get(retcode)
    if (reason !== undefined && (call.kind !== 'question' || retcode === notFound || reason === 'no-permission')) {
      throw new Rejected(reason, `mt5:${retcode}`, `The platform answered ${text}`)
    }
    if (call.kind === 'once' && retcode !== tooFrequent) throw new Unknown(`The platform answered ${text}`)
    throw new Unavailable(`The platform answered ${text}`)
  }
}

/** Returns a deal that moved a balance, with its time by the platform's clock in ms; null for every other deal. */
function balanceDealOf(deal: Record<string, unknown>, currency: Currency) {
  if (deal.Action !== balanceAction) return null
  const amount = exactAmount(deal.Profit, currency)
  if (amount === null) throw new Unavailable('A balance deal has no exact amount')
  const time = Number(textOf(deal, 'Time')) * 1000
  return { deal: { ticket: textOf(deal, 'Deal'), amount, comment: textOf(deal, 'Comment') }, time }
}

function recordOrUnknown(answer: unknown): Record<string, unknown> {
  try {
    return recordOf(answer)
  } catch (error) {
    throw new Unknown('The answer carries no record', error)
  }
}

function checkedRef(ref: string): string {
  if (!refPattern.test(ref)) throw new TypeError(`Not a reference that fits a comment: ${ref}`)
  return ref
}

function checkedLogin(login: string): string {
  if (!loginPattern.test(login)) throw new Rejected('not-found', 'mt5:13', 'That is no login')
  return login
}
