/**
 * The data of a trading platform: accounts, deals and open positions. Amounts are integer hundredths of the account's
 * currency. The simulators of both platforms use it; they differ only in their protocol.
 */
import { createHash } from 'node:crypto'
import type { Clock, ClockSetting } from '../process/clock.ts'
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
  /** Further fields by their name in the protocol. */
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
  /** Of a trade: 0 opens a position, 1 closes one, 2 reverses one, 3 closes one by another. */
  readonly entry?: 0 | 1 | 2 | 3
  readonly lots?: number
  /** The lots that closed a position. */
  readonly closedLots?: number
  readonly price?: number
  /** The opening price of the position that it closes. */
  readonly pricePosition?: number
  readonly storage?: number
  readonly commission?: number
  readonly fee?: number
  /** MT5's reason: 0 client, 3 stop loss, 4 take profit, 5 stop-out … */
  readonly reason?: number
  readonly stopLoss?: number
  readonly takeProfit?: number
  /** When it was changed, in seconds of the server's clock. */
  readonly changedAt?: number
  /** Whether its order was deleted (MT4). */
  readonly deleted?: boolean
}

/** Actions that change the credit; 13 and 14 replace an older deal; every other one changes the balance. */
const creditActions = [3, 6, 20]
const cancelledActions = [13, 14]

/** Returns the totals of deals. */
export function sumsOf(deals: readonly Deal[]): { balance: number; credit: number } {
  const sums = { balance: 0, credit: 0 }
  for (const deal of deals) {
    if (!cancelledActions.includes(deal.action)) sums[totalChangedBy(deal.action)] += effectOnTotal(deal)
  }
  return sums
}

/** Returns which of the account's two totals an action changes. */
function totalChangedBy(action: number): 'balance' | 'credit' {
  return creditActions.includes(action) ? 'credit' : 'balance'
}

function effectOnTotal({ amount, storage = 0, commission = 0, fee = 0 }: Deal): number {
  return amount + storage + commission + fee
}

/** A deal's data besides its account and ticket; without a time it is made now. */
export type DealFacts = Omit<Deal, 'ticket' | 'login' | 'time' | 'symbol' | 'position'> &
  Partial<Pick<Deal, 'symbol' | 'position' | 'time'>>

export interface Position {
  readonly position: string
  readonly login: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly lots: number
  readonly price: number
  /** The size in the account's currency; its margin is this divided by the leverage. */
  readonly notional: number
  readonly profit: number
  /** Swap so far. */
  readonly storage?: number
  /** The cost of its opening, if it is charged at its closing. */
  readonly commission?: number
  readonly stopLoss?: number
  readonly takeProfit?: number
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

/** The open positions of an account at a midnight of the server's clock; there is no row without any. */
export interface Night {
  readonly login: string
  /** The midnight, in seconds. */
  readonly time: number
  readonly positions: readonly Position[]
}

export interface Tables {
  accounts: Account
  deals: Deal
  positions: Position
  orders: Order
  nights: Night
  settings: ClockSetting
  answers: unknown
}

export interface Figures {
  readonly margin: number
  readonly freeMargin: number
  /** Including the swap so far and the amount owed for opening. */
  readonly profit: number
  readonly storage: number
  readonly equity: number
  readonly positions: number
}

const amountMax = 1_000_000_000_00

type Refusal = 'no money' | 'too much' | 'unknown login'

export class Store {
  readonly state: State<Tables>
  readonly clock: Clock
  /** Logins with some activity since this start, on which MT5's account/get depends. */
  readonly active = new Set<string>()
  /** Whether the costs of opening change the balance at the closing (MT4) or immediately (MT5). */
  readonly chargesAtClose: boolean
  readonly #firstLogin: number
  #lastTicket = 0

  constructor(
    state: State<Tables>,
    clock: Clock,
    { firstLogin, firstTicket, chargesAtClose }: { firstLogin: number; firstTicket: number; chargesAtClose: boolean },
  ) {
    this.state = state
    this.clock = clock
    this.chargesAtClose = chargesAtClose
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
    return this.#rowsOf('deals', login)
  }

  positions(login?: string): Position[] {
    return this.#rowsOf('positions', login)
  }

  orders(login?: string): Order[] {
    return this.#rowsOf('orders', login)
  }

  /** Returns the rows of an account, or all. */
  #rowsOf<Name extends 'deals' | 'positions' | 'orders'>(name: Name, login?: string): Tables[Name][] {
    return [...this.state.rows(name).values()].filter((row) => login === undefined || row.login === login)
  }

  placeOrder(order: Omit<Order, 'order' | 'time'>): Order {
    const placed = { ...order, order: this.nextTicket(), time: this.clock.seconds() }
    this.state.commit({ orders: { [placed.order]: placed } })
    return placed
  }

  figures(account: Account): Figures {
    const positions = this.positions(account.login)
    const storage = positions.reduce((sum, position) => sum + (position.storage ?? 0), 0)
    const profit = positions.reduce((sum, { profit, commission = 0 }) => sum + profit + commission, storage)
    const margin = positions.reduce((sum, position) => sum + Math.round(position.notional / account.leverage), 0)
    const equity = account.balance + account.credit + profit
    return { margin, profit, storage, equity, freeMargin: equity - margin, positions: positions.length }
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

  /** Posts a balance (2), credit (3) … operation; returns the deal, or why not. */
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
    const purse = totalChangedBy(input.action)
    if (account[purse] + input.amount < 0 && input.amount < 0) return 'no money'
    if (input.checkMargin && input.amount < 0 && -input.amount > this.figures(account).freeMargin) return 'no money'
    return this.deal(account, { action: input.action, amount: input.amount, comment: input.comment })
  }

  moveProfits(positions: readonly Position[]): void {
    this.state.commit({ positions: Object.fromEntries(positions.map((position) => [position.position, position])) })
  }

  /** Writes a deal; its amounts are added to the account's balance or credit, with the positions that it changes. */
  deal(account: Account, facts: DealFacts, positions: Record<string, Position | null> = {}): Deal {
    const ticket = this.nextTicket()
    const now = this.clock.seconds()
    const made: Deal = { symbol: '', position: '0', time: now, ...facts, ticket, login: account.login }
    const purse = totalChangedBy(made.action)
    const changed = { ...(this.account(account.login) ?? account) }
    this.active.add(account.login)
    this.state.commit({
      accounts: { [account.login]: { ...changed, [purse]: changed[purse] + effectOnTotal(made) } },
      deals: { [ticket]: made },
      positions,
    })
    return made
  }

  /** Replaces a deal by another one under the same ticket; the account's totals change accordingly. */
  replaceDeal(before: Deal, after: Deal): void {
    const account = this.account(after.login)
    if (account === undefined) return
    const moved = (deal: Deal) => sumsOf([deal])
    const [was, is] = [moved(before), moved(after)]
    const changed = {
      ...account,
      balance: account.balance + is.balance - was.balance,
      credit: account.credit + is.credit - was.credit,
    }
    const kept = { ...after, changedAt: this.clock.seconds() }
    this.state.commit({ accounts: { [account.login]: changed }, deals: { [after.ticket]: kept } })
  }

  nextTicket(): string {
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
