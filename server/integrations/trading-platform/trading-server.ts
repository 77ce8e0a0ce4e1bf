/** A trading platform as the rest of the server sees it; `mt5/` and `mt4/` are the real ones. */
import type { Money } from '#rules/money.ts'

export { Rejected, Unavailable, Unknown } from '../errors.ts'

export interface NewPlatformAccount {
  /** Our account request's own id, at most 31 characters: the account is found again by it. */
  ref: string
  group: string
  name: string
  email: string
  country: string
  leverage: number
  main: string
  investor: string
}

export interface PlatformAccount {
  balance: Money
  credit: Money
  /** The four figures are absent where the platform keeps no trade state (no positions, nothing since its restart). */
  equity?: Money
  margin?: Money
  freeMargin?: Money
  profit?: Money
  leverage: number
  group: string
  enabled: boolean
  /** When the reading began, by our clock: an operation settled later may be missing in it. */
  readAt: Date
}

export interface BalanceOperation {
  ticket: string
  amount: Money
  comment: string
  at: Date
}

/** A page of the platform's balance operations, over all its accounts. */
export interface BalanceOperationPage {
  operations: (BalanceOperation & { login: string })[]
  /** The `after` of the next page; null after the last one. */
  next: string | null
}

/** An account as a platform lists it. */
export interface OpenedAccount {
  login: string
  group: string
  /** What it was opened under; empty where our login may not read it. */
  comment: string
  at: Date
}

/** Every call may throw `Unavailable`; what changes something may throw `Rejected` and, where so noted, `Unknown`. */
export interface TradingServer {
  /** Throws `Unknown` when it may have been opened: ask `findAccountByRef` then. */
  createAccount(request: NewPlatformAccount): Promise<{ login: string }>
  /** `group` only says where to look first. */
  findAccountByRef(ref: string, group?: string): Promise<{ login: string } | null>
  setLeverage(login: string, leverage: number): Promise<void>
  setPassword(login: string, kind: 'main' | 'investor', password: string): Promise<void>
  getAccount(login: string): Promise<PlatformAccount>
  /**
   * Credits (positive) or debits (negative) the account under `ref`, which becomes the deal's comment: 1 to 31
   * letters, digits and hyphens. Throws `Unknown` when it may have been applied: ask `findBalanceOperation` then.
   */
  applyBalance(operation: {
    ref: string
    login: string
    amount: Money
    checkMargin: boolean
  }): Promise<{ ticket: string }>
  /** `around` is our time of sending. Null is only worth something when it is said twice, 60 s apart. */
  findBalanceOperation(login: string, ref: string, around: Date): Promise<{ ticket: string; amount: Money } | null>
  balanceOperations(login: string, from: Date, to: Date): Promise<BalanceOperation[]>
  /**
   * The balance operations of every account from one time to another, by our clock, page by page: also those of accounts
   * that we do not know. A page may be empty and have a next one. What was carried out while it is read may be missing.
   */
  balanceOperationsSince(window: { from: Date; to: Date; after: string | null }): Promise<BalanceOperationPage>
  /**
   * The accounts that were opened since a moment, by our clock, in every group, but those that `known` answers. Empty where
   * the platform lists no accounts (MT4: the operator names them).
   */
  accountsOpenedSince(
    from: Date,
    known: (logins: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<OpenedAccount[]>
  openPositions(login: string): Promise<number>
  setGroup(login: string, group: string): Promise<void>
  setEnabled(login: string, enabled: boolean): Promise<void>
  /** The platform's clock, as it writes it into its deals; it may stand in another time zone. */
  serverTime(): Promise<Date>
  /** Resolves when a signed-in call is answered. */
  health(): Promise<void>
  /** Signs out and lets go of the connections. */
  close(): Promise<void>
}
