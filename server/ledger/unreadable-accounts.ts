/**
 * Accounts of which something cannot be read (ADR 331): a field of their own record, so that they have no newer
 * balances, or a balance deal without a readable comment, which may be any operation of ours, also one that this
 * database lost.
 */
import type { AccountId } from '#rules/ids.ts'
import { literal, row, rows, run, sql, type Connection, type Sql, type Transaction } from '../db/sql.ts'
import { uuidOrNull } from '../db/ids.ts'
import type { Platform } from '../dependencies.ts'
import { unreadableAccountOf, type UnreadableAccount } from '../integrations/trading-platform/unreadable-records.ts'
import { closeUnclear, type DealAccount, type JudgedDeal } from './platform-deals.ts'

/** The unreadable parts of an account. */
export interface UnreadableParts {
  readonly record?: UnreadableAccount
  readonly deal?: UnclearDeal
}

/** The first deal that may be any operation of ours. */
interface UnclearDeal {
  /** Empty if its number cannot be read either. */
  readonly deal: string
  /** As ISO 8601. */
  readonly at: string
}

/** An account is tried again after this time, so that the others have their turn. */
const triedAgainMs = 60 * 60_000
const again = sql`${literal(`${triedAgainMs} ms`)}::interval`

/** Returns whether a field that cannot be read is the reason of a failure. */
export function isUnreadableFieldError(error: unknown): boolean {
  return unreadableAccountOf(error) !== null
}

/** Records which field of an account cannot be read, if that is why the account could not be read alone. */
export async function recordUnreadableField(
  connection: Connection,
  id: AccountId,
  error: unknown,
  now: Date,
): Promise<void> {
  const unreadable = unreadableAccountOf(error)
  if (unreadable === null) return
  await run(connection)`
    insert into unreadable_accounts (account_id, matter, odd, since, tried_at)
      values (${id}, 'record', ${JSON.stringify(unreadable)}::text::jsonb, ${now}, ${now})
      on conflict (account_id, matter) do update set odd = excluded.odd, tried_at = excluded.tried_at`
}

/** Records that no field of an account's own record is unreadable. */
export async function recordReadable(connection: Connection, id: AccountId): Promise<void> {
  await run(connection)`delete from unreadable_accounts where account_id = ${id} and matter = 'record'`
}

function firstUnclear(deals: readonly JudgedDeal[]): UnclearDeal | null {
  const [first] = deals
    .filter(({ status }) => status === 'unclear')
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
  return first === undefined ? null : { deal: first.ticket, at: first.at.toISOString() }
}

/** Records the first of an account's deals that may be any operation of ours, if there is one. */
export async function recordUnclear(
  connection: Connection,
  id: AccountId,
  deals: readonly JudgedDeal[],
  now: Date,
): Promise<void> {
  const unclear = firstUnclear(deals)
  if (unclear === null) return
  await run(connection)`
    insert into unreadable_accounts as u (account_id, matter, odd, since, tried_at)
      values (${id}, 'deal', ${JSON.stringify(unclear)}::text::jsonb, ${now}, ${now})
      on conflict (account_id, matter) do update set odd = excluded.odd where excluded.odd ->> 'at' < u.odd ->> 'at'`
}

/**
 * Records the result of reading all deals since the recorded one again. Does nothing if an earlier one was recorded
 * meanwhile, which was not among them.
 */
export async function recordComparedAgain(
  tx: Transaction,
  account: DealAccount,
  deals: readonly JudgedDeal[],
  { recordedAt, now }: { readonly recordedAt: string; readonly now: Date },
): Promise<void> {
  const first = firstUnclear(deals)
  // A deal without a readable time has that of the reading's start, which would be earlier each time.
  const next = first && { ...first, at: first.at < recordedAt ? recordedAt : first.at }
  const recorded = sql`account_id = ${account.id} and matter = 'deal' and odd ->> 'at' = ${recordedAt}`
  const changed = await run(
    tx,
    next === null
      ? sql`delete from unreadable_accounts where ${recorded}`
      : sql`update unreadable_accounts set odd = ${JSON.stringify(next)}::text::jsonb where ${recorded}`,
  )
  if (changed > 0) await closeUnclear(tx, account, deals, now)
}

/** Returns whether a deal of the account may be any operation of ours. */
export async function hasUnclearDeal(connection: Connection, id: AccountId): Promise<boolean> {
  const found = await row<{ id: AccountId }>(connection)`
    select account_id as id from unreadable_accounts where account_id = ${id} and matter = 'deal'`
  return found !== null
}

/** Returns the accounts of these logins. */
export function accountsOf(connection: Connection, platform: Platform, logins: readonly string[]) {
  return rows<DealAccount>(connection)`
    select id, client_id as "clientId", platform, coalesce(login, '') as login, currency from trading_accounts
      where platform = ${platform} and login = any (${[...new Set(logins)]}::text[]) order by id`
}

/**
 * Returns whether an account is due, and counts the reading that follows; false if another server has just begun it.
 */
export async function takeReading(connection: Connection, id: AccountId, now: Date): Promise<boolean> {
  const taken = await run(connection)`
    update unreadable_accounts u set tried_at = ${now} where account_id = ${id} and ${isDue(now)}`
  return taken > 0
}

/** Returns the condition of what is due; a time in the future was recorded before the clock was set back. */
export function isDue(now: Date): Sql {
  return sql`(u.tried_at <= ${new Date(now.getTime() - triedAgainMs)} or u.tried_at > ${now})`
}

/**
 * Maximum accounts of a platform per minute: those in lists are read together in a few calls. The others need up to six
 * calls each, which delay the other bulk readings.
 */
export const [listedAtOnce, aloneAtOnce] = [120, 20]

/** The condition that the account of rows `u` is read alone: no list contains it, or its deals are compared. */
export const isReadAlone = sql`bool_or(u.matter = 'deal' or lower(u.odd ->> 'field') = 'login')`

/**
 * The time at which each account is read next. Readings run once a minute, those tried longest ago first; the last one
 * was at the newest `tried_at`. While the platform does not respond, the times are the earliest possible ones.
 */
export const readingTurns = sql`
  select a.id as account_id, greatest(min(u.tried_at) + ${again},
      greatest(min(min(u.tried_at)) over queue + ${again}, max(max(u.tried_at)) over (partition by a.platform) + interval '1 minute')
        + interval '1 minute' * ((row_number() over queue - 1) / case when ${isReadAlone} then ${literal(`${aloneAtOnce}`)}::int else ${literal(`${listedAtOnce}`)}::int end)) as at
    from unreadable_accounts u join trading_accounts a on a.id = u.account_id group by a.id
    window queue as (partition by a.platform, ${isReadAlone} order by min(u.tried_at), a.id)`

/** The condition of accounts `u` that cannot be read because of their group. */
export const isOfGroup = sql`(u.matter = 'record' and u.odd ->> 'reason' in ('currency', 'group', 'permission'))`

/**
 * Returns a statement of the accounts with unreadable parts and the time of their next reading, without those that the
 * platform no longer has, because no one can correct these.
 */
export const unreadableAccounts = (which: Sql): Sql => sql`
  select a.id, a.platform, coalesce(a.login, '') as login, a.client_id as "clientId",
      jsonb_object_agg(u.matter, u.odd) as unreadable, min(u.since) as since,
      min(t.at) as "nextTryAt"
    from unreadable_accounts u join trading_accounts a on a.id = u.account_id and a.missing_since is null
      left join (${readingTurns}) t on t.account_id = a.id
    where ${which} group by a.id`

/**
 * Makes an account with unreadable parts due in the next turn, before those that have waited longer. Returns false for
 * any other account.
 */
export async function readAccountAgain(tx: Transaction, id: string): Promise<boolean> {
  const woken = await run(tx)`
    update unreadable_accounts set tried_at = 'epoch'
      where account_id = ${uuidOrNull(id)}::uuid`
  return woken > 0
}
