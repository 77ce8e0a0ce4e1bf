/**
 * A MetaTrader 4 server behind our gateway, contract v1 (integrations, MT4; simulators/README.md has it whole):
 * HTTPS and JSON, signed calls, an Idempotency-Key on each write, money as decimal strings.
 */
import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import { decimalOf, largestMinor } from '#rules/money.ts'
import type { Currency, Money } from '#rules/money.ts'
import { integrationUrl } from '../../address.ts'
import { jsonObject, httpClient, NotSent } from '../../http-client.ts'
import type { HttpResponse, HttpClient } from '../../http-client.ts'
import { Rejected, silentLog, Unavailable, Unknown } from '../../errors.ts'
import type { IntegrationLogger } from '../../errors.ts'
import { currencyNamed, exactAmount } from '../figures.ts'
import type {
  AccountReadings,
  BalanceOperation,
  BalanceOperationPage,
  NewPlatformAccount,
  OpenedAccount,
  PlatformAccount,
  PlatformGroup,
  PlatformRight,
  TradingServer,
} from '../trading-server.ts'
import * as answers from './answers.ts'
import { gatewaySignature } from './signature.ts'

const connectionsMax = 8
/** The shortest password of an MT4 account. */
const passwordLengthMin = 5
const hourMs = 3_600_000
const refPattern = /^[A-Za-z0-9-]{1,31}$/
const loginPattern = /^[1-9][0-9]{0,17}$/

export interface Mt4Options {
  /** https://host[:port] of the gateway. */
  url: string
  key: string
  secret: string
  ca?: string
  timeoutMs?: number
  now?: () => Date
  log?: IntegrationLogger
}

export function mt4(options: Mt4Options): TradingServer {
  return new Mt4(options)
}

type Kind = 'question' | 'repeatable' | 'once'

interface GatewayCall {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: object
  /** The Idempotency-Key of a write. */
  key?: string
  kind: Kind
}

/** UserRecord and TradeTransInfo keep texts of fixed lengths, whose last character is the end of the text. */
const lengths = { group: 15, name: 127, email: 47, country: 31 } as const

class Mt4 implements TradingServer {
  /** Calls do not wait for one another. */
  readonly bulk: TradingServer = this
  readonly #options: Mt4Options
  readonly #line: HttpClient
  readonly #now: () => Date
  readonly #log: IntegrationLogger

  constructor(options: Mt4Options) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
    this.#log = options.log ?? silentLog
    this.#line = httpClient({
      url: integrationUrl(options.url, 'The MT4 gateway'),
      timeoutMs: options.timeoutMs ?? 10_000,
      connectionsMax,
      publicOnly: false,
      ...(options.ca !== undefined && { ca: options.ca }),
    })
  }

  async createAccount(request: NewPlatformAccount): Promise<{ login: string }> {
    const { ref, group, name, email, country, leverage, main, investor } = request
    if (group.length > lengths.group) throw new Rejected('bad-input', 'mt4:bad_group', `No MT4 group is named ${group}`)
    const body = {
      group,
      name: inputText(name, lengths.name),
      email: inputText(email, lengths.email),
      country: inputText(country, lengths.country),
      leverage,
      comment: checkedRef(ref),
      passwords: { main, investor },
    }
    const call: GatewayCall = { method: 'POST', path: '/v1/accounts', body, key: `account-${ref}`, kind: 'once' }
    return this.#answer(call, answers.loginAnswer)
  }

  async findAccountByRef(ref: string): Promise<{ login: string } | null> {
    const path = `/v1/accounts?ref=${encodeURIComponent(checkedRef(ref))}`
    const { accounts } = await this.#answer({ method: 'GET', path, kind: 'question' }, answers.loginsAnswer)
    const found = accounts.find(({ comment }) => comment === ref)
    return found === undefined ? null : { login: found.login }
  }

  async setLeverage(login: string, leverage: number): Promise<void> {
    await this.#change(login, { leverage })
  }

  async setGroup(login: string, group: string): Promise<void> {
    await this.#change(login, { group })
  }

  async setEnabled(login: string, enabled: boolean): Promise<void> {
    await this.#change(login, { enabled })
  }

  async setPassword(login: string, kind: 'main' | 'investor', password: string): Promise<void> {
    const body = { type: kind, password }
    const path = `${accountPath(login)}/password`
    await this.#send({ method: 'POST', path, body, key: randomUUID(), kind: 'repeatable' })
  }

  async getAccount(login: string): Promise<PlatformAccount> {
    const readAt = this.#now()
    const account = await this.#account(login)
    const { currency } = account
    const { equity, margin, freeMargin, profit } = account
    return {
      balance: amountOf(account.balance, currency),
      credit: amountOf(account.credit, currency),
      ...(equity !== undefined && { equity: amountOf(equity, currency) }),
      ...(margin !== undefined && { margin: amountOf(margin, currency) }),
      ...(freeMargin !== undefined && { freeMargin: amountOf(freeMargin, currency) }),
      ...(profit !== undefined && { profit: amountOf(profit, currency) }),
      leverage: account.leverage,
      group: account.group,
      enabled: account.enabled,
      readAt,
    }
  }

  async applyBalance(operation: {
    ref: string
    login: string
    amount: Money
    checkMargin: boolean
  }): Promise<{ ticket: string }> {
    const { login, amount, checkMargin } = operation
    const ref = checkedRef(operation.ref)
    if (amount.minor === 0n) throw new TypeError('A balance operation of nothing')
    if (amount.minor > largestMinor || amount.minor < -largestMinor) {
      throw new Rejected('amount-too-large', 'mt4:amount', 'More than the platform takes at once')
    }
    const { currency } = await this.#account(login)
    if (currency !== amount.currency)
      throw new Rejected('wrong-currency', 'mt4:currency', `The account is in ${currency}`)
    const body = { amount: decimalOf(amount.minor), comment: ref, checkMargin }
    const path = `${accountPath(login)}/balance`
    const { ticket } = await this.#answer({ method: 'POST', path, body, key: ref, kind: 'once' }, answers.ticketAnswer)
    await this.#confirm(ticket, { login, ref, amount })
    return { ticket }
  }

  /** Throws if the answer is for another login, amount or reference (requirements 18.13). */
  async #confirm(ticket: string, sent: { login: string; ref: string; amount: Money }): Promise<void> {
    let found: { ticket: string; amount: Money } | null
    try {
      found = await this.findBalanceOperation(sent.login, sent.ref, this.#now())
    } catch (error) {
      throw new Unknown(`The operation ${ticket} could not be read back`, error)
    }
    if (found?.ticket !== ticket || found.amount.minor !== sent.amount.minor) {
      throw new Unknown(`The operation ${ticket} is not the one that was sent`)
    }
  }

  async findBalanceOperation(
    login: string,
    ref: string,
    around: Date,
  ): Promise<{ ticket: string; amount: Money } | null> {
    const server = (await this.serverTime()).getTime()
    const times = [around.getTime(), this.#now().getTime(), server]
    const from = new Date(Math.min(...times) - hourMs)
    const to = new Date(Math.max(...times) + hourMs)
    const operations = await this.#operations(login, from, to, checkedRef(ref))
    const found = operations.find(({ comment }) => comment === ref)
    return found === undefined ? null : { ticket: found.ticket, amount: found.amount }
  }

  balanceOperations(login: string, from: Date, to: Date): Promise<BalanceOperation[]> {
    return this.#operations(login, from, to, null)
  }

  async #operations(login: string, from: Date, to: Date, ref: string | null): Promise<BalanceOperation[]> {
    const { currency } = await this.#account(login)
    const operations: BalanceOperation[] = []
    let next: string | null = ''
    while (next !== null) {
      const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })
      if (ref !== null) query.set('ref', ref)
      if (next !== '') query.set('after', next)
      const path = `${accountPath(login)}/balance-operations?${query.toString()}`
      const page: z.infer<typeof answers.operationsAnswer> = await this.#answer(
        { method: 'GET', path, kind: 'question' },
        answers.operationsAnswer,
      )
      for (const row of page.operations) {
        if (row.login !== login) throw new Unavailable('The gateway answered for another account')
        const { ticket, comment } = row
        operations.push({ ticket, comment, amount: amountOf(row.amount, currency), at: new Date(row.at) })
      }
      next = page.next
    }
    return operations
  }

  async balanceOperationsSince(window: { from: Date; to: Date; after: string | null }): Promise<BalanceOperationPage> {
    const query = new URLSearchParams({ from: window.from.toISOString(), to: window.to.toISOString() })
    if (window.after !== null) query.set('after', window.after)
    const call: GatewayCall = { method: 'GET', path: `/v1/balance-operations?${query.toString()}`, kind: 'question' }
    const { operations, next } = await this.#answer(call, answers.allOperationsAnswer)
    return {
      operations: operations.map(({ ticket, login, currency, amount, comment, at }) => {
        return { ticket, login, comment, amount: amountOf(amount, currency), at: new Date(at) }
      }),
      next,
    }
  }

  accountsOpenedSince(): Promise<OpenedAccount[]> {
    return Promise.resolve([])
  }

  async openPositions(login: string): Promise<number> {
    const call: GatewayCall = { method: 'GET', path: `${accountPath(login)}/positions`, kind: 'question' }
    return (await this.#answer(call, answers.positionsAnswer)).positions.length
  }

  async readAccounts(): Promise<AccountReadings> {
    return this
  }

  async findGroups(names: readonly string[]): Promise<ReadonlyMap<string, PlatformGroup>> {
    const call: GatewayCall = { method: 'GET', path: '/v1/groups', kind: 'question' }
    const { groups } = await this.#answer(call, answers.groupsAnswer)
    const found = groups.filter(({ name }) => names.includes(name))
    return new Map(found.map(({ name, currency }) => [name, { currency: currencyNamed(currency), passwordLengthMin }]))
  }

  missingRights(): Promise<readonly PlatformRight[]> {
    return Promise.resolve([])
  }

  async serverTime(): Promise<Date> {
    const { time } = await this.#answer({ method: 'GET', path: '/v1/time', kind: 'question' }, answers.timeAnswer)
    return new Date(time)
  }

  async health(): Promise<void> {
    await this.serverTime()
  }

  close(): Promise<void> {
    this.#line.close()
    return Promise.resolve()
  }

  async #account(login: string): Promise<z.infer<typeof answers.accountAnswer>> {
    const account = await this.#answer(
      { method: 'GET', path: accountPath(login), kind: 'question' },
      answers.accountAnswer,
    )
    if (account.login !== login) throw new Unavailable('The gateway answered for another account')
    return account
  }

  /** Read back: what the platform did not take over is no success. */
  async #change(login: string, change: { leverage?: number; group?: string; enabled?: boolean }): Promise<void> {
    const path = accountPath(login)
    await this.#send({ method: 'PATCH', path, body: change, key: randomUUID(), kind: 'repeatable' })
    const now = await this.#account(login)
    for (const name of ['leverage', 'group', 'enabled'] as const) {
      if (change[name] !== undefined && change[name] !== now[name]) {
        throw new Rejected('not-taken', 'mt4:change', `${name} is still ${String(now[name])}`)
      }
    }
  }

  async #answer<Schema extends z.ZodMiniType>(call: GatewayCall, schema: Schema): Promise<z.output<Schema>> {
    const answer = schema.safeParse(await this.#send(call))
    if (answer.success) return answer.data
    if (call.kind === 'once') throw new Unknown(`${call.path}: the answer is not as agreed`)
    throw new Unavailable(`${call.path}: the answer is not as agreed`)
  }

  /** The answer's object; otherwise the failure that says what may be done next. */
  async #send(call: GatewayCall): Promise<Record<string, unknown>> {
    const { status, body } = await this.#exchange(call)
    const answer = jsonObject(body)
    if (status >= 200 && status < 300 && answer !== null) return answer
    const error = answers.errorAnswer.safeParse(answer)
    const code = error.success ? error.data.code : `http-${status}`
    const reason = answers.refusals[code]
    if (error.success && reason !== undefined) throw new Rejected(reason, `mt4:${code}`, error.data.message)
    this.#log.warn({ path: call.path, status, code }, 'MT4 gateway rejected a call')
    if (call.kind === 'once' && code !== 'busy') throw new Unknown(`The gateway answered ${code}`)
    throw new Unavailable(`The gateway answered ${code}`)
  }

  async #exchange(call: GatewayCall): Promise<HttpResponse> {
    const { method, path, key, kind } = call
    const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body))
    const seconds = String(Math.floor(Date.now() / 1000))
    const signature = gatewaySignature(this.#options.secret, { seconds, method, path, body: body ?? Buffer.alloc(0) })
    try {
      return await this.#line.send({
        method,
        path,
        headers: {
          accept: 'application/json',
          'x-gateway-key': this.#options.key,
          'x-gateway-time': seconds,
          'x-gateway-signature': signature,
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      })
    } catch (error) {
      this.#log.warn({ path, kind, problem: String(error) }, 'no response from the MT4 gateway')
      if (kind === 'once' && !(error instanceof NotSent)) throw new Unknown(`${path}: no answer`, error)
      throw new Unavailable(`${path}: no answer`, error)
    }
  }
}

function amountOf(text: string, currency: Currency): Money {
  const amount = exactAmount(text, currency)
  if (amount === null) throw new Unavailable('The gateway answered no amount')
  return amount
}

function accountPath(login: string): string {
  if (!loginPattern.test(login)) throw new Rejected('not-found', 'mt4:not_found', 'That is no login')
  return `/v1/accounts/${login}`
}

/** A person's text on its way to the platform: no control characters, and not longer than it keeps. */
function inputText(text: string, lengthMax: number): string {
  if (/\p{Cc}/u.test(text)) throw new Rejected('bad-input', 'mt4:input', 'Control characters are not sent')
  return [...text.toWellFormed()].slice(0, lengthMax).join('')
}

function checkedRef(ref: string): string {
  if (!refPattern.test(ref)) throw new TypeError(`Not a reference that fits a comment: ${ref}`)
  return ref
}
