/** The interface of trading platforms; `mt5/` and `mt4/` implement it. */
import type { PlatformRight } from '#contract/office/platform-rights.ts'
import type { ClientStatus, Language } from '#rules/choices.ts'
import type { PlatformOpenTrades, TradeHistory } from './trade-history.ts'
import type { Currency, Money } from '#rules/money.ts'

export { Rejected, Unavailable, Unknown } from '../errors.ts'
export type { PlatformRight } from '#contract/office/platform-rights.ts'

/** A call that must not be sent twice. */
interface SentOnce {
  /** It is not sent later, by `performance.now()`, ms, because its sender's lease would end; at any time if absent. */
  sendBy?: number
}

export interface NewPlatformAccount extends SentOnce {
  /** Our account request's own id, at most 31 characters, by which the account is found. */
  ref: string
  group: string
  name: string
  email: string
  country: string
  leverage: number
  main: string
  investor: string
  /** Further personal data that the platform stores; each text is cut to its length there. */
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

/** Where to search for an account whose opening had no response. */
export interface AccountSearch {
  /** The group that was requested first, then those to which it may have been moved since. */
  groups: readonly string[]
  /** When it was first sent, or earlier, by our clock. */
  sentAt: Date
  /** Returns which of some logins belong to our accounts already. */
  known(logins: readonly string[]): Promise<ReadonlySet<string>>
}

/** A group on the platform. */
export interface PlatformGroup {
  currency: Currency | null
  /** The minimum password length of its accounts; null if it cannot be read. */
  passwordLengthMin: number | null
}

export interface PlatformGroups {
  /** By their names. */
  readonly found: ReadonlyMap<string, PlatformGroup>
  /** False if a group whose name cannot be read may be any of the others. */
  readonly isComplete: boolean
}

export interface PlatformAccount {
  balance: Money
  credit: Money
  /** The four amounts are absent if the platform keeps no trade state (no positions, nothing since its restart). */
  equity?: Money
  margin?: Money
  freeMargin?: Money
  profit?: Money
  leverage: number
  group: string
  enabled: boolean
  /** When the reading started, by our clock: an operation settled later may be missing in it. */
  readAt: Date
}

/** An account's balances for open pages, read for many accounts together. */
export interface LiveFigures extends Pick<
  PlatformAccount,
  'balance' | 'credit' | 'equity' | 'margin' | 'freeMargin' | 'profit' | 'readAt'
> {
  /** Null if one of the platform's positions has no readable account: it may be this account's. */
  openPositions: number | null
  /** Null if this reading does not contain it. */
  enabled: boolean | null
  /** Null if the platform shows them only in its terminal, or sent them in an invalid format. */
  trades: PlatformOpenTrades | null
}

/** A credit (positive) or debit (negative) of an account. */
export interface NewBalanceOperation extends SentOnce {
  ref: string
  login: string
  amount: Money
  checkMargin: boolean
}

/** An operation that was found by its reference. */
export interface FoundOperation {
  ticket: string
  amount: Money
}

export interface BalanceOperation {
  ticket: string
  /** Null if it, or the ticket, cannot be read. */
  amount: Money | null
  /** Null if it cannot be read. */
  comment: string | null
  at: Date
}

/** The results of reading many accounts together; each call throws like the platform's own. */
export type AccountReadings = Pick<TradingServer, 'getAccount' | 'openPositions' | 'balanceOperations'>

/** A page of the platform's balance operations of all its accounts. */
export interface BalanceOperationPage {
  /** The account is empty if it cannot be read. */
  operations: (BalanceOperation & { login: string })[]
  /** The `after` of the next page; null after the last one. */
  next: string | null
}

/** An account in the platform's list. */
export interface OpenedAccount {
  /** Null if it cannot be read. */
  login: string | null
  /** Null if its name cannot be read: none of its accounts is listed. */
  group: string | null
  /** The reference of its opening; empty if our login may not read it, null if it cannot be read. */
  comment: string | null
  at: Date
}

/** Every call may throw `Unavailable`; those that change something may throw `Rejected` and, if noted, `Unknown`. */
export interface TradingServer {
  /** Throws `Unknown` if it may have been opened: use `findAccountByRef` then. */
  createAccount(request: NewPlatformAccount): Promise<{ login: string }>
  /**
   * Throws `Unavailable` if the platform does not show the necessary data: null is returned only if the search was
   * complete.
   */
  findAccountByRef(ref: string, search: AccountSearch): Promise<{ login: string } | null>
  setLeverage(login: string, leverage: number): Promise<void>
  setPassword(login: string, kind: 'main' | 'investor', password: string): Promise<void>
  getAccount(login: string): Promise<PlatformAccount>
  /**
   * Credits (positive) or debits (negative) the account under `ref`, which becomes the deal's comment: 1 to 31 letters,
   * digits and hyphens. Throws `Unknown` if it may have been applied: use `findBalanceOperation` then.
   */
  applyBalance(operation: NewBalanceOperation): Promise<{ ticket: string }>
  /**
   * `around` is our time of sending. Null is only reliable if it is returned twice, 60 s apart. Throws `Unavailable` if
   * the operation, or one that may be it, cannot be read.
   */
  findBalanceOperation(login: string, ref: string, around: Date): Promise<FoundOperation | null>
  balanceOperations(login: string, from: Date, to: Date): Promise<BalanceOperation[]>
  /**
   * Returns the balance operations of all accounts in a time, by our clock, page by page, including accounts that we do
   * not know. A page may be empty and have a next one. Operations carried out during the reading may be missing.
   */
  balanceOperationsSince(window: { from: Date; to: Date; after: string | null }): Promise<BalanceOperationPage>
  /**
   * Returns the accounts that were opened since a time, by our clock, in all groups, except those that `known` returns;
   * also those of which it cannot be read whether they were, and each group whose accounts cannot be listed.
   * Empty if the platform lists no accounts (MT4: the operator names them).
   */
  accountsOpenedSince(from: Date, known: AccountSearch['known']): Promise<OpenedAccount[]>
  openPositions(login: string): Promise<number>
  /** Reads many accounts together, with their balance operations in a time, by our clock. */
  readAccounts(logins: readonly string[], window: { from: Date; to: Date }): Promise<AccountReadings>
  /**
   * Reads the balances of many accounts in few queries; an account that does not exist on the platform is not in the
   * result. `records`: also whether each is enabled, which may need a further query.
   */
  readFigures(
    accounts: readonly { readonly login: string; readonly currency: Currency }[],
    records: boolean,
  ): Promise<ReadonlyMap<string, LiveFigures>>
  /** Returns those of the named groups that exist on the platform and that our login may use. */
  findGroups(names: readonly string[]): Promise<PlatformGroups>
  /** Returns the permissions that our login lacks, as far as one of our accounts shows. */
  missingRights(login: string): Promise<readonly PlatformRight[]>
  setGroup(login: string, group: string): Promise<void>
  setEnabled(login: string, enabled: boolean): Promise<void>
  /** Returns the platform's clock as in its deals, which may be in another time zone. */
  serverTime(): Promise<Date>
  /** The same platform for work on many accounts, over a separate connection, so that it does not delay pages. */
  readonly bulk: TradingServer
  /** Trades; null if the platform shows them only in its terminal. */
  readonly history: TradeHistory | null
  /** Resolves when a signed-in call has a response. */
  health(): Promise<void>
  /** Signs out and closes the connections. */
  close(): Promise<void>
}
