/**
 * A MetaTrader 4 server behind our gateway, contract v2 (docs/mt4-gateway.md):
 * HTTPS and JSON, signed calls, an Idempotency-Key on each write, money as decimal strings.
 */
import { randomUUID } from 'node:crypto'
import { hourMs } from '#rules/dates.ts'
import { decimalOf, largestMinor, type Money } from '#rules/money.ts'
import { checkedRef } from '../identifiers.ts'
import { Rejected, Unavailable, Unknown } from '../../errors.ts'
import { parseCurrency } from '../figures.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import type {
  AccountReadings,
  BalanceOperation,
  BalanceOperationPage,
  FoundOperation,
  LiveFigures,
  NewBalanceOperation,
  NewPlatformAccount,
  OpenedAccount,
  PlatformAccount,
  PlatformGroup,
  PlatformGroups,
  PlatformRight,
  TradingServer,
} from '../trading-server.ts'
import { accountPath, figuresOf, newAccountFields, type WireAccount } from './accounts.ts'
import * as answers from './answers.ts'
import { GatewayCaller, type GatewayCall, type Mt4Options } from './caller.ts'
import { unreadableOpeningError, UnreadableValue, operationOf } from '../unreadable-records.ts'
import { allPages, pageAfter, pagePath, type PageQuery } from './pages.ts'
import { operationFrom, type ReadOperation } from './read-operation.ts'
import { Mt4TradeHistory } from './trade-history.ts'

export type { Mt4Options } from './caller.ts'

export function mt4(options: Mt4Options): TradingServer {
  return new Mt4(options)
}

/** The number of accounts that are read in one call, with their logins in its body. */
const accountsAtOnce = 1000
/** The number of accounts whose operations are read in one call, with their logins in its address. */
const operationsAtOnce = 100

interface OperationPage {
  readonly operations: readonly ReadOperation[]
  readonly next: string | null
}

class Mt4 implements TradingServer {
  readonly history: Mt4TradeHistory
  /** Calls do not wait for one another, so it is the same object. */
  readonly bulk: TradingServer = this
  readonly #caller: GatewayCaller
  readonly #now: () => Date

  constructor(options: Mt4Options) {
    this.#caller = new GatewayCaller(options)
    this.#now = options.now ?? (() => new Date())
    this.history = new Mt4TradeHistory(this.#caller, (logins) => this.#accountRecords(logins), this.#now)
  }

  async createAccount(request: NewPlatformAccount): Promise<{ login: string }> {
    checkedRef(request.ref)
    const body = newAccountFields(request)
    const call: GatewayCall = {
      method: 'POST',
      path: '/v2/accounts',
      body,
      key: `account-${request.ref}`,
      kind: 'once',
      sendBy: request.sendBy,
    }
    return this.#caller.answer(call, answers.loginAnswer)
  }

  async findAccountByRef(ref: string): Promise<{ login: string } | null> {
    const path = `/v2/accounts?ref=${encodeURIComponent(checkedRef(ref))}`
    const accounts = (await this.#caller.ask(path, answers.accountRecords)).accounts.map(answers.recordOf)
    const found = accounts.find(({ comment }) => comment === ref)
    const mayBeIt = found ?? accounts.find(({ comment }) => typeof comment !== 'string')
    if (mayBeIt === undefined) return null
    const login = answers.readField(answers.loginAnswer, mayBeIt)?.login
    if (found !== undefined && login !== undefined) return { login }
    const field = found === undefined ? 'comment' : 'login'
    throw unreadableOpeningError(field, login ?? '?', mayBeIt[field])
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
    await this.#caller.send({ method: 'POST', path, body, key: randomUUID(), kind: 'repeatable' })
  }

  async getAccount(login: string): Promise<PlatformAccount> {
    const readAt = this.#now()
    return figuresOf(await this.#account(login), readAt)
  }

  async applyBalance(operation: NewBalanceOperation): Promise<{ ticket: string }> {
    const { login, amount, checkMargin, sendBy } = operation
    const ref = checkedRef(operation.ref)
    if (amount.minor === 0n) throw new TypeError('A balance operation with amount zero')
    if (amount.minor > largestMinor || amount.minor < -largestMinor) {
      throw new Rejected('amount-too-large', 'mt4:amount', 'The amount is too large for the platform')
    }
    const { currency } = await this.#account(login)
    if (currency !== amount.currency)
      throw new Rejected('wrong-currency', 'mt4:currency', `The account is in ${currency}`)
    const body = { amount: decimalOf(amount.minor), comment: ref, checkMargin }
    const path = `${accountPath(login)}/balance`
    const { ticket } = await this.#caller.answer(
      { method: 'POST', path, body, key: ref, kind: 'once', sendBy },
      answers.ticketAnswer,
    )
    await this.#confirm(ticket, { login, ref, amount })
    return { ticket }
  }

  /** Throws if the response is for another login, amount or reference (requirements 18.13). */
  async #confirm(ticket: string, sent: { login: string; ref: string; amount: Money }): Promise<void> {
    let found: FoundOperation | null
    try {
      found = await this.findBalanceOperation(sent.login, sent.ref, this.#now())
    } catch (error) {
      throw new Unknown(`The operation ${ticket} could not be read back`, error)
    }
    if (found?.ticket !== ticket || found.amount.minor !== sent.amount.minor) {
      throw new Unknown(`The operation ${ticket} is not the one that was sent`)
    }
  }

  async findBalanceOperation(login: string, ref: string, around: Date): Promise<FoundOperation | null> {
    const server = (await this.serverTime()).getTime()
    const times = [around.getTime(), this.#now().getTime(), server]
    const from = new Date(Math.min(...times) - hourMs)
    const to = new Date(Math.max(...times) + hourMs)
    // Compared here: the gateway would leave out one whose comment it cannot read, which may be this one.
    return operationOf(await this.balanceOperations(login, from, to), checkedRef(ref))
  }

  async balanceOperations(login: string, from: Date, to: Date): Promise<BalanceOperation[]> {
    const { currency } = await this.#account(login)
    const operations: BalanceOperation[] = []
    const path = `${accountPath(login)}/balance-operations`
    const read = (after: string | null) =>
      this.#caller.ask(pagePath(path, { from, to, after }), answers.operationRecords)
    for await (const page of allPages(read)) {
      for (const record of page.operations) {
        const { login: owner, at, ...operation } = operationFrom(record, { login, currency })
        if (owner !== login) throw new Unavailable('The gateway returned a record of another account')
        operations.push({ ...operation, at: at ?? from })
      }
    }
    return operations
  }

  async #allOperations(window: { from: Date; to: Date; logins: string }): Promise<ReadOperation[]> {
    const operations: ReadOperation[] = []
    for await (const page of allPages((after) => this.#operationPage({ ...window, after })))
      operations.push(...page.operations)
    return operations
  }

  async balanceOperationsSince(window: { from: Date; to: Date; after: string | null }): Promise<BalanceOperationPage> {
    const { operations, next } = await pageAfter(window.after, (after) => this.#operationPage({ ...window, after }))
    return { operations: operations.map(({ at, ...operation }) => ({ ...operation, at: at ?? window.from })), next }
  }

  async #operationPage(query: PageQuery): Promise<OperationPage> {
    const path = pagePath('/v2/balance-operations', query)
    const { operations, next } = await this.#caller.ask(path, answers.operationRecords)
    return { operations: operations.map((record) => operationFrom(record)), next }
  }

  accountsOpenedSince(): Promise<OpenedAccount[]> {
    return Promise.resolve([])
  }

  async openPositions(login: string): Promise<number> {
    return (await this.#account(login)).openPositions
  }

  /** Reads the balances of a thousand accounts per call, and the operations of a hundred page by page. */
  async readAccounts(logins: readonly string[], { from, to }: { from: Date; to: Date }): Promise<AccountReadings> {
    const readAt = this.#now()
    const records = (await this.#accountRecords(logins)).map(answers.recordOf)
    const accounts = new Map(records.map((record) => [record['login'], record]))
    const operations: ReadOperation[] = []
    for (const some of splitIntoParts(logins, operationsAtOnce))
      operations.push(...(await this.#allOperations({ from, to, logins: some.join(',') })))
    // An operation of none of these accounts may belong to any of them: each account's own list shows its owner.
    const asked = new Set(logins)
    const isOwnerless = operations.some(({ login }) => !asked.has(login))
    const read = async (login: string): Promise<WireAccount> => {
      const record = accounts.get(login)
      // Its absence from a list does not prove that an account does not exist.
      return record === undefined ? this.#account(login) : answers.accountOf(record)
    }
    return {
      getAccount: async (login) => figuresOf(await read(login), readAt),
      openPositions: async (login) => (await read(login)).openPositions,
      balanceOperations: async (login, since, until) => {
        if (isOwnerless || since < from || until > to) return this.balanceOperations(login, since, until)
        await read(login)
        return operations
          .filter((one) => one.login === login)
          .map(({ at, ...operation }) => ({ ...operation, at: at ?? since }))
          .filter(({ at }) => at >= since && at <= until)
      },
    }
  }

  async readFigures(accounts: Parameters<TradingServer['readFigures']>[0]): Promise<ReadonlyMap<string, LiveFigures>> {
    const readAt = this.#now()
    const currencies = new Map(accounts.map(({ login, currency }) => [login, currency]))
    const read = (await this.#accounts([...currencies.keys()])).filter(
      ({ login, currency }) => currencies.get(login) === currency,
    )
    const open = read.length === 0 ? null : await this.history.openNow(read.map(({ login }) => login))
    return new Map(
      read.map((account) => {
        const { login, openPositions } = account
        return [login, { ...figuresOf(account, readAt), openPositions, trades: open?.get(login) ?? null }]
      }),
    )
  }

  async findGroups(names: readonly string[]): Promise<PlatformGroups> {
    const { groups } = await this.#caller.ask('/v2/groups', answers.groupRecords)
    const found = new Map<string, PlatformGroup>()
    let isComplete = true
    for (const record of groups.map(answers.recordOf)) {
      const name = answers.readField(answers.group.name, record['name'])
      isComplete &&= name !== null
      if (name === null || !names.includes(name)) continue
      const currency = parseCurrency(answers.readField(answers.group.currency, record['currency']))
      found.set(name, {
        currency,
        passwordLengthMin: answers.readField(answers.group.passwordMin, record['passwordMin']),
      })
    }
    return { found, isComplete }
  }

  async missingRights(): Promise<readonly PlatformRight[]> {
    return (await this.#caller.ask('/v2/rights', answers.rightsAnswer)).missing
  }

  async serverTime(): Promise<Date> {
    const { time } = await this.#caller.ask('/v2/time', answers.timeAnswer)
    return new Date(time)
  }

  async health(): Promise<void> {
    await this.serverTime()
  }

  close(): Promise<void> {
    this.#caller.close()
    return Promise.resolve()
  }

  /** Returns the accounts that exist on the platform, except those that cannot be read. */
  async #accounts(logins: readonly string[]): Promise<WireAccount[]> {
    return answers.readableRecords(answers.accountAnswer, await this.#accountRecords(logins))
  }

  /** Returns the records of the accounts that exist on the platform, a thousand per call. */
  async #accountRecords(logins: readonly string[]): Promise<unknown[]> {
    const found: unknown[] = []
    for (const some of splitIntoParts(logins, accountsAtOnce)) {
      const body = { logins: some }
      found.push(...(await this.#caller.askByBody('/v2/accounts/read', body, answers.accountRecords)).accounts)
    }
    // If two records name the same account, one belongs to another account: the account is read alone.
    const named = Map.groupBy(found, (record) => String(answers.recordOf(record).login))
    return [...named.values()].flatMap((own) => (own.length === 1 ? own : []))
  }

  async #account(login: string): Promise<WireAccount> {
    const record = await this.#caller.send({ method: 'GET', path: accountPath(login), kind: 'question' })
    const account = answers.accountOf(record)
    if (account.login !== login)
      throw new UnreadableValue('login', 'value', account.login, 'The gateway returned a record of another account')
    return account
  }

  /** The account is read back, because a change that the platform did not apply is not a success. */
  async #change(login: string, change: { leverage?: number; group?: string; enabled?: boolean }): Promise<void> {
    const path = accountPath(login)
    await this.#caller.send({ method: 'PATCH', path, body: change, key: randomUUID(), kind: 'repeatable' })
    const now = await this.#account(login)
    for (const name of ['leverage', 'group', 'enabled'] as const) {
      if (change[name] !== undefined && change[name] !== now[name]) {
        throw new Rejected('not-taken', 'mt4:change', `${name} is still ${String(now[name])}`)
      }
    }
  }
}
