/** A trading platform as the rest of the server sees it; `mt5/` and `mt4/` are the real ones. */
import type { PlatformRight } from '#contract/office/platform-rights.ts'
import type { ClientStatus, Language } from '#rules/choices.ts'
import type { PlatformOpenTrades, TradeHistory } from './trade-history.ts'
import type { Currency, Money } from '#rules/money.ts'

export { Rejected, Unavailable, Unknown } from '../errors.ts'
export type { PlatformRight } from '#contract/office/platform-rights.ts'

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
  /** What else a platform keeps of the person; each text is cut to what it takes. */
  person?: AccountHolder
}

export interface AccountHolder {
  firstName: string
  lastName: string
  phone: string
  address: string
  city: string
  state: string
  postcode: string
  language: Language
  status: ClientStatus
}

/** Where an account is looked for whose opening was not answered. */
export interface AccountSearch {
  /** The group that it was asked for in first, then those that it may have been moved into since. */
  groups: readonly string[]
  /** When it was sent, by our clock. */
  sentAt: Date
  /** Of some logins, those that belong to accounts of ours already. */
  known(logins: readonly string[]): Promise<ReadonlySet<string>>
}

/** A group as the platform has it. */
export interface PlatformGroup {
  currency: Currency | null
  /** The shortest password that its accounts may have. */
  passwordLengthMin: number
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

/** An account's figures as pages that stand open show them, read for many at once. */
export interface LiveFigures extends Pick<
  PlatformAccount,
  'balance' | 'credit' | 'equity' | 'margin' | 'freeMargin' | 'profit' | 'readAt'
> {
  openPositions: number
  /** Null where the platform shows them in its terminal alone, or did not tell them well. */
  trades: PlatformOpenTrades | null
}

export interface BalanceOperation {
  ticket: string
  amount: Money
  comment: string
  at: Date
}

/** Accounts as one reading of many found them; each call throws as the platform's own does. */
export type AccountReadings = Pick<TradingServer, 'getAccount' | 'openPositions' | 'balanceOperations'>

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
  /** Throws `Unavailable` where the platform does not show what would tell: absent is only said of what was seen. */
  findAccountByRef(ref: string, search: AccountSearch): Promise<{ login: string } | null>
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
  /** Reads many accounts at once, with their balance operations from one time to another, by our clock. */
  readAccounts(logins: readonly string[], window: { from: Date; to: Date }): Promise<AccountReadings>
  /** The figures of many accounts in few questions; an account that the platform does not have is not in the answer. */
  readFigures(
    accounts: readonly { readonly login: string; readonly currency: Currency }[],
  ): Promise<ReadonlyMap<string, LiveFigures>>
  /** The named groups that the platform has and that our login may use. */
  findGroups(names: readonly string[]): Promise<ReadonlyMap<string, PlatformGroup>>
  /** What our login may not do, as far as a look at one of our accounts shows it. */
  missingRights(login: string): Promise<readonly PlatformRight[]>
  setGroup(login: string, group: string): Promise<void>
  setEnabled(login: string, enabled: boolean): Promise<void>
  /** The platform's clock, as it writes it into its deals; it may stand in another time zone. */
  serverTime(): Promise<Date>
  /** The same platform for work on many accounts, over a connection of its own: no one who looks at a page waits for it. */
  readonly bulk: TradingServer
  /** Trades; null where the platform shows them in its terminal alone. */
  readonly history: TradeHistory | null
  /** Resolves when a signed-in call is answered. */
  health(): Promise<void>
  /** Signs out and lets go of the connections. */
  close(): Promise<void>
}
