/** SQL of live account figures. */
import type { AccountId } from '#rules/ids.ts'
import type { Currency } from '#rules/money.ts'
import type { Platform } from '../../dependencies.ts'
import { figureColumns, type AccountFigures } from '../accounts/queries.ts'
import { row, rows, run, type Connection, type Transaction } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'

export interface OwnAccount {
  readonly id: AccountId
  readonly platform: Platform
}

/** Returns those of the ids that are open accounts of the client's own. */
export async function ownOpenAccounts(connection: Connection, clientId: SignedInClientId, ids: readonly string[]) {
  return rows<OwnAccount>(connection)`
    select id, platform from trading_accounts
      where id = any (${ids}::uuid[]) and client_id = ${clientId} and state = 'approved' and login is not null
      order by id`
}

/** Records that these accounts are watched until a time. */
export async function watchAccounts(
  connection: Connection,
  accounts: readonly OwnAccount[],
  until: Date,
): Promise<void> {
  await run(connection)`
    insert into watched_accounts (account_id, platform, watched_until)
      select w.id, w.platform, ${until}
        from unnest(${accounts.map(({ id }) => id)}::uuid[], ${accounts.map(({ platform }) => platform)}::text[])
          as w(id, platform)
        order by w.id
      on conflict (account_id) do update set watched_until = excluded.watched_until
        where watched_accounts.watched_until < excluded.watched_until`
}

/** Returns which of the sessions are active and belong to a client who may see figures. */
export async function sessionsWithAccess(
  connection: Connection,
  sessionIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const alive = await rows<{ id: string }>(connection)`
    select s.id from sessions s join clients c on c.id = s.client_id
      where s.id = any (${sessionIds}::uuid[]) and s.ended_at is null and s.ends_at > ${now}
        and s.last_seen_at + make_interval(secs => s.idle_seconds) > ${now} and c.state = 'approved'`
  return new Set(alive.map(({ id }) => id))
}

export interface FiguresRow extends AccountFigures {
  readonly id: AccountId
  readonly currency: Currency
}

/** Returns the stored figures of accounts, in one statement for all viewers. */
export async function figuresOf(connection: Connection, ids: readonly AccountId[]) {
  return rows<FiguresRow>(connection)`
    select a.id, a.currency, ${figureColumns}
      from trading_accounts a left join platform_figures f on f.account_id = a.id
      where a.id = any (${ids}::uuid[])`
}

const lockSpace = 7421
const platformNumbers: Readonly<Record<Platform, number>> = { MT4: 4, MT5: 5 }

/**
 * Returns whether this connection now holds the lock to read a platform; it keeps it until `unlockPlatform` or its end.
 */
export async function tryLockPlatform(connection: Connection, platform: Platform): Promise<boolean> {
  const found = await row<{ held: boolean }>(connection)`
    select pg_try_advisory_lock(${lockSpace}::int, ${platformNumbers[platform]}::int) as held`
  return found?.held ?? false
}

export async function unlockPlatform(connection: Connection, platform: Platform): Promise<void> {
  await run(connection)`select pg_advisory_unlock(${lockSpace}::int, ${platformNumbers[platform]}::int)`
}

export interface WatchedAccount {
  readonly id: AccountId
  readonly login: string
  readonly currency: Currency
  /** Whether the platform had no such account at the last reading. */
  readonly missing: boolean
}

/**
 * Returns the accounts of a platform to read now and marks them as read; none if they were read after `since`. Deletes
 * what is no longer watched. All writers lock these rows in the order of their ids to avoid deadlocks.
 */
export async function claimWatched(
  connection: Connection,
  platform: Platform,
  { now, since }: { now: Date; since: Date },
) {
  await run(connection)`
    with held as materialized (
      select account_id from watched_accounts where platform = ${platform} and watched_until <= ${now}
        order by account_id for update)
    delete from watched_accounts w using held h where w.account_id = h.account_id and w.watched_until <= ${now}`
  return rows<WatchedAccount>(connection)`
    with held as materialized (
      select w.account_id from watched_accounts w
        where w.platform = ${platform} and not exists (
          select from watched_accounts other where other.platform = ${platform} and other.looked_at > ${since})
        order by w.account_id for update)
    update watched_accounts w set looked_at = ${now} from held h join trading_accounts a on a.id = h.account_id
      where w.account_id = h.account_id and a.login is not null
      returning a.id, a.login, a.currency, a.missing_since is not null as missing`
}

interface ReadTrades {
  readonly id: AccountId
  /** In the form that the portal receives. */
  readonly trades: unknown
}

/** Stores open trades of watched accounts while they are watched; a later reading is not overwritten. */
export async function storeTrades(connection: Connection, read: readonly ReadTrades[], now: Date): Promise<void> {
  await run(connection)`
    with held as materialized (
      select account_id from watched_accounts where account_id = any (${read.map(({ id }) => id)}::uuid[])
        order by account_id for update)
    update watched_accounts w set open_trades = r.trades, open_at = ${now}
      from json_to_recordset(${JSON.stringify(read)}::text::json) as r (id uuid, trades json)
        join held h on h.account_id = r.id
      where w.account_id = r.id and (w.open_at is null or w.open_at < ${now})`
}

export interface StoredTrades {
  readonly id: AccountId
  readonly readAt: Date
  /** JSON. */
  readonly trades: string
}

/** Returns the stored trades of accounts that are newer than the time given for each. */
export function storedTrades(connection: Connection, since: ReadonlyMap<AccountId, Date>) {
  return rows<StoredTrades>(connection)`
    select w.account_id as id, w.open_at as "readAt", w.open_trades::text as trades
      from unnest(${[...since.keys()]}::uuid[], ${[...since.values()]}::timestamptz[]) as s (id, since)
        join watched_accounts w on w.account_id = s.id and w.open_at > s.since`
}

export interface ReadFigures {
  readonly id: AccountId
  readonly balance: bigint
  readonly credit: bigint
  readonly equity: bigint | null
  readonly margin: bigint | null
  readonly freeMargin: bigint | null
  readonly profit: bigint | null
  /** Null if the reading does not contain it. */
  readonly openPositions: number | null
  /** Null if the reading does not contain it. */
  readonly enabled: boolean | null
}

/** Locks those of the accounts that are not locked by others, until the transaction ends, and returns them. */
export async function lockUnlockedAccounts(tx: Transaction, ids: readonly AccountId[]): Promise<AccountId[]> {
  const held = await rows<{ id: AccountId }>(tx)`
    select id from trading_accounts where id = any (${ids}::uuid[]) order by id for update skip locked`
  return held.map(({ id }) => id)
}

/** Stores the balances of accounts that equal the ledger's, and returns the ids of these accounts. */
export async function storeAgreeingBalances(
  tx: Transaction,
  figures: readonly ReadFigures[],
  now: Date,
): Promise<ReadonlySet<AccountId>> {
  const column = <Key extends keyof ReadFigures>(key: Key) => figures.map((one) => one[key])
  const kept = await rows<{ id: AccountId }>(tx)`
    insert into platform_figures (account_id, balance_minor, credit_minor, equity_minor, margin_minor,
        free_margin_minor, profit_minor, open_positions, leverage, enabled, read_at)
      select r.id, r.balance, r.credit, r.equity, r.margin, r.free, r.profit, r.positions, a.leverage,
          coalesce(r.enabled, f.enabled, true), ${now}
        from unnest(${column('id')}::uuid[], ${column('balance')}::bigint[], ${column('credit')}::bigint[],
            ${column('equity')}::bigint[], ${column('margin')}::bigint[], ${column('freeMargin')}::bigint[],
            ${column('profit')}::bigint[], ${column('openPositions')}::int[], ${column('enabled')}::boolean[])
          as r(id, balance, credit, equity, margin, free, profit, positions, enabled)
          join trading_accounts a on a.id = r.id
          left join platform_figures f on f.account_id = r.id
        where r.balance = coalesce((select -sum(l.balance_minor) from ledger_accounts l
          where l.kind = 'client' and l.trading_account = r.id), 0)
      on conflict (account_id) do update set balance_minor = excluded.balance_minor,
        credit_minor = excluded.credit_minor, equity_minor = excluded.equity_minor,
        margin_minor = excluded.margin_minor, free_margin_minor = excluded.free_margin_minor,
        profit_minor = excluded.profit_minor, open_positions = excluded.open_positions, enabled = excluded.enabled,
        read_at = excluded.read_at
      returning account_id as id`
  return new Set(kept.map(({ id }) => id))
}

/** Records that the platform has responded for accounts whose balances were not stored. */
export async function recordResponse(connection: Connection, ids: readonly AccountId[], now: Date): Promise<void> {
  await run(connection)`
    with held as materialized (
      select account_id from platform_figures where account_id = any (${ids}::uuid[]) order by account_id for update skip locked)
    update platform_figures f set answered_at = ${now} from held h where f.account_id = h.account_id`
}

/** Notifies every server that a platform's figures were read. */
export async function notifyFiguresRead(connection: Connection, platform: Platform): Promise<void> {
  await run(connection)`select pg_notify('figures', ${platform})`
}
