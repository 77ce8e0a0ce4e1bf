/** SQL of trading accounts. Queries for clients take the `SignedInClientId` of the session. */
import type { AccountState } from '#rules/accounts.ts'
import type { ClientStatus, RequestType } from '#rules/choices.ts'
import { atLeastZero, money, type Currency } from '#rules/money.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { requireRow, row, rows, sql, type Connection, type Sql } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import type { AccountForStaff } from '../../office/account-for-staff.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { isConnected, type Dependencies, type Platform } from '../../dependencies.ts'
import type { Account } from '#contract/accounts.ts'
import { listAccountRequests } from '#contract/office/account-requests.ts'
import { recordsNamed } from '../../office/lists.ts'
import type { PlatformLogin } from '../../ledger/account-movements.ts'
import { snapshotAgeMs } from '../../ledger/account-snapshot.ts'
import { whereEquals, queue, type Columns } from '../../office/listing.ts'

/** An account without its balances. */
export interface TradingAccount {
  readonly id: AccountId
  readonly clientId: ClientId
  readonly requestType: RequestType
  readonly platform: Platform
  readonly accType: 'Standard' | 'ECN'
  readonly currency: Currency
  readonly leverage: number
  readonly demoBalanceMinor: bigint | null
  /** The reference of a demo account's starting balance; null for a live account. */
  readonly reference: string | null
  readonly clientStatus: ClientStatus
  readonly nickname: string
  readonly state: AccountState
  readonly login: string | null
  readonly firstPassword: Buffer | null
  readonly firstPasswordUntil: Date | null
  readonly reason: string | null
  readonly requestedAt: Date
  readonly decidedAt: Date | null
  readonly openedAt: Date | null
  /** The platform had disabled it or no longer had it when it was last read, so nothing can be credited to it. */
  readonly closed: boolean
  /** When the platform first reported that it has no such account. */
  readonly missingSince: Date | null
  readonly version: number
}

/** Whether the platform had disabled an account `a` or no longer had it when it was last read. */
export const accountClosed = sql`(a.missing_since is not null
  or coalesce((select not p.enabled from platform_figures p where p.account_id = a.id), false))`

export const accountColumns = sql`a.id, a.client_id as "clientId", a.request_type as "requestType", a.platform,
  a.acc_type as "accType", a.currency, a.leverage, a.demo_balance_minor as "demoBalanceMinor", a.reference,
  a.client_status as "clientStatus", a.nickname, a.state, a.login, a.first_password as "firstPassword",
  a.first_password_until as "firstPasswordUntil", a.reason, a.requested_at as "requestedAt",
  a.decided_at as "decidedAt", a.opened_at as "openedAt", a.version,
  ${accountClosed} as closed, a.missing_since as "missingSince"`

/** The balances of an account and the amount set aside. */
export interface AccountFigures {
  readonly balanceMinor: bigint | null
  readonly creditMinor: bigint | null
  readonly equityMinor: bigint | null
  readonly marginMinor: bigint | null
  readonly freeMarginMinor: bigint | null
  readonly openPositions: number | null
  readonly readAt: Date | null
  /** When the platform last responded with balances that were not stored. */
  readonly answeredAt: Date | null
  /** An operation of the account has been sent and is not settled, so no new balances are stored. */
  readonly isBooking: boolean
  readonly reservedMinor: bigint
  /** True until a demo account's starting balance is on the platform; its balances would be shown as zero before. */
  readonly demoBalanceOnItsWay: boolean
}

/** An account as its client sees it: balances, the amount set aside and the pending leverage change. */
export interface AccountWithBalances extends TradingAccount, AccountFigures {
  readonly ownerStatus: ClientStatus
  readonly leverageFrom: number | null
  readonly leverageTo: number | null
  readonly leverageSince: Date | null
  /** When the account was last read because it is watched. */
  readonly lookedAt: Date | null
}

export interface AccountFilter {
  readonly requestType: RequestType
  readonly currency: Currency | null
  readonly states: readonly AccountState[] | null
}

/** Returns a client's accounts with their balances, oldest first, in one statement. */
export async function accountsOf(
  connection: Connection,
  clientId: SignedInClientId,
  filter: AccountFilter,
): Promise<AccountWithBalances[]> {
  return selectAccounts(
    connection,
    clientId,
    sql`a.request_type = ${filter.requestType}
        and (${filter.currency}::text is null or a.currency = ${filter.currency})
        and (${filter.states}::text[] is null or a.state = any (${filter.states}::text[]))`,
  )
}

/** Returns the client's own account with its balances, by platform and number, or null. */
export async function ownAccountWithBalances(
  connection: Connection,
  clientId: SignedInClientId,
  platform: Platform,
  login: string,
): Promise<AccountWithBalances | null> {
  const found = await selectAccounts(connection, clientId, sql`a.platform = ${platform} and a.login = ${login}`)
  return found[0] ?? null
}

/** Returns any client's account with its balances, for staff only. */
export async function staffAccountWithBalances(
  connection: Connection,
  { id, clientId }: AccountForStaff,
): Promise<AccountWithBalances> {
  const [found] = await selectAccounts(connection, clientId, sql`a.id = ${id}`)
  if (!found) throw new Error('account not found')
  return found
}

function selectAccounts(connection: Connection, clientId: ClientId, wanted: Sql) {
  return rows<AccountWithBalances>(connection)`
    select ${accountColumns}, c.client_status as "ownerStatus", ${figureColumns},
        l.from_leverage as "leverageFrom", l.to_leverage as "leverageTo", l.requested_at as "leverageSince",
        k.looked_at as "lookedAt"
      from trading_accounts a join clients c on c.id = a.client_id
        left join platform_figures f on f.account_id = a.id
        left join watched_accounts k on k.account_id = a.id
        left join leverage_requests l on l.account_id = a.id and l.state in ('pending', 'processing')
      where a.client_id = ${clientId} and ${wanted}
      order by a.id limit 500`
}

/** An amount set aside on an account, and the request that it is for. */
export interface SetAside {
  readonly account: AccountId
  readonly amount: bigint
  readonly list: 'withdrawals' | 'transfers'
  readonly id: string
  readonly reference: string
}

/**
 * Returns the requests that money of these accounts is set aside for, newest first. Reads them only if there are any.
 */
export async function setAsideOf(
  connection: Connection,
  accounts: readonly Pick<AccountWithBalances, 'id' | 'reservedMinor'>[],
) {
  const ids = accounts.flatMap(({ id, reservedMinor }) => (reservedMinor > 0n ? [id] : []))
  if (ids.length === 0) return []
  return rows<SetAside>(connection)`
    select r.account_id as account, r.amount_minor as amount,
        case r.subject when 'withdrawal' then 'withdrawals' else 'transfers' end as list, r.record as id,
        coalesce(w.reference, t.reference) as reference
      from reservations r left join withdrawals w on r.subject = 'withdrawal' and w.id = r.record
        left join transfers t on r.subject = 'transfer' and t.id = r.record
      where r.account_id = any (${ids}::uuid[]) and r.released_at is null and coalesce(w.id, t.id) is not null
      order by r.created_at desc, r.id desc limit 100`
}

/**
 * Returns the balances and the amount set aside as the client sees them; null for a demo account whose starting
 * balance is not credited yet.
 */
export function clientBalances(
  account: Pick<
    AccountWithBalances,
    | 'currency'
    | 'balanceMinor'
    | 'equityMinor'
    | 'freeMarginMinor'
    | 'openPositions'
    | 'reservedMinor'
    | 'readAt'
    | 'demoBalanceOnItsWay'
  >,
) {
  const { reservedMinor, demoBalanceOnItsWay } = account
  const known = demoBalanceOnItsWay ? { balanceMinor: null, equityMinor: null, freeMarginMinor: null } : account
  const { balanceMinor: balance, equityMinor: equity, freeMarginMinor: freeMargin } = known
  const free = balance !== null && freeMargin !== null && freeMargin < balance ? freeMargin : balance
  return {
    balance,
    equity,
    freeMargin,
    openPositions: account.openPositions,
    // Unrealised losses may leave less than the reserved amount: nothing is available then, and never less than zero.
    available: free === null ? null : atLeastZero(money(free - reservedMinor, account.currency)).minor,
    reserved: reservedMinor,
    figuresAt: account.readAt,
  }
}

/** Whether a sent operation of the account `a` is not settled. */
const isBooking = sql`exists (select from operations o where o.kind = 'balance'
  and o.target = a.platform || ':' || a.login and o.state in ('sending', 'unknown'))`

/** Columns of the account `a` and its stored balances `f`. */
export const figureColumns: Columns<AccountFigures> = sql`f.balance_minor as "balanceMinor",
  f.credit_minor as "creditMinor", f.equity_minor as "equityMinor", f.margin_minor as "marginMinor",
  f.free_margin_minor as "freeMarginMinor", f.open_positions as "openPositions", f.read_at as "readAt",
  f.answered_at as "answeredAt", ${isBooking} as "isBooking",
  coalesce((select sum(amount_minor) from reservations r where r.account_id = a.id and r.released_at is null), 0)::bigint
    as "reservedMinor",
  a.request_type = 'demo' and exists (
    select from operations o where o.kind = 'balance' and o.target = a.platform || ':' || a.login
      and o.state in ('waiting', 'sending', 'unknown')) as "demoBalanceOnItsWay"`

/** The platform counts as responding for this long after a reading that was not stored. */
const answeredMs = 20_000

/** Returns why old balances are not replaced although the platform responds, or null if it does not. */
export function oldBalancesReason(
  { answeredAt, isBooking: booking }: Pick<AccountWithBalances, 'answeredAt' | 'isBooking'>,
  now: Date,
): Account['figuresHeld'] {
  if (answeredAt === null || snapshotAgeMs(answeredAt, now) >= answeredMs) return null
  return booking ? 'booking' : 'checking'
}

/** Returns the client's own account, or null also for another client's account. */
export async function ownAccountById(connection: Connection, clientId: SignedInClientId, id: string) {
  return row<TradingAccount>(connection)`
    select ${accountColumns} from trading_accounts a where a.id = ${uuidOrNull(id)}::uuid and a.client_id = ${clientId}`
}

/** Returns any client's account; throws if it does not exist. */
export async function accountById(connection: Connection, id: AccountId): Promise<TradingAccount> {
  return requireRow<TradingAccount>(connection)`select ${accountColumns} from trading_accounts a where a.id = ${id}`
}

/** Returns the client's own account by platform and number, or null. */
export async function ownAccountByNumber(
  connection: Connection,
  clientId: SignedInClientId,
  platform: Platform,
  login: string,
) {
  return row<TradingAccount>(connection)`select ${accountColumns} from trading_accounts a
      where a.platform = ${platform} and a.login = ${login} and a.client_id = ${clientId}`
}

/** An account from which or to which money can be moved. */
export type OpenAccount = TradingAccount & { readonly login: string }

/**
 * Returns the account that a payment request names; throws at the request's field if it is unknown, a demo or not
 * open.
 */
export function openAccount(account: TradingAccount | null, field: string): OpenAccount {
  if (!account) throw new Problem('account-unknown', { field })
  if (account.requestType === 'demo') throw new Problem('demo-account', { field })
  if (account.state !== 'approved' || account.login === null) throw new Problem('account-not-approved', { field })
  return { ...account, login: account.login }
}

/** Throws at a request's field if its account is on a platform that is not connected (requirements 24.68). */
export function assertConnected(
  dependencies: Pick<Dependencies, 'config'>,
  { platform }: { readonly platform: Platform },
  field: string,
): void {
  if (!isConnected(dependencies, platform)) throw new Problem('platform-not-connected', { field })
}

/** Returns an account in the form in which its balances are read from the platform. */
export function platformLogin({ id: accountId, platform, login, currency }: OpenAccount): PlatformLogin {
  return { accountId, platform, login, currency }
}

/** Returns the client's accounts with this number: each platform may have one. */
export async function ownAccountsByNumber(connection: Connection, clientId: SignedInClientId, login: string) {
  return rows<TradingAccount>(connection)`select ${accountColumns} from trading_accounts a
      where a.login = ${login} and a.client_id = ${clientId} order by a.id`
}

/** Returns an account for staff and operations, and locks it until the transaction ends. */
export async function lockAccount(connection: Connection, id: AccountId) {
  return row<TradingAccount>(connection)`select ${accountColumns} from trading_accounts a where a.id = ${id} for update`
}

/** The listing of account requests for staff. */
export const accountRequestListing = queue(listAccountRequests, {
  name: 'account-requests',
  tables: sql`trading_accounts a join clients c on c.id = a.client_id`,
  alias: 'a',
  sorts: { createdAt: { by: 'a.requested_at', type: 'timestamptz' } },
  waiting: ['pending', 'processing'],
  where: ({ platform }) => [whereEquals('a.platform', platform)],
  finds: (words) => recordsNamed(words, { table: 'trading_accounts', id: 'a.id', accounts: ['id'] }),
})
