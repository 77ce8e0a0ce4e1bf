/** Ledger balances of a client's live accounts at the beginning and end of a period. */
import type { Currency } from '#rules/money.ts'
import { rows, sql, type Connection } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import type { HistoryFilter } from './queries.ts'

export interface AccountBalance {
  readonly accountNumber: string
  readonly currency: Currency
  /** In minor units; 0 if the period has no first day. */
  readonly opening: bigint
  /** In minor units; the current balance if the period has no last day. */
  readonly closing: bigint
}

/**
 * Returns the balances by account number. Postings before the period are not read: its movements are subtracted from
 * today's balance.
 */
export function accountBalances(
  connection: Connection,
  clientId: SignedInClientId,
  { account, from, until }: Pick<HistoryFilter, 'account' | 'from' | 'until'>,
): Promise<AccountBalance[]> {
  const since = (at: Date) => sql`coalesce((select sum(p.minor) from postings p join entries e on e.id = p.entry_id
      where p.ledger_account = l.id and e.at >= ${at}), 0)`
  return rows<AccountBalance>(connection)`select a.login as "accountNumber", a.currency,
        ${from === null ? sql`0::bigint` : sql`(${since(from)} - coalesce(l.balance_minor, 0))::bigint`} as opening,
        (${until === null ? sql`0` : since(until)} - coalesce(l.balance_minor, 0))::bigint as closing
      from trading_accounts a left join ledger_accounts l on l.kind = 'client' and l.trading_account = a.id
      where a.client_id = ${clientId} and a.request_type = 'live' and a.login is not null
        ${account === null ? sql`` : sql`and a.login = ${account}`}
      order by a.login, a.id`
}
