/**
 * SQL of an account's history: its days, movements, sums and figures. Queries for clients begin with the account of the
 * session, which `accountForCaller` returns.
 */
import { hourMs } from '#rules/dates.ts'
import type { CurveMark, HistoryState } from '#contract/trading-history.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import type { MethodType } from '#rules/payment-methods.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { literal, row, rows, run, sql, type Connection, type Sql, type Transaction } from '../../db/sql.ts'
import { isConnected, type Dependencies, type Platform } from '../../dependencies.ts'
import { Problem } from '../../http/problem.ts'
import { requireClient, type RequestContext } from '../../http/handler.ts'
import { readingTurns } from '../../ledger/unreadable-accounts.ts'
import { accountForStaff } from '../../office/account-for-staff.ts'
import { accountById, ownAccountByNumber, type OpenAccount } from '../accounts/queries.ts'

interface AccountContext extends Pick<RequestContext, 'caller' | 'now' | 'auditContext'> {
  readonly params: { readonly platform: Platform; readonly number: string }
}

/**
 * Returns the account that a call names: for a client only an account of their own, otherwise throws `account-unknown`;
 * for staff any account, logged.
 */
export async function accountForCaller(dependencies: Dependencies, context: AccountContext): Promise<OpenAccount> {
  const { pool } = dependencies
  const { platform, number } = context.params
  if (context.caller.kind === 'staff') {
    const { id } = await accountForStaff(dependencies, context)
    return { ...(await accountById(pool, id)), login: number }
  }
  const account = await ownAccountByNumber(pool, requireClient(context).clientId, platform, number)
  if (account === null || account.login === null) throw new Problem('account-unknown', { field: 'number' })
  return { ...account, login: account.login }
}

interface HistoryReading {
  readonly state: HistoryState
  /** When its deals were last read; null before the first time. */
  readonly readAt: Date | null
}

/** Returns what is known of an account's trades. */
export async function historyOf(
  { pool, config, platforms }: Pick<Dependencies, 'pool' | 'config' | 'platforms'>,
  platform: Platform,
  accountId: AccountId,
): Promise<HistoryReading> {
  if (!isConnected({ config }, platform)) return { state: 'not-available', readAt: null }
  if (platforms[platform].history === null) return { state: 'in-terminal', readAt: null }
  // An account that is read again after an earlier change keeps its data until then.
  const found = await row<{ accountAt: Date | null; platformAt: Date | null; told: boolean }>(pool)`
    select h.read_at as "accountAt", c.read_at as "platformAt", c.trades_told as told
      from deal_cursors c left join account_histories h on h.account_id = ${accountId} where c.platform = ${platform}`
  if (found?.told === false) return { state: 'in-terminal', readAt: null }
  if (!found?.accountAt) return { state: 'reading', readAt: null }
  const { accountAt, platformAt } = found
  return { state: 'kept', readAt: platformAt !== null && platformAt > accountAt ? platformAt : accountAt }
}

/**
 * Returns whether a deal of an account is unreadable, so that no sum of the account is complete (ADR 328); with a day,
 * whether a deal before that day is.
 */
export async function isIncomplete(
  connection: Connection,
  accountId: AccountId,
  beyond: string | null = null,
): Promise<boolean> {
  const found = await row<{ since: string }>(connection)`
    select unreadable_since::text as since from account_histories
      where account_id = ${accountId} and unreadable_since < coalesce(${beyond}::date, 'infinity')`
  return found !== null
}

/** 50,000 accounts are compared in 7 hours, with two calls a second. */
export const compareEveryMs = 20 * hourMs
/** An account that could not be read is tried again after this time, so that the others get their turn. */
export const failedAgainMs = hourMs
/**
 * Maximum failed accounts per turn, in addition to the others: each needs several calls, and thousands of them must not
 * delay the others.
 */
export const failedAtOnce = 10

/**
 * Returns a query of the earliest turn of each account that failed: in the order of their failures, this many per
 * minute, beginning with those that are due. An account with an unreadable record has no turn, as its balances are read
 * first.
 */
export const failedTurns = sql`
  select h.account_id, a.platform, greatest(h.failed_at + ${literal(`${failedAgainMs} ms`)}::interval,
      greatest(min(h.failed_at) over queue + ${literal(`${failedAgainMs} ms`)}::interval, c.turn_at + interval '1 minute')
        + interval '1 minute' * ((row_number() over queue - 1) / ${literal(`${failedAtOnce}`)}::int)) as at
    from account_histories h join trading_accounts a on a.id = h.account_id left join deal_cursors c on c.platform = a.platform
    where h.failed_at is not null
      and not exists (select from unreadable_accounts u where u.account_id = h.account_id and u.matter = 'record')
    window queue as (partition by a.platform, h.unread order by h.failed_at, h.account_id)`

/**
 * Returns a query of the accounts with an unreadable deal, with the time of their next reading: an account to be read
 * completely is read within a minute, the others with the comparison of their sums.
 */
export const incompleteAccounts = (which: Sql): Sql => sql`
  select a.id, a.platform, coalesce(a.login, '') as login, a.client_id as "clientId", h.unreadable,
      case when h.failed_at is not null then coalesce(t.at, r.at)
        when h.unread then c.turn_at + interval '1 minute'
        else h.compared_at + ${literal(`${compareEveryMs} ms`)}::interval end as "nextTryAt"
    from account_histories h join trading_accounts a on a.id = h.account_id left join deal_cursors c on c.platform = a.platform
      left join (${failedTurns}) t on t.account_id = h.account_id
      left join (${readingTurns}) r on r.account_id = h.account_id
    where h.unreadable is not null and ${which}`

/**
 * Schedules an account with an unreadable deal for a complete reading in the next turn. Returns false if it has none.
 */
export async function scheduleReread(tx: Transaction, accountId: string): Promise<boolean> {
  const woken = await run(tx)`
    update account_histories set unread = true, failed_at = null, problem = null
      where account_id = ${uuidOrNull(accountId)}::uuid and unreadable is not null`
  return woken > 0
}

/** The balances of an account as last read, in minor units. */
export interface Figures {
  readonly balance: bigint
  readonly credit: bigint
  readonly equity: bigint | null
  readonly readAt: Date
}

export function figuresOf(connection: Connection, accountId: AccountId): Promise<Figures | null> {
  return row<Figures>(connection)`
    select balance_minor as balance, credit_minor as credit, equity_minor as equity, read_at as "readAt"
      from platform_figures where account_id = ${accountId}`
}

interface MarkRow extends Omit<CurveMark, 'type' | 'returned'> {
  readonly type: MethodType | null
  readonly row: string
}

const marksMax = 200

/**
 * Returns the newest of an account's deals that carried out a request of the client, and whether there are older ones.
 */
export async function marksOf(
  connection: Connection,
  accountId: AccountId,
  after: string | null,
): Promise<{ readonly marks: CurveMark[]; readonly marksLeftOff: boolean }> {
  const found = await rows<MarkRow>(connection)`
    select k.day::text as day, k.at, k.profit_minor as amount, case when c.deposit_id is null then k.subject || 's' else 'deposits' end as list,
        coalesce(c.deposit_id, k.record)::text as id,
        coalesce(d.reference, w.reference, t.reference) as reference, coalesce(d.type, w.type) as type, k.sum_row as row
      from kept_deals k left join corrections c on k.subject = 'correction' and c.id = k.record
        left join deposits d on d.id = coalesce(c.deposit_id, case when k.subject = 'deposit' then k.record end)
        left join withdrawals w on k.subject = 'withdrawal' and w.id = k.record
        left join transfers t on k.subject = 'transfer' and t.id = k.record
      where k.account_id = ${accountId} and k.action = 2 ${after === null ? sql`` : sql`and k.day > ${after}::date`}
        and coalesce(d.reference, w.reference, t.reference) is not null
      order by k.at desc limit ${marksMax + 1}`
  const marks = found
    .slice(0, marksMax)
    .map(({ row: sumRow, ...mark }) => ({ ...mark, returned: sumRow === 'returned' }))
  return { marks, marksLeftOff: found.length > marksMax }
}

/** An account at a day's end: the sum of its deals until then, and its open positions. */
export interface DayEnd {
  readonly day: string
  readonly balance: bigint
  readonly credit: bigint
  readonly floating: bigint
  /** Null if it was not stored. */
  readonly margin: bigint | null
  /** The platform's own report differs, and no deal up to that day has been changed since. */
  readonly differs: boolean
}

/** Returns the ends of an account's days from the last one before `from` on, oldest first. */
export function dayEnds(connection: Connection, accountId: AccountId, from: string | null): Promise<DayEnd[]> {
  const first =
    from === null
      ? sql``
      : sql`and d.day >= coalesce((select max(day) from account_days
    where account_id = ${accountId} and day < ${from}::date), '-infinity')`
  return rows<DayEnd>(connection)`
    select d.day::text as day, s.balance, s.credit, d.floating_minor as floating,
        d.margin_minor as margin,
        d.source = 'report' and (d.balance_minor, d.credit_minor) <> (s.balance, s.credit)
          and not exists (select from platform_deals v where v.account_id = ${accountId} and v.day <= d.day
            and (v.version > 1 or v.read_at > d.noted_at)) as differs
      from account_days d
        join (select day, (sum(balance) over (order by day))::bigint as balance, (sum(credit) over (order by day))::bigint as credit
            from (select days.day, coalesce(sum(m.amount_minor) filter (where m.sum_row <> 'credit'), 0) as balance,
                  coalesce(sum(m.amount_minor) filter (where m.sum_row = 'credit'), 0) as credit
                from (select day from account_days where account_id = ${accountId}
                    union select day from deal_sums where account_id = ${accountId}) days
                  left join deal_sums m on m.account_id = ${accountId} and m.day = days.day
                group by days.day) by_day) s on s.day = d.day
      where d.account_id = ${accountId} ${first}
      order by d.day`
}

/** Returns whether any deal of an account is known, even if the sums of its days are zero. */
export async function hasDeals(connection: Connection, accountId: AccountId): Promise<boolean> {
  const found = await row<{ known: boolean }>(connection)`
    select exists (select from kept_deals where account_id = ${accountId}) as known`
  return found?.known === true
}

/** Returns the day of an account's first movement, or null. */
export async function firstMovement(connection: Connection, accountId: AccountId): Promise<string | null> {
  const found = await row<{ day: string | null }>(connection)`
    select min(day)::text as day from deal_sums where account_id = ${accountId}`
  return found?.day ?? null
}

interface ResultDay {
  readonly platform: Platform
  readonly number: string
  readonly accountId: AccountId
  readonly day: string
  /** Profit, swap, commission and fee since the first day, and the unrealised P&L at the end of the day. */
  readonly value: bigint
}

/**
 * Returns the results of a client's accounts at the ends of their days since a day, without payments, credit and other
 * bookings: dividends, interest, charges, taxes and corrections have their own rows in the sum.
 */
export function resultDays(connection: Connection, clientId: ClientId, from: string): Promise<ResultDay[]> {
  return rows<ResultDay>(connection)`
    select a.platform, a.login as number, a.id as "accountId", d.day::text as day,
        (d.floating_minor + coalesce((select sum(m.amount_minor) from deal_sums m where m.account_id = a.id and m.day <= d.day
          and m.day >= ${from}::date and m.sum_row in ('profit', 'swap', 'commission', 'fee')), 0))::bigint as value
      from trading_accounts a join account_days d on d.account_id = a.id and d.day >= ${from}::date
      where a.client_id = ${clientId} and a.state = 'approved' and a.login is not null
        and extract(isodow from d.day) < 6
        and not exists (select from account_histories h where h.account_id = a.id and h.unreadable is not null)
      order by a.id, d.day`
}

/** Returns the sums of the stored deals of an account, all of them or those up to the end of a day. */
export async function sumsOf(
  connection: Connection,
  id: AccountId,
  until: string | null = null,
): Promise<{ balance: bigint; credit: bigint }> {
  const found = await row<{ balance: bigint; credit: bigint }>(connection)`
    select coalesce(sum(amount_minor) filter (where sum_row <> 'credit'), 0)::bigint as balance,
        coalesce(sum(amount_minor) filter (where sum_row = 'credit'), 0)::bigint as credit
      from deal_sums where account_id = ${id} ${until === null ? sql`` : sql`and day <= ${until}::date`}`
  return found ?? { balance: 0n, credit: 0n }
}
