import type { OfficeClient } from '#contract/office/clients.ts'
import type { ClientId } from '#rules/ids.ts'
import { rows, type Connection } from '../../db/sql.ts'

interface AccountRow extends Omit<OfficeClient['accounts'][number], 'balance' | 'equity'> {
  balance: bigint | null
  equity: bigint | null
  readAt: Date | null
}

export async function accountsOf(connection: Connection, clientId: ClientId): Promise<OfficeClient['accounts']> {
  const found = await rows<AccountRow>(connection)`
    select a.id, a.login as number, a.request_type as "requestType", a.platform, a.acc_type as type, a.currency, a.leverage,
        a.client_status as "clientStatus", a.state, a.nickname, f.balance_minor as balance, f.equity_minor as equity,
        f.read_at as "readAt",
        coalesce((select sum(amount_minor) from reservations r where r.account_id = a.id and r.released_at is null), 0)::bigint
          as reserved
      from trading_accounts a left join platform_figures f on f.account_id = a.id
      where a.client_id = ${clientId} order by a.requested_at, a.id limit 200`
  return found.map(({ balance, equity, readAt, ...account }) => {
    const fact = (amount: bigint | null) => ({ amount, currency: account.currency, at: readAt })
    return { ...account, balance: fact(balance), equity: fact(equity) }
  })
}
