/** SQL of monthly statements: due months, and created statements (ADR 241). */
import type { AccountId, ClientId, FileId } from '#rules/ids.ts'
import type { Currency } from '#rules/money.ts'
import { tradingDay } from '#rules/trading-days.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import type { StatementFacts } from './month-facts.ts'

/** A month to be checked. */
export interface DueMonth {
  readonly accountId: AccountId
  readonly clientId: ClientId
  readonly platform: 'MT4' | 'MT5'
  readonly login: string
  readonly accountType: string
  readonly currency: Currency
  readonly month: string
  readonly edition: number
  readonly lookAt: Date
  /** Of the newest edition. */
  readonly fingerprint: string | null
}

export function dueMonths(connection: Connection, now: Date, limit: number): Promise<DueMonth[]> {
  return rows<DueMonth>(connection)`
    select e.account_id as "accountId", a.client_id as "clientId", a.platform, coalesce(a.login, '') as login,
        a.acc_type as "accountType", a.currency, e.month::text as month, e.edition, e.look_at as "lookAt", s.fingerprint
      from month_ends e join trading_accounts a on a.id = e.account_id
        left join account_statements s on s.account_id = e.account_id and s.month = e.month and s.edition = e.edition
      where e.look_at <= ${now} order by e.look_at, e.account_id, e.month limit ${limit}`
}

/** A month of an account with the editions of its statement, newest first. */
export interface ListedMonth {
  readonly month: string
  readonly dueAt: Date
  readonly isDue: boolean
  readonly problem: string | null
  readonly closingBalance: bigint | null
  readonly editions: readonly { edition: number; drawnAt: string }[]
}

export function monthsOf(connection: Connection, accountId: AccountId, now: Date): Promise<ListedMonth[]> {
  return rows<ListedMonth>(connection)`
    select to_char(e.month, 'YYYY-MM') as month, e.due_at as "dueAt", e.due_at <= ${now} as "isDue", e.problem,
        (select (s.facts -> 'closing' ->> 'balance')::bigint from account_statements s where s.account_id = e.account_id
          and s.month = e.month and s.edition = e.edition) as "closingBalance",
        coalesce((select jsonb_agg(jsonb_build_object('edition', s.edition, 'drawnAt', s.drawn_at) order by s.edition desc)
          from account_statements s where s.account_id = e.account_id and s.month = e.month), '[]') as editions
      from month_ends e where e.account_id = ${accountId} order by e.month desc`
}

interface StoredStatement {
  readonly facts: StatementFacts
  readonly file: FileId | null
}

/** Returns one edition, or null. `month` is "2026-08". */
export function statementOf(
  connection: Connection,
  accountId: AccountId,
  { month, edition }: { readonly month: string; readonly edition: string },
): Promise<StoredStatement | null> {
  return row<StoredStatement>(connection)`
    select facts, file from account_statements
      where account_id = ${accountId} and month = ${`${month}-01`}::date and edition = ${Number(edition)}`
}

/** A month of a year, from the newest edition of its statement. */
export interface YearMonth extends Pick<StatementFacts, 'opening' | 'closing' | 'rows'> {
  readonly month: string
  readonly edition: number
}

export function monthsOfYear(connection: Connection, accountId: AccountId, year: string): Promise<YearMonth[]> {
  return rows<YearMonth>(connection)`
    select distinct on (month) to_char(month, 'YYYY-MM') as month, edition, facts -> 'opening' as opening,
        facts -> 'closing' as closing, facts -> 'rows' as rows
      from account_statements
      where account_id = ${accountId} and month >= ${`${year}-01-01`}::date and month <= ${`${year}-12-01`}::date
      order by month, edition desc`
}

/** A month of a year without a statement. */
export interface MissingMonth {
  readonly month: string
  readonly why: 'beforeOpening' | 'notEnded' | 'notCreated' | 'inReview' | 'accountGone' | 'endsUnknown'
}

/**
 * Returns the months of a year without a statement, each with its reason; `minutes`: the platform's clock ahead of UTC.
 */
export function missingMonths(
  connection: Connection,
  accountId: AccountId,
  year: string,
  { now, minutes }: { readonly now: Date; readonly minutes: number },
): Promise<MissingMonth[]> {
  const today = tradingDay(now.getTime() + minutes * 60_000)
  // A month is due two days after its end (ADR 241).
  const ended = tradingDay(Date.parse(today) - 2 * 86_400_000)
  return rows<MissingMonth>(connection)`
    select to_char(m.month, 'YYYY-MM') as month,
        case when a.opened_at is not null and m.beyond <= (a.opened_at at time zone 'UTC' + make_interval(mins => ${minutes}))::date
            then 'beforeOpening'
          when m.beyond > ${today}::date then 'notEnded'
          when e.due_at <= ${now} then 'inReview'
          when e.due_at > ${now} or m.beyond > ${ended}::date then 'notCreated'
          when m.month > (a.missing_since at time zone 'UTC' + make_interval(mins => ${minutes}))::date then 'accountGone'
          else 'endsUnknown' end as why
      from (select make_date(${Number(year)}, n, 1) as month,
            (make_date(${Number(year)}, n, 1) + interval '1 month')::date as beyond from generate_series(1, 12) n) m
        join trading_accounts a on a.id = ${accountId}
        left join month_ends e on e.account_id = a.id and e.month = m.month
      where not exists (select from account_statements s where s.account_id = a.id and s.month = m.month)
      order by m.month`
}

export function accountTypeOf(connection: Connection, accountId: AccountId): Promise<{ type: string } | null> {
  return row<{ type: string }>(connection)`
    select acc_type as type from trading_accounts where id = ${accountId}`
}
