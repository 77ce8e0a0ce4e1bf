/**
 * What a trading platform keeps: accounts, deals and open positions. Amounts are whole hundredths of the account's
 * currency. Both platforms' simulators work on it; they differ in their wire alone.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../process/clock.ts'
import type { State } from '../process/state.ts'

export interface Account {
  readonly login: string
  readonly group: string
  readonly name: string
  readonly email: string
  readonly country: string
  readonly leverage: number
  /** MT5's flags: 1 enabled, 4 trading disabled … */
  readonly rights: number
  readonly comment: string
  readonly id: string
  readonly balance: number
  readonly credit: number
  readonly registeredAt: number
  /** Further fields by their name on the wire. */
  readonly details?: Readonly<Record<string, string>>
  /** SHA-256 by kind: main, investor, api. */
  readonly passwords: Readonly<Record<string, string>>
}

export interface Deal {
  readonly ticket: string
  readonly login: string
  /** 0 buy, 1 sell, 2 balance, 3 credit, 4 charge, 5 correction, 6 bonus. */
  readonly action: number
  readonly amount: number
  readonly comment: string
  readonly time: number
  readonly symbol: string
  readonly position: string
  /** Of a trade: 0 opens a position, 1 closes one. */
  readonly entry?: 0 | 1
  readonly lots?: number
  readonly price?: number
  /** The price at which the position that it closes was opened. */
  readonly pricePosition?: number
  readonly storage?: number
  readonly commission?: number
}

/** What a deal says beyond its account, ticket and time. */
type DealFacts = Omit<Deal, 'ticket' | 'login' | 'time' | 'symbol' | 'position'> &
  Partial<Pick<Deal, 'symbol' | 'position'>>

export interface Position {
  readonly position: string
  readonly login: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly lots: number
  readonly price: number
  /** Size in the account's currency; its margin is a leverage-th of it. */
  readonly notional: number
  readonly profit: number
  readonly time: number
}

/** A pending order. */
export interface Order {
  readonly order: string
  readonly login: string
  readonly symbol: string
  readonly kind: string
  readonly lots: number
  readonly price: number
  readonly time: number
}

export interface Tables {
  accounts: Account
  deals: Deal
  positions: Position
  orders: Order
  settings: { offsetSeconds: number }
  answers: unknown
}

export interface Figures {
  readonly margin: number
  readonly freeMargin: number
  readonly profit: number
  readonly equity: number
  readonly positions: number
}

const amountMax = 1_000_000_000_00

export type Refusal = 'no money' | 'too much' | 'unknown login'

export class Store {
  readonly state: State<Tables>
  readonly clock: Clock
  /** Logins with some activity since this start; the MT5 account/get quirk depends on it. */
  readonly active = new Set<string>()
  readonly #firstLogin: number
  #lastTicket = 0

  constructor(state: State<Tables>, clock: Clock, firstLogin: number, firstTicket: number) {
    this.state = state
    this.clock = clock
    this.#firstLogin = firstLogin
    this.#lastTicket = Math.max(
      firstTicket - 1,
      ...numbers(state.rows('deals')),
      ...numbers(state.rows('positions')),
      ...numbers(state.rows('orders')),
    )
  }

  account(login: string): Account | undefined {
    return this.state.rows('accounts').get(login)
  }

  accounts(): Account[] {
    return [...this.state.rows('accounts').values()]
  }

  deals(login?: string): Deal[] {
    const deals = [...this.state.rows('deals').values()]
    return login === undefined ? deals : deals.filter((deal) => deal.login === login)
  }

  positions(login?: string): Position[] {
    const positions = [...this.state.rows('positions').values()]
    return login === undefined ? positions : positions.filter((position) => position.login === login)
  }

  orders(login: string): Order[] {
    return [...this.state.rows('orders').values()].filter((order) => order.login === login)
  }

  placeOrder(order: Omit<Order, 'order' | 'time'>): Order {
    const placed = { ...order, order: this.#nextTicket(), time: this.clock.seconds() }
    this.state.commit({ orders: { [placed.order]: placed } })
    return placed
  }

  figures(account: Account): Figures {
    const positions = this.positions(account.login)
    const profit = positions.reduce((sum, position) => sum + position.profit, 0)
    const margin = positions.reduce((sum, position) => sum + Math.round(position.notional / account.leverage), 0)
    const equity = account.balance + account.credit + profit
    return { margin, profit, equity, freeMargin: equity - margin, positions: positions.length }
  }

  openAccount(account: Omit<Account, 'login' | 'balance' | 'credit' | 'registeredAt'>): Account {
    const login = String(Math.max(this.#firstLogin - 1, ...numbers(this.state.rows('accounts'))) + 1)
    const opened = { ...account, login, balance: 0, credit: 0, registeredAt: this.clock.seconds() }
    this.state.commit({ accounts: { [login]: opened } })
    return opened
  }

  change(account: Account): void {
    this.state.commit({ accounts: { [account.login]: account } })
  }

  /** Returns a balance (2), credit (3) … operation; answers the deal, or why not. */
  applyMoney(input: {
    login: string
    action: number
    amount: number
    comment: string
    checkMargin: boolean
  }): Deal | Refusal {
    const account = this.account(input.login)
    if (account === undefined) return 'unknown login'
    if (Math.abs(input.amount) > amountMax) return 'too much'
    const purse = input.action === 3 ? account.credit : account.balance
    if (purse + input.amount < 0 && input.amount < 0) return 'no money'
    if (input.checkMargin && input.amount < 0 && -input.amount > this.figures(account).freeMargin) return 'no money'
    const changed =
      input.action === 3
        ? { ...account, credit: account.credit + input.amount }
        : { ...account, balance: account.balance + input.amount }
    return this.#deal(changed, { action: input.action, amount: input.amount, comment: input.comment })
  }

  /** Opens it with a deal of its own; `commission` is taken from the balance. */
  openPosition(position: Omit<Position, 'position' | 'time'>, commission = 0): Position {
    const account = this.account(position.login)
    if (account === undefined) throw new Error(`There is no account ${position.login}`)
    const opened = { ...position, position: this.#nextTicket(), time: this.clock.seconds() }
    const { symbol, lots, price, side } = position
    this.#deal(
      { ...account, balance: account.balance + commission },
      {
        action: side === 'buy' ? 0 : 1,
        entry: 0,
        amount: 0,
        comment: '',
        symbol,
        position: opened.position,
        lots,
        price,
        commission,
      },
      { [opened.position]: opened },
    )
    return opened
  }

  moveProfits(positions: readonly Position[]): void {
    this.state.commit({ positions: Object.fromEntries(positions.map((position) => [position.position, position])) })
  }

  /** Its profit, and what holding and closing it cost, go into the balance. */
  closePosition(position: Position, costs: { storage: number; commission: number }): void {
    const account = this.account(position.login)
    if (account === undefined) return
    const { storage, commission } = costs
    const changed = { ...account, balance: account.balance + position.profit + storage + commission }
    const { symbol, lots, price, profit } = position
    this.#deal(
      changed,
      {
        action: position.side === 'buy' ? 1 : 0,
        entry: 1,
        amount: profit,
        comment: '',
        symbol,
        position: position.position,
        lots,
        price,
        pricePosition: price,
        storage,
        commission,
      },
      { [position.position]: null },
    )
  }

  #deal(account: Account, facts: DealFacts, positions: Record<string, Position | null> = {}): Deal {
    const ticket = this.#nextTicket()
    const made: Deal = { symbol: '', position: '0', ...facts, ticket, login: account.login, time: this.clock.seconds() }
    this.active.add(account.login)
    this.state.commit({ accounts: { [account.login]: account }, deals: { [ticket]: made }, positions })
    return made
  }

  #nextTicket(): string {
    this.#lastTicket += 1
    return String(this.#lastTicket)
  }
}

function numbers(rows: ReadonlyMap<string, unknown>): number[] {
  return [[...rows.keys()].reduce((most, key) => Math.max(most, Number(key)), 0)]
}

export function passwordDigest(password: string): string {
  return createHash('sha256').update(password).digest('hex')
}

/** "-12.50" of -1250. */
export function decimal(hundredths: number): string {
  const sign = hundredths < 0 ? '-' : ''
  const whole = Math.abs(hundredths)
  return `${sign}${Math.trunc(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

/** Hundredths of "-12.50" or "-12.5"; null for anything else. */
export function hundredths(text: string): number | null {
  const match = /^([+-]?)(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text)
  if (match === null) return null
  const whole = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] === '-' ? -whole : whole
}
