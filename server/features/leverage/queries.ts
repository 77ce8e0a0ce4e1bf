/** SQL of leverage requests. */
import { listLeverageRequests } from '#contract/office/leverage-requests.ts'
import type { ClientStatus } from '#rules/choices.ts'
import type { LeverageRequestState } from '#rules/leverage-requests.ts'
import type { Currency } from '#rules/money.ts'
import type { AccountId, ClientId, LeverageRequestId } from '#rules/ids.ts'
import { row, sql, type Connection } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { recordsNamed } from '../../office/lists.ts'
import { queue } from '../../office/listing.ts'
import type { Platform } from '../../dependencies.ts'

/** A request with its account and owner, for staff and for settling the platform's response. */
export interface LeverageRequest {
  readonly id: LeverageRequestId
  readonly clientId: ClientId
  readonly clientEmail: string
  readonly clientStatus: ClientStatus
  readonly country: string
  readonly accountId: AccountId
  readonly platform: Platform
  readonly login: string
  readonly currency: Currency
  readonly accType: 'Standard' | 'ECN'
  readonly requestType: 'live' | 'demo'
  readonly accountStatus: ClientStatus
  readonly from: number
  readonly to: number
  readonly state: LeverageRequestState
  readonly reason: string | null
  readonly decidedBy: string | null
  readonly requestedAt: Date
  readonly decidedAt: Date | null
  readonly version: number
}

export const leverageColumns = sql`l.id, l.client_id as "clientId", c.email::text as "clientEmail",
  c.client_status as "clientStatus", c.country, l.account_id as "accountId", a.platform, a.login, a.currency,
  a.acc_type as "accType", a.request_type as "requestType", a.client_status as "accountStatus",
  l.from_leverage as "from", l.to_leverage as "to", l.state,
  l.reason, l.decided_by as "decidedBy", l.requested_at as "requestedAt", l.decided_at as "decidedAt", l.version`
const tables = sql`leverage_requests l join clients c on c.id = l.client_id
  join trading_accounts a on a.id = l.account_id`

/** Returns one request, or null. */
export async function leverageRequestById(connection: Connection, id: LeverageRequestId) {
  return row<LeverageRequest>(connection)`select ${leverageColumns} from ${tables} where l.id = ${uuidOrNull(id)}::uuid`
}

/** The listing of leverage requests for staff. */
export const leverageListing = queue(listLeverageRequests, {
  name: 'leverage-requests',
  tables,
  alias: 'l',
  sorts: { createdAt: { by: 'l.requested_at', type: 'timestamptz' } },
  waiting: ['pending', 'processing'],
  finds: (words) => recordsNamed(words, { table: 'leverage_requests', id: 'l.id', accounts: ['account_id'] }),
})

/** Returns whether a change of the account's leverage is pending, with staff or the platform. */
export async function isLeveragePending(connection: Connection, accountId: AccountId): Promise<boolean> {
  const found = await row<{ id: string }>(connection)`
    select id from leverage_requests where account_id = ${accountId} and state in ('pending', 'processing')`
  return found !== null
}
