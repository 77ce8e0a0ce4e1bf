/** A platform's trades of an account. Times are the platform's own, in ms; amounts are minor units. */
import type { DealValues } from '#rules/closed-trades.ts'
import type { ServerZone } from './server-clock.ts'

/** The first field of a deal that cannot be read, and the deal as the platform sent it, without its comment. */
export interface Unreadable {
  readonly field: string
  /** What it should be; `missing`: the platform did not send it. */
  readonly reason: 'missing' | 'amount' | 'number' | 'time' | 'action'
  readonly raw: Readonly<Record<string, string>>
}

/** Values that cannot be read are zero or empty, with `unreadable`. */
export interface PlatformDeal extends DealValues {
  /** Empty if the deal cannot be stored: its number, account or time cannot be read. */
  readonly ticket: string
  readonly login: string
  readonly order: string
  readonly position: string
  readonly comment: string
  readonly time: number
  readonly unreadable?: Unreadable
}

export interface PlatformPosition {
  readonly ticket: string
  readonly login: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly lots: string
  readonly openPrice: string
  readonly price: string
  readonly stopLoss: string | null
  readonly takeProfit: string | null
  readonly swap: bigint
  readonly profit: bigint
  readonly time: number
}

export type OrderKind = 'buy-limit' | 'sell-limit' | 'buy-stop' | 'sell-stop' | 'buy-stop-limit' | 'sell-stop-limit'

export interface PlatformOrder {
  readonly ticket: string
  readonly login: string
  readonly symbol: string
  readonly kind: OrderKind
  readonly lots: string
  readonly price: string
  readonly stopLoss: string | null
  readonly takeProfit: string | null
  readonly time: number
}

/** The open trades of an account. */
export interface PlatformOpenTrades {
  readonly positions: readonly PlatformPosition[]
  readonly orders: readonly PlatformOrder[]
}

/** An account at the end of one of the platform's days, according to its report. */
export interface PlatformDayEnd {
  readonly login: string
  readonly day: string
  /** The offset of the platform's clock ahead of UTC on that day. */
  readonly offsetMs: number
  readonly balance: bigint
  readonly credit: bigint
  readonly floating: bigint
  readonly margin: bigint
}

/** Price and result of a position at a day's end, according to the day's full report. */
export type ReportedPosition = Pick<PlatformPosition, 'ticket' | 'openPrice' | 'price' | 'swap' | 'profit'>

/** Unrealised P&L and used margin; the margin is null if the platform does not report it. */
export interface CurrentFigures {
  readonly floating: bigint
  readonly margin: bigint | null
}

/** The deals of a part of a time, of all accounts in question. */
export interface DealsOfPart {
  readonly deals: readonly PlatformDeal[]
  /** The end of the part. */
  readonly toMs: number
}

/** Every call may throw `Unavailable`, or `Rejected` for a missing permission. */
export interface TradeHistory {
  /** Returns whether the platform provides trades; a MetaTrader 4 gateway of the contract's first edition does not. */
  isAvailable(): Promise<boolean>
  zone(): Promise<ServerZone>
  /** Returns the deals of accounts in any order, including both ends of the time. */
  deals(logins: readonly string[], fromMs: number, toMs: number): Promise<PlatformDeal[]>
  /**
   * Returns the deals of all accounts in some groups, including both ends of the time, in parts from the earliest to the
   * latest: a later part may fail after earlier ones were returned.
   */
  dealsOfGroups(groups: readonly string[], fromMs: number, toMs: number): AsyncIterable<DealsOfPart>
  /**
   * Returns the open trades of each account. One with an unreadable trade is left out, without affecting the others.
   */
  openTrades(logins: readonly string[]): Promise<ReadonlyMap<string, PlatformOpenTrades>>
  /** Returns the ends of days that have reports; none if our login may not read reports or none are created. */
  dayEnds(logins: readonly string[], fromMs: number, toMs: number): Promise<PlatformDayEnd[]>
  /**
   * Returns the positions open at a day's end by its full reports. An account without such a report is absent, as is
   * one whose report does not list positions.
   */
  reportedPositions(logins: readonly string[], day: string): Promise<ReadonlyMap<string, readonly ReportedPosition[]>>
  /** Returns the group of each login; one whose record cannot be read is absent, as is one that does not exist. */
  groupsOf(logins: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Returns profit and swap of the currently open positions, with their margin; zero without any. A login whose result
   * the platform does not report is absent, as is one that does not exist there.
   */
  currentFigures(logins: readonly string[]): Promise<ReadonlyMap<string, CurrentFigures>>
  /** Returns the totals of the platform's own deals of an account. */
  sums(login: string): Promise<{ balance: bigint; credit: bigint }>
}
