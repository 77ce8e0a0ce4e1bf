/**
 * A platform's balances of an account, with the time of the reading. The platform determines the balance, the ledger
 * the movements; posting the trading result makes the two agree as of a reading (requirements 18.1).
 */
import { hourMs } from '#rules/dates.ts'
import { snapshotAgeSecondsMax } from '#rules/constants.ts'
import { add, money, minMoney, zero, type Currency, type Money } from '#rules/money.ts'
import type { Pool } from 'pg'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { row, run, type Connection, transaction, type Transaction, requireRow } from '../db/sql.ts'
import { isIntegrationError } from '../integrations/errors.ts'
import type {
  BalanceOperation,
  PlatformAccount,
  AccountReadings,
} from '../integrations/trading-platform/trading-server.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies, Platform } from '../dependencies.ts'
import { isStopped } from '../recovery/stopped-money.ts'
import { dealRef, judgeDeals, openForSigns, raiseDeals, isUndecidable } from './platform-deals.ts'
import { accountLiability, post } from './post.ts'
import { type PlatformLogin, lastMovement } from './account-movements.ts'
import { UnreadableValue } from '../integrations/trading-platform/unreadable-records.ts'
import { isMissing, recordFound, recordMissing } from './missing-accounts.ts'
import { recordUnreadableField, recordReadable, recordUnclear } from './unreadable-accounts.ts'

export interface AccountSnapshot {
  readonly balance: Money
  readonly credit: Money
  readonly equity: Money | null
  readonly margin: Money | null
  readonly freeMargin: Money | null
  readonly profit: Money | null
  /** Null if it is unknown, because one of the platform's positions has no readable account. */
  readonly openPositions: number | null
  readonly leverage: number
  readonly readAt: Date
}

interface SnapshotRow {
  balance_minor: bigint
  credit_minor: bigint
  equity_minor: bigint | null
  margin_minor: bigint | null
  free_margin_minor: bigint | null
  profit_minor: bigint | null
  open_positions: number | null
  leverage: number
  read_at: Date
}

/** The dependencies of a reading, including the key that verifies whose deals it contains. */
export interface SnapshotSource extends Pick<Dependencies, 'keys'> {
  readonly platforms: Readonly<Record<Platform, AccountReadings>>
}

const freshForMs = snapshotAgeSecondsMax * 1000
/** The clocks of several servers differ by less than this. */
const aheadMsMax = 60_000

/**
 * Returns the age of a reading in ms; infinite if its time is in the future, because the clock was set back
 * (requirements 33.10).
 */
export function snapshotAgeMs(readAt: Date, now: Date): number {
  const age = now.getTime() - readAt.getTime()
  return age < -aheadMsMax ? Infinity : age
}

/** Returns the last reading of an account, or null before the first. */
export async function cachedSnapshot(
  connection: Connection,
  accountId: AccountId,
  currency: Currency,
): Promise<AccountSnapshot | null> {
  const kept = await row<SnapshotRow>(connection)`select balance_minor, credit_minor, equity_minor, margin_minor,
  free_margin_minor, profit_minor, open_positions, leverage, read_at from platform_figures where account_id = ${accountId}`
  return kept && snapshotFrom(kept, currency)
}

function snapshotFrom(kept: SnapshotRow, currency: Currency): AccountSnapshot {
  const known = (minor: bigint | null) => (minor === null ? null : money(minor, currency))
  return {
    balance: money(kept.balance_minor, currency),
    credit: money(kept.credit_minor, currency),
    equity: known(kept.equity_minor),
    margin: known(kept.margin_minor),
    freeMargin: known(kept.free_margin_minor),
    profit: known(kept.profit_minor),
    openPositions: kept.open_positions,
    leverage: kept.leverage,
    readAt: kept.read_at,
  }
}

/** Returns the smaller of balance and free margin: the amount that could leave the account before reservations. */
export function withdrawableAmount(figures: Pick<AccountSnapshot, 'balance' | 'freeMargin'>): Money {
  return figures.freeMargin ? minMoney(figures.balance, figures.freeMargin) : figures.balance
}

/**
 * Returns a reading at most 15 minutes old: the stored one or a new one. Throws `platform-unavailable` (503) if the
 * platform gives none, `account-closed` if it no longer has the account, and `figures-old` (503) if the new reading is
 * not comparable with the ledger and the stored one is older.
 */
export async function freshSnapshot(
  pool: Pool,
  source: SnapshotSource,
  login: PlatformLogin,
  now: Date,
): Promise<AccountSnapshot> {
  const kept = await cachedSnapshot(pool, login.accountId, login.currency)
  if (kept && snapshotAgeMs(kept.readAt, now) < freshForMs) {
    // The platform is asked again for an account that it did not have: it may have been found since.
    const missing = await row(pool)`
      select from trading_accounts where id = ${login.accountId} and missing_since is not null`
    if (missing === null) return kept
  }
  const read = await fetchSnapshot(pool, source, login, now)
  if (snapshotAgeMs(read.readAt, now) < freshForMs) return read
  throw new Problem('figures-old')
}

/**
 * Reads the balances and stores them. A reading that started before the account's last settled operation, or while one
 * is in progress, or with a deal whose amount cannot be read, is not comparable with the ledger: it is discarded, and
 * the stored balances are returned. Throws `figures-old` (503) if there are none. If the platform no longer has the
 * account, records that and throws `account-closed`. `movement`: the result of `lastMovement` before the platform was
 * read, if that was before this call.
 */
export async function fetchSnapshot(
  pool: Pool,
  source: SnapshotSource,
  login: PlatformLogin,
  now: Date,
  movement?: string,
): Promise<AccountSnapshot> {
  const before = movement ?? (await lastMovement(pool, login))
  const platform = source.platforms[login.platform]
  const read = await queryPlatform(platform, login)
  if (read === 'missing') {
    await recordMissing(pool, login.accountId, now)
    throw new Problem('account-closed')
  }
  if ('failure' in read) {
    await recordUnreadableField(pool, login.accountId, read.failure, now)
    throw new Problem('platform-unavailable')
  }
  // The balance first, then its deals: movements in between are among the deals, and its balance is not posted.
  const agrees = read.account.balance.minor === (await accountLiability(pool, { accountId: login.accountId }))
  const deals = agrees ? null : await dealsOf(pool, platform, login, now)
  const stored = await transaction(pool, async (tx) => {
    await run(tx)`select 1 from trading_accounts where id = ${login.accountId} for update`
    await recordFound(tx, [login.accountId])
    await recordReadable(tx, login.accountId)
    const after = await lastMovement(tx, login)
    // While recovery is open the ledger lacks movements, so a difference is not a trading result.
    const booksStand = !(await isStopped(tx, 'accounts'))
    const isComparable = after === before && !after.startsWith('open') && booksStand
    const met = isComparable
      ? await bookResultIfComparable(tx, source, login, read.account.balance, { deals, now })
      : null
    return met === null ? keepStoredSnapshot(tx, login, now) : storeSnapshot(tx, login, read, { ...met, now })
  })
  // Thrown after the commit, so that what was recorded stays.
  if (stored === null) throw new Problem('figures-old')
  return stored
}

/** Records that the platform has responded with balances that are not stored, and returns the stored ones. */
async function keepStoredSnapshot(
  tx: Transaction,
  { accountId, currency }: PlatformLogin,
  now: Date,
): Promise<AccountSnapshot | null> {
  await run(tx)`update platform_figures set answered_at = ${now} where account_id = ${accountId}`
  return cachedSnapshot(tx, accountId, currency)
}

interface Reading {
  account: PlatformAccount
  openPositions: number
}

/** Returns `missing` if the platform answers that it has no such account, and why it gave no readable answer. */
async function queryPlatform(
  platform: AccountReadings,
  { login, currency }: PlatformLogin,
): Promise<Reading | 'missing' | { readonly failure: unknown }> {
  try {
    const account = await platform.getAccount(login).catch((error: unknown) => {
      if (!isMissing(error)) throw error
      return null
    })
    if (account === null) return 'missing'
    const { currency: platformCurrency } = account.balance
    if (platformCurrency !== currency)
      throw new UnreadableValue('Currency', 'value', platformCurrency, `The account is in ${platformCurrency}`)
    const openPositions = await platform.openPositions(login)
    return { account: openPositions === 0 ? fillMissingEquity(account) : account, openPositions }
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    return { failure: error }
  }
}

/**
 * Fills in the equity that MetaTrader 5 leaves out for accounts without activity since its restart. Without open
 * positions, equity and free margin are balance and credit.
 */
export function fillMissingEquity<Figures extends Pick<PlatformAccount, 'balance' | 'credit' | 'equity'>>(
  account: Figures,
): Figures {
  if (account.equity) return account
  const equity = add(account.balance, account.credit)
  const nothing = zero(equity.currency)
  return { ...account, equity, margin: nothing, freeMargin: equity, profit: nothing }
}

/** The platform's clock may be in another time zone than it reports. */
const slackMs = 26 * hourMs

/** Returns the account's balance deals since the last reading in which all were known. */
async function dealsOf(
  pool: Pool,
  platform: AccountReadings,
  { accountId, login }: PlatformLogin,
  now: Date,
): Promise<BalanceOperation[]> {
  const known = await requireRow<{ known: Date | null; opened: Date }>(pool)`
    select f.deals_known_at as known, coalesce(a.opened_at, a.requested_at) as opened
      from trading_accounts a left join platform_figures f on f.account_id = a.id where a.id = ${accountId}`
  const from = known.known ? known.known.getTime() - hourMs : known.opened.getTime() - slackMs
  try {
    return await platform.balanceOperations(login, new Date(from), new Date(now.getTime() + hourMs))
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    throw new Problem('platform-unavailable')
  }
}

interface Met {
  /**
   * The deals that the balance contains and the ledger lacks. Null keeps those of the balance stored before, because a
   * balance that equals the ledger may contain them together with something that reverses them.
   */
  readonly unposted: readonly string[] | null
}

/**
 * Posts the trading result if every deal is known; otherwise the unknown deal's discrepancy stops the account, or
 * recovery opens. Returns null if the reading is not comparable with the ledger.
 */
async function bookResultIfComparable(
  tx: Transaction,
  { keys }: SnapshotSource,
  login: PlatformLogin,
  balance: Money,
  { deals, now }: { deals: readonly BalanceOperation[] | null; now: Date },
): Promise<Met | null> {
  const result = balance.minor - (await accountLiability(tx, { accountId: login.accountId }))
  if (result === 0n) return { unposted: null }
  if (deals === null) return null
  const judged = await judgeDeals(tx, keys, login.platform, deals)
  if (judged.some(({ status }) => status === 'moving')) return null
  if (await openForSigns(tx, judged, now)) return null
  const unposted = judged.filter(({ status }) => status !== 'known')
  if (unposted.length > 0) {
    const owner = await requireRow<{ clientId: ClientId }>(tx)`
      select client_id as "clientId" from trading_accounts where id = ${login.accountId}`
    const account = { ...login, id: login.accountId, clientId: owner.clientId }
    await recordUnclear(tx, login.accountId, judged, now)
    await raiseDeals(tx, account, judged, { identity: { kind: 'clock' }, now })
    // The amount of such a deal does not belong to the client yet: no newer balance is stored that could be withdrawn.
    if (judged.some(isUndecidable)) return null
    return { unposted: unposted.map(({ ticket }) => dealRef(login.platform, ticket)) }
  }
  await bookTradingResult(tx, login, result, balance, now)
  await run(tx)`update platform_figures set deals_known_at = ${now} where account_id = ${login.accountId}`
  return { unposted: [] }
}

/** Posts platform balance minus ledger to the account's trading result, so that both agree as of this read. */
async function bookTradingResult(tx: Transaction, login: PlatformLogin, result: bigint, balance: Money, now: Date) {
  const account = { currency: login.currency, tradingAccount: login.accountId } as const
  await post(
    tx,
    now,
    {
      ref: `trading-result:${login.accountId}:${now.getTime()}:${balance.minor}`,
      kind: 'trading-result',
      subject: 'trading-account',
      record: login.accountId,
    },
    [
      { account: { kind: 'trading_result', ...account }, minor: result },
      { account: { kind: 'client', ...account }, minor: -result },
    ],
  )
}

async function storeSnapshot(
  tx: Transaction,
  login: PlatformLogin,
  read: Reading,
  { unposted, now }: Met & { readonly now: Date },
): Promise<AccountSnapshot> {
  const { account, openPositions } = read
  const kept = await requireRow<SnapshotRow>(tx)`
    insert into platform_figures (account_id, balance_minor, credit_minor, equity_minor, margin_minor,
        free_margin_minor, profit_minor, open_positions, leverage, enabled, read_at, unposted_deals)
      values (${login.accountId}, ${account.balance.minor}, ${account.credit.minor}, ${account.equity?.minor ?? null},
        ${account.margin?.minor ?? null}, ${account.freeMargin?.minor ?? null}, ${account.profit?.minor ?? null},
        ${openPositions}, ${account.leverage}, ${account.enabled}, ${now},
        coalesce(${unposted}::text[], '{}'))
      on conflict (account_id) do update set balance_minor = excluded.balance_minor,
        credit_minor = excluded.credit_minor, equity_minor = excluded.equity_minor,
        margin_minor = excluded.margin_minor, free_margin_minor = excluded.free_margin_minor,
        profit_minor = excluded.profit_minor, open_positions = excluded.open_positions,
        leverage = excluded.leverage, enabled = excluded.enabled, read_at = excluded.read_at,
        unposted_deals = coalesce(${unposted}::text[], platform_figures.unposted_deals)
      returning balance_minor, credit_minor, equity_minor, margin_minor, free_margin_minor, profit_minor,
        open_positions, leverage, read_at`
  return snapshotFrom(kept, login.currency)
}

/**
 * Applies a posted deal to the stored balances, in the transaction that posts it, so that money that has left is not
 * shown or used until the next reading. Does nothing if they were read after the deal and contain it. `deal`: as
 * `dealRef` names it. Only the time of reading is unchanged.
 */
export async function adjustSnapshot(
  tx: Transaction,
  { accountId, deal, amount }: { readonly accountId: AccountId; readonly deal: string; readonly amount: Money },
): Promise<void> {
  await run(tx)`update platform_figures set balance_minor = balance_minor + ${amount.minor},
        equity_minor = equity_minor + ${amount.minor}, free_margin_minor = free_margin_minor + ${amount.minor}
      where account_id = ${accountId} and ${deal} <> all (unposted_deals)`
}
